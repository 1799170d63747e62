/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits values into parts, whose last character says whether another one follows. */
#include "boot/external/values.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

#define KEY_BYTES 32 /* of a part: "tern-card.1" is the second one of "tern-card" */

/* The last character of a part. */
#define MORE_FOLLOWS '+'
#define ENDS_HERE '.'

static size_t most_in_part(const struct tern_values *v, size_t part_bytes)
{
    size_t most = v->most_bytes;

    return (most < part_bytes ? most : part_bytes - 1) - 1;
}

int tern_values_put(const struct tern_values *v, const char *key, const char *text)
{
    char part_key[KEY_BYTES], part[1024];
    size_t most = most_in_part(v, sizeof part);
    int r, i = 0;

    do {
        size_t n = strnlen(text, most);

        snprintf(part_key, sizeof part_key, "%s.%d", key, i++);
        snprintf(part, sizeof part, "%.*s%c", (int)n, text, text[n] ? MORE_FOLLOWS : ENDS_HERE);
        r = v->protocol->put(part_key, part);
        text += n;
    } while (!r && *text);
    return r;
}

int tern_values_refuse(int pe, const char *text)
{
    tern_error("what PE %d has told the launcher makes no sense: \"%.60s\"", pe, text);
    return -EPROTO;
}

int tern_values_get(const struct tern_values *v, int pe, const char *key, char *text,
                    size_t text_bytes)
{
    char part_key[KEY_BYTES], part[1025], *end = text, last;
    int r, i = 0;

    do {
        size_t n;

        snprintf(part_key, sizeof part_key, "%s.%d", key, i++);
        r = v->protocol->get(pe, part_key, part, sizeof part);
        if (r)
            return r;
        n = strlen(part);
        last = n ? part[n - 1] : '\0';
        if ((last != MORE_FOLLOWS && last != ENDS_HERE) || n > (size_t)(text + text_bytes - end) ||
            (last == MORE_FOLLOWS && n == 1)) /* or empty parts could go on for ever */
            return tern_values_refuse(pe, part);
        memcpy(end, part, n - 1);
        end += n - 1;
        *end = '\0';
    } while (last == MORE_FOLLOWS);
    return 0;
}
