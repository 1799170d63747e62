/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats the program's command line and its start time. */
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "tools/report/job.h"

/* Appends an argument, in quotes if a shell needs them. Returns the new end. */
static char *add_argument(char *end, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    bool quoted = !*text || text[strspn(text, plain)];

    if (quoted)
        *end++ = '\'';
    for (; *text; text++)
        *end++ = (unsigned char)*text < ' ' ? ' ' : *text;
    if (quoted)
        *end++ = '\'';
    return end;
}

static bool run_the_same(const struct tern_profile_head *one, const struct tern_profile_head *other)
{
    return one->command_bytes == other->command_bytes &&
           memcmp(one->command, other->command, one->command_bytes) == 0;
}

void tern_report_command(const struct tern_report *report, char command[TERN_REPORT_COMMAND])
{
    const struct tern_profile_head *head = &report->pes[0].head;
    char words[TERN_PROFILE_COMMAND + 1] = "";
    size_t bytes = head->command_bytes;
    const char *word = words, *slash;
    char *end;

    memcpy(words, head->command, bytes);
    slash = strrchr(words, '/');
    end = add_argument(command, slash ? slash + 1 : bytes ? words : "a program");
    while ((word += strlen(word) + 1) < words + bytes) {
        *end++ = ' ';
        end = add_argument(end, word);
    }
    end = stpcpy(end, bytes == TERN_PROFILE_COMMAND ? "..." : "");
    for (uint32_t i = 1; i < report->n_read; i++)
        if (!run_the_same(head, &report->pes[i].head)) {
            strcpy(end, " and others");
            break;
        }
}

void tern_report_date(const struct tern_report *report, char date[TERN_REPORT_DATE])
{
    time_t when = (time_t)report->pes[0].head.date;
    struct tm parts;

    if (!localtime_r(&when, &parts) ||
        strftime(date, TERN_REPORT_DATE, "%Y-%m-%d %H:%M", &parts) == 0)
        date[0] = 0;
}
