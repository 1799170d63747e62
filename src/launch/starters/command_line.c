/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the words of a command line, and quotes them for the user. */
#include "launch/starters/command_line.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int tern_command_line_open(struct tern_command_line *line)
{
    *line = (struct tern_command_line){.words = NULL};
    line->stream = open_memstream(&line->text, &line->bytes);
    return line->stream ? 0 : -ENOMEM;
}

void tern_command_line_add(struct tern_command_line *line, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vfprintf(line->stream, fmt, args);
    va_end(args);
    fputc('\0', line->stream);
}

void tern_command_line_add_program(struct tern_command_line *line,
                                   const struct tern_launch_program *program, bool several)
{
    if (several && (program->directory || program->n_settings > 0)) {
        tern_command_line_add(line, "env");
        if (program->directory)
            tern_command_line_add(line, "--chdir=%s", program->directory);
        for (size_t i = 0; i < program->n_settings; i++)
            tern_command_line_add(line, "%s", program->settings[i]);
    }
    tern_command_line_add(line, "%s", program->path ? program->path : program->argv[0]);
    for (char **argument = program->argv + 1; *argument; argument++)
        tern_command_line_add(line, "%s", *argument);
}

int tern_command_line_close(struct tern_command_line *line)
{
    size_t n = 0, i = 0;
    int r = fclose(line->stream);

    line->stream = NULL;
    if (r != 0)
        return -ENOMEM;
    for (size_t at = 0; at < line->bytes; at++)
        n += line->text[at] == '\0';
    line->words = calloc(n + 1, sizeof *line->words);
    if (!line->words)
        return -ENOMEM;
    for (size_t at = 0; i < n; at += strlen(line->text + at) + 1)
        line->words[i++] = line->text + at;
    return 0;
}

static void quote_word(FILE *out, const char *word)
{
    if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789@%+=:,./_-")]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

char *tern_command_line_quote(const struct tern_command_line *line)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    for (size_t i = 0; line->words[i]; i++) {
        if (i > 0)
            fputc(' ', out);
        quote_word(out, line->words[i]);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void tern_command_line_free(struct tern_command_line *line)
{
    if (line->stream)
        fclose(line->stream);
    free(line->words);
    free(line->text);
}
