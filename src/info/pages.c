/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the table of settings as a Markdown page and as a manual page. */
#include "info/pages.h"

#include <ctype.h>
#include <string.h>

#include "base/settings.h"

/* Prints the setting's other names, each between `before` and `after`, separated by `between`. */
static void print_others(FILE *out, const struct tern_setting *s, const char *before,
                         const char *after, const char *between)
{
    for (const char *name = s->others; *name;) {
        int n = (int)strcspn(name, " ");

        fprintf(out, "%s%s%.*s%s", name == s->others ? "" : between, before, n, name, after);
        name += n + (name[n] == ' ');
    }
}

void tern_pages_print_markdown(FILE *out)
{
    size_t n;
    const struct tern_setting *table = tern_settings_table(&n);

    fputs("# Settings\n"
          "\n"
          "The library reads these environment variables when it is initialized. Variables for a\n"
          "tool are read by that tool; the library only shows them, and checks the numbers among\n"
          "them. A malformed value is an error, never a silent default. `tern-info` shows the\n"
          "values in force. With `SHMEM_INFO=1`, a program prints them at start.\n"
          "\n"
          "| variable | value | default | meaning | other names |\n"
          "|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "| `%s` | %s | %s | %s | ", table[i].name, tern_setting_expects(table[i].kind),
                table[i].by_default, table[i].meaning);
        print_others(out, &table[i], "`", "`", ", ");
        fputs(*table[i].others ? " |\n" : "|\n", out);
    }
    fputs("\n"
          "A setting's name takes precedence over its other names, and an earlier one of these\n"
          "over a later one. Names that begin with `SMA_` are deprecated since OpenSHMEM 1.4.\n"
          "\n"
          "A *number of bytes* consists of digits, optionally with a fraction, and optionally one\n"
          "of the letters `k`, `m`, `g` and `t`, in either case, for powers of 1024. Characters\n"
          "after the letter are ignored. The result is rounded up: `3.1M` is 3250586 bytes.\n"
          "\n"
          "`yes`, `true` and `1` mean `on`; `no`, `false` and `0` mean `off`. If *anything* is\n"
          "accepted, the setting is on whenever the variable is set: `SHMEM_DEBUG=0` is on, too.\n"
          "\n"
          "`oshrun` passes each process its place in the job in variables of its own, see\n"
          "`man oshrun`.\n"
          "\n"
          "This page is made from `src/base/settings.def`: `ninja -C build settings-pages`.\n",
          out);
}

static void print_man_entry(FILE *out, const struct tern_setting *s)
{
    char sentence[256];

    fprintf(out, ".It Ev %s\n", s->name);
    snprintf(sentence, sizeof sentence, "%c%s.", toupper((unsigned char)s->meaning[0]),
             s->meaning + 1);
    tern_settings_print_wrapped(out, 0, sentence);
    fprintf(out, ".br\nValue: %s.\nDefault: %s.\n", tern_setting_expects(s->kind), s->by_default);
    if (*s->others) {
        fputs(".br\nOther names:\n", out);
        print_others(out, s, ".Ev ", "", " ,\n");
        fputs(" .\n", out);
    }
}

void tern_pages_print_man(FILE *out)
{
    size_t n;
    const struct tern_setting *table = tern_settings_table(&n);

    fputs(".\\\" SPDX-License-Identifier: BSD-3-Clause\n"
          ".\\\" Made from src/base/settings.def: ninja -C build settings-pages\n"
          ".Dd November 22, 2026\n"
          ".Dt TERN-SETTINGS 7\n"
          ".Os Tern\n"
          ".Sh NAME\n"
          ".Nm tern-settings\n"
          ".Nd environment variables of the Tern library and its tools\n"
          ".Sh DESCRIPTION\n"
          "The library reads these variables when an OpenSHMEM program initializes it.\n"
          "Variables for a tool are read by that tool.\n"
          "The library only shows them, and checks the numbers among them.\n"
          "A malformed value is an error, never a silent default.\n"
          ".Xr tern-info 1\n"
          "shows the values in force.\n"
          ".Bl -tag -width Ds\n",
          out);
    for (size_t i = 0; i < n; i++)
        print_man_entry(out, &table[i]);
    fputs(".El\n"
          ".Pp\n"
          "A setting's name takes precedence over its other names, and an earlier one of\n"
          "these over a later one.\n"
          "Names that begin with\n"
          ".Ql SMA_\n"
          "are deprecated since OpenSHMEM 1.4.\n"
          ".Ss Values\n"
          "A number of bytes consists of digits, optionally with a fraction, and\n"
          "optionally one of the letters\n"
          ".Sq k ,\n"
          ".Sq m ,\n"
          ".Sq g\n"
          "and\n"
          ".Sq t ,\n"
          "in either case, for powers of 1024.\n"
          "Characters after the letter are ignored.\n"
          "The result is rounded up:\n"
          ".Ql 3.1M\n"
          "is 3250586 bytes.\n"
          ".Pp\n"
          ".Ql yes ,\n"
          ".Ql true\n"
          "and\n"
          ".Ql 1\n"
          "mean\n"
          ".Ql on ;\n"
          ".Ql no ,\n"
          ".Ql false\n"
          "and\n"
          ".Ql 0\n"
          "mean\n"
          ".Ql off .\n"
          ".Pp\n"
          "If anything is accepted, the setting is on whenever the variable is set:\n"
          ".Ql SHMEM_DEBUG=0\n"
          "is on, too.\n"
          ".Sh SEE ALSO\n"
          ".Xr oshrun 1 ,\n"
          ".Xr tern-info 1\n",
          out);
}
