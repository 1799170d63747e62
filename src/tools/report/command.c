/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which program was run, and when. */
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "tools/report/job.h"

/* As a shell would take it, if that needs no more than quotes around it. */
static void print_argument(const char *text, FILE *out)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    bool quoted = !*text || text[strspn(text, plain)];

    if (quoted)
        fputc('\'', out);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    if (quoted)
        fputc('\'', out);
}

static bool run_the_same(const struct tern_profile_head *one, const struct tern_profile_head *other)
{
    return one->command_bytes == other->command_bytes &&
           memcmp(one->command, other->command, one->command_bytes) == 0;
}

void tern_report_print_command(const struct tern_report *report, FILE *out)
{
    const struct tern_profile_head *head = &report->pes[0].head;
    char command[TERN_PROFILE_COMMAND + 1] = "";
    size_t bytes = head->command_bytes;
    const char *word = command, *slash;

    memcpy(command, head->command, bytes);
    slash = strrchr(command, '/');
    print_argument(slash ? slash + 1 : bytes ? command : "a program", out);
    while ((word += strlen(word) + 1) < command + bytes) {
        fputc(' ', out);
        print_argument(word, out);
    }
    if (head->command_bytes == TERN_PROFILE_COMMAND)
        fprintf(out, "...");
    for (uint32_t i = 1; i < report->n_read; i++)
        if (!run_the_same(head, &report->pes[i].head)) {
            fprintf(out, " and others");
            break;
        }
}

void tern_report_print_date(const struct tern_report *report, FILE *out)
{
    time_t date = (time_t)report->pes[0].head.date;
    struct tm parts;
    char text[64];

    if (localtime_r(&date, &parts) && strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts) > 0)
        fprintf(out, "%s", text);
}
