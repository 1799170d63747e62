/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in JSON. */
#ifndef TERN_TOOLS_REPORT_JSON_H
#define TERN_TOOLS_REPORT_JSON_H

#include <stdio.h>

/* A quoted string. Whatever ends a script in a page, or a string, is escaped. */
static inline void tern_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\' || *text == '<')
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, out);
    fputc('"', out);
}

#endif
