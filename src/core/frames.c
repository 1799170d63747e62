/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unwinds the stack, and has addr2line name the frames. snprintf() is used with strings and
 * integers only, for which glibc takes no lock and allocates nothing.
 */
#include "core/frames.h"

#include <execinfo.h>
#include <string.h>

#include "base/addr2line.h"
#include "base/child_output.h"
#include "base/compiler.h"
#include "base/hash.h"
#include "base/text_buffer.h"

#define ADDR2LINE_SECONDS 10

/* Addresses after the options of addr2line, and its answers. */
static TERN_PE_LOCAL char numbers[TERN_FRAMES_MOST][24];
static TERN_PE_LOCAL char answers[32768];

void tern_frames_prepare(void)
{
    void *frame;

    backtrace(&frame, 1); /* loads the unwinder, by dlopen() */
}

/* ---- collecting ---- */

/* The library, or a tool or another interface on top of it. */
static bool is_own(const char *file)
{
    return strncmp(tern_code_address_base_name(file), "libtern", 7) == 0;
}

static void keep_from(struct tern_frames *frames, int first)
{
    frames->n -= first;
    memmove(frames->code, frames->code + first, (size_t)frames->n * sizeof frames->code[0]);
}

static void unwind(struct tern_frames *frames)
{
    void *stack[TERN_FRAMES_MOST];

    frames->n = backtrace(stack, TERN_FRAMES_MOST);
    for (int i = 0; i < frames->n; i++)
        frames->code[i].address = (uintptr_t)stack[i];
}

/* Drops the frames of the signal handler. The stack may not lead to the failed instruction. */
void tern_frames_collect_from(struct tern_frames *frames, uintptr_t instruction)
{
    int i = 0;

    unwind(frames);
    while (i < frames->n && frames->code[i].address != instruction)
        i++;
    if (i < frames->n) {
        keep_from(frames, i);
    } else {
        frames->n = 1;
        frames->code[0].address = instruction;
    }
    frames->first_is_exact = true;
    tern_code_address_find(frames->code, frames->n);
}

/* In a static program the library is part of the program's file, so all frames are kept. */
void tern_frames_collect_callers(struct tern_frames *frames)
{
    int i = 0;

    unwind(frames);
    tern_code_address_find(frames->code, frames->n);
    while (i < frames->n && is_own(frames->code[i].file))
        i++;
    keep_from(frames, i < frames->n ? i : 0);
    frames->first_is_exact = false;
}

uint64_t tern_frames_hash(const struct tern_frames *frames)
{
    uint64_t hash = TERN_HASH_START;

    for (int i = 0; i < frames->n; i++) {
        hash = tern_hash_add_bytes(hash, frames->code[i].file, strlen(frames->code[i].file));
        hash = tern_hash_add(hash, frames->code[i].file[0] ? frames->code[i].in_file : 1);
    }
    return hash;
}

/* ---- printing ---- */

struct printer {
    char *text;
    size_t bytes;
    int n;          /* frames so far */
    char last[512]; /* what is in the last of them, and how many have the same */
    int repeated;
    bool ends; /* main, or a thread's first function, has been printed */
};

/* Ends the line of the last frame. */
static void end_line(struct printer *to)
{
    if (to->repeated > 1)
        tern_text_buffer_add(to->text, to->bytes, " (%d frames)", to->repeated);
    if (to->repeated > 0)
        tern_text_buffer_add(to->text, to->bytes, "\n");
    to->repeated = 0;
}

static void TERN_PRINTF(2, 3) print_frame(struct printer *to, const char *format, ...)
{
    char line[sizeof to->last];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!to->repeated || strcmp(line, to->last) != 0) {
        end_line(to);
        tern_text_buffer_add(to->text, to->bytes, "    #%-2d %s", to->n, line);
        memcpy(to->last, line, sizeof line);
    }
    to->n++;
    to->repeated++;
}

