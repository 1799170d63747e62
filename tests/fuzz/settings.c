/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: lines NAME=VALUE as the environment. */
#include "base/settings.h"

#include "base/compiler.h"
#include "fuzz/target.h"

extern char **environ;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = text_of(data, bytes), *rest = text, *line;
    char *variables[65], **own = environ, error[512];
    size_t n = 0;
    FILE *out = fopen("/dev/null", "w");

    while (n < 64 && (line = strsep(&rest, "\n")))
        if (strchr(line, '='))
            variables[n++] = line;
    variables[n] = NULL;
    environ = variables;
    if (tern_settings_load(error, sizeof error) == 0 && out)
        tern_settings_print(out);
    environ = own;
    if (out)
        fclose(out);
    free(text);
    return 0;
}
