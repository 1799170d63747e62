/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: which stream each type goes to, and what precedes it. Also: names that are macros. */
#define DEBUG 1
#define ERROR "taken"
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "ishmem/types.h"

static_assert(DEBUG == 1);

/* What the calls of `say` write to a stream. */
template <typename Say> static std::string written(FILE *stream, Say say)
{
    FILE *file = tmpfile();
    char text[512] = "";

    fflush(stream);
    int kept = dup(fileno(stream));

    dup2(fileno(file), fileno(stream));
    say();
    fflush(stream);
    dup2(kept, fileno(stream));
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void expect(const std::string &text, const std::string &expected, const char *name)
{
    check(text == expected, name, "'%s', expected '%s'", text.c_str(), expected.c_str());
}

#undef DEBUG
#undef ERROR

int main()
{
    start("ishmem/print");

    const std::string pe = "PE " + std::to_string(me) + ": ";

    expect(written(stderr, [] { ishmemx_print("a\n"); }), "a\n", "print");
    expect(written(stderr, [] { ishmemx_print("b\n", WARNING); }), "b\n", "print");
    expect(written(stderr, [] { ishmemx_print("c\n", ishmemx_print_msg_type_t::ERROR); }), "c\n",
           "print");
    expect(written(stdout, [] { ishmemx_print("d\n", STDOUT); }), "d\n", "print-STDOUT");
    expect(written(stderr, [] { ishmemx_print("f\n", DEBUG); }), "", "print-DEBUG");
    setenv("ISHMEM_DEBUG", "1", 1);
    expect(written(stderr, [] { ishmemx_print("g\n", DEBUG); }), "g\n", "print-DEBUG");
    setenv("ISHMEM_ENABLE_VERBOSE_PRINT", "1", 1);
    expect(written(stderr, [] { ishmemx_print("h\n", ERROR); }), pe + "ERROR: h\n",
           "print-verbose");
    expect(written(stderr, [] { ishmemx_print("file.cpp", 12, "main", "i\n", WARNING); }),
           pe + "WARNING: file.cpp:12: main: i\n", "print-verbose");
    return finish();
}
