/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of oshrun: each line of the input is a word. */
#include "fuzz/target.h"
#include "launch/plan/options.h"

enum { MOST = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct tern_options options;
    char *text = text_of(data, bytes), *rest = text, *word, *argv[MOST + 1];
    size_t n = 0;

    while (n < MOST && (word = strsep(&rest, "\n")))
        argv[n++] = word;
    argv[n] = NULL;
    if (tern_options_parse(&options, argv, 4) == 0) {
        if (options.action == TERN_ACTION_RUN && options.n_programs == 0)
            abort();
        for (size_t i = 0; i < options.n_programs; i++)
            if (options.action == TERN_ACTION_RUN && !options.programs[i].argv[0])
                abort();
        tern_options_need_starter(&options);
    }
    tern_options_free(&options);
    free(text);
    return 0;
}