static void print_address(struct printer *to, const struct tern_code_address *code)
{
    if (code->file[0])
        print_frame(to, "%s+0x%llx", tern_code_address_base_name(code->file),
                    (unsigned long long)code->in_file);
    else
        print_frame(to, "address 0x%llx, where no file is mapped",
                    (unsigned long long)code->address);
}

/* The functions of libc that call main and the first functions of threads. */
static bool is_start(const char *function)
{
    static const char *const starts[] = {"start_thread", "clone3", "clone",    "__clone",
                                         "thread_start", "_start", "__clone3", "__libc_start_main"};

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strcmp(function, starts[i]) == 0)
            return true;
    return false;
}

/* Cuts the line at its end. Returns the next line, or NULL after the last one. */
static char *cut_line(char *line)
{
    char *newline = strchr(line, '\n');

    if (newline)
        *newline++ = '\0';
    return newline;
}

/* Prints a function and its line, as addr2line writes them. */
static void print_function(struct printer *to, const struct tern_code_address *code,
                           const char *function, char *line)
{
    if (tern_addr2line_is_in_header(line) || to->ends)
        return;
    if (is_start(function)) {
        to->ends = true;
        return;
    }
    line[strcspn(line, " ")] = '\0'; /* "(discriminator 2)" */
    if (function[0] == '?') {
        print_address(to, code);
        return;
    }
    if (line[0] == '?' || strstr(line, ":?"))
        print_frame(to, "%s in %s", function, tern_code_address_base_name(code->file));
    else
        print_frame(to, "%s at %s", function, line);
    to->ends = strcmp(function, "main") == 0;
}

/*
 * Prints the answer of addr2line for n frames: for each of them a line with its address, then two
 * lines for each function: its name, and file and line. Further functions are those that the
 * compiler has inlined the first one into. Returns how many frames were printed.
 */
static int print_answer(struct printer *to, const struct tern_code_address *code, int n,
                        char *answer)
{
    char *line = answer;
    int printed = 0;

    while (line && *line) {
        char *next = cut_line(line);

        if (strncmp(line, "0x", 2) == 0) {
            if (printed++ == n)
                return n;
        } else if (next && *next && printed > 0) {
            char *function = line;

            line = next;
            next = cut_line(line);
            print_function(to, &code[printed - 1], function, line);
        }
        line = next;
    }
    return printed;
}

/* How many frames from this one on belong to the same file. */
static int count_in_file(const struct tern_frames *frames, int first)
{
    int n = 1;

    while (first + n < frames->n &&
           strcmp(frames->code[first + n].file, frames->code[first].file) == 0)
        n++;
    return n;
}

/* Prints n frames of one file. */
static void print_file(struct printer *to, const struct tern_frames *frames, int first, int n,
                       const char *addr2line)
{
    static char program[] = "addr2line", options[] = "-afiCs", of_file[] = "-e";
    const struct tern_code_address *code = &frames->code[first];
    char *argv[TERN_FRAMES_MOST + 5] = {program, options, of_file, (char *)code->file};
    int printed = 0;

    for (int i = 0; i < n; i++) {
        bool is_exact = first + i == 0 && frames->first_is_exact;

        snprintf(numbers[i], sizeof numbers[i], "0x%llx",
                 (unsigned long long)(code[i].in_file - !is_exact)); /* of the call itself */
        argv[4 + i] = numbers[i];
    }
    if (code->file[0] &&
        tern_child_output_read(addr2line, argv, ADDR2LINE_SECONDS, answers, sizeof answers) > 0)
        printed = print_answer(to, code, n, answers);
    for (; printed < n && !to->ends; printed++)
        print_address(to, &code[printed]);
}

void tern_frames_print(const struct tern_frames *frames, const char *addr2line, char *text,
                       size_t bytes)
{
    struct printer to = {.text = text, .bytes = bytes};

    for (int i = 0, n; i < frames->n && !to.ends; i += n) {
        n = count_in_file(frames, i);
        print_file(&to, frames, i, n, addr2line);
    }
    end_line(&to);
}
