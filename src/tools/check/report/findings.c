/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints each finding once per source location, and counts repetitions. */
#include "tools/check/report/findings.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_buffer.h"
#include "base/tool_hooks.h"
#include "base/tool_protocol.h"
#include "tools/check/report/call_text.h"
#include "tools/check/report/dedup.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/source_location.h"

enum scope { CALL, JOB };

static const struct {
    enum scope scope;
    const char *title;
} table[] = {
#define FINDING(name, scope, title, does) {scope, title},
#include "tools/check/report/findings.def"
#undef FINDING
};

const char *tern_check_findings_title(enum tern_check_finding kind)
{
    return table[kind].title;
}

/* A mistake at one source location. */
struct tern_check_finding_record {
    struct tern_check_finding_record *next;
    enum tern_check_finding kind;
    const void *site; /* NULL: not made by a call */
    const char *routine;
    const char *other; /* source location of the second call, or NULL */
    unsigned long count;
    bool is_own; /* printed by this PE, or about to be */
    int entry;   /* of the list that PEs share, see report/dedup.h; -1: none */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tern_check_finding_record *findings, **last = &findings;
static unsigned long n_found;
static pid_t process; /* its forked children are no PEs */
static bool stops, looks_for_races, mode_is_right;

/* Sets the exit status, unless the program's own is not 0. Runs after all other handlers. */
static void set_status(int status, void *unused)
{
    if (status != 0 || getpid() != process || tern_check_findings_count() == 0)
        return;
    fflush(NULL);
    _exit(TERN_CHECK_STATUS);
}

void tern_check_findings_start(void)
{
    static bool is_started;
    const char *mode = getenv(TERN_CHECK_VARIABLE);

    if (is_started)
        return;
    is_started = true;
    mode_is_right = !mode || tern_check_mode_read(mode, &stops, &looks_for_races);
    process = getpid();
    on_exit(set_status, NULL);
}

/*
 * Not earlier: a wrapper program, which loads the tool as well, may have no use for the settings.
 */
void tern_check_findings_open(void)
{
    const char *mode = getenv(TERN_CHECK_VARIABLE);

    if (mode_is_right)
        return;
    tern_check_findings_print(
        "check: " TERN_CHECK_VARIABLE " is \"%s\", and has to be " TERN_CHECK_GO
        ", " TERN_CHECK_STOP ", " TERN_CHECK_RACES " or " TERN_CHECK_STOP "," TERN_CHECK_RACES "\n",
        mode);
    _exit(EXIT_FAILURE);
}

bool tern_check_findings_wants_races(void)
{
    return looks_for_races;
}

unsigned long tern_check_findings_count(void)
{
    unsigned long n;

    pthread_mutex_lock(&lock);
    n = n_found;
    pthread_mutex_unlock(&lock);
    return n;
}

/* ---- texts ---- */

struct text {
    char letters[MAX_MESSAGE];
};

static void add_list(struct text *text, const char *format, va_list list)
{
    tern_text_buffer_add_list(text->letters, sizeof text->letters, format, list);
}

static void __attribute__((format(printf, 2, 3))) add(struct text *text, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    add_list(text, format, list);
    va_end(list);
}

/* Whether to write again: after a signal, or once a full pipe has room. */
static bool can_retry(void)
{
    struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};

    if (errno == EAGAIN || errno == EWOULDBLOCK)
        poll(&output, 1, -1);
    else if (errno != EINTR)
        return false;
    return true;
}

/* Returns whether all of it was written. */
static bool print(const struct text *text)
{
    size_t done = 0, length = strlen(text->letters);

    while (done < length) {
        ssize_t n = write(STDERR_FILENO, text->letters + done, length - done);

        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || !can_retry())
            return false;
    }
    return true;
}

void tern_check_findings_print(const char *format, ...)
{
    struct text text = {""};
    va_list list;

    va_start(list, format);
    add_list(&text, format, list);
    va_end(list);
    print(&text);
}

static void add_name(struct text *text)
{
    if (tern_check_my_pe() >= 0)
        add(text, "check: PE %d of %d: ", tern_check_my_pe(), tern_check_n_pes());
    else
        add(text, "check: ");
}

void tern_check_findings_format_call(const struct tern_call *call, char *out, size_t size)
{
    out[0] = '\0';
    tern_check_call_text_add(call, out, size);
}

/* Adds the lines of the text, indented below the title. */
static void add_indented(struct text *text, const char *format, va_list list)
{
    struct text lines = {""};

    add_list(&lines, format, list);
    for (char *line = lines.letters, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        add(text, "    %.*s\n", (int)(end - line), line);
    }
}

static struct text left; /* leaks of this PE, a line each */

static bool has_leaks;

bool tern_check_findings_has_any(void)
{
    return has_leaks || tern_check_findings_count() > 0;
}

void tern_check_findings_add_leak(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    add_list(&left, format, list);
    va_end(list);
    add(&left, "\n");
    has_leaks = true;
}

static void __attribute__((format(printf, 2, 3)))
add_lines(struct text *text, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    add_indented(text, format, list);
    va_end(list);
}

static void print_left(void)
{
    struct text text = {""};

    if (!left.letters[0])
        return;
    add_name(&text);
    add(&text, "%s\n", table[FINDING_LEAK].title);
    add_lines(&text, "%s", left.letters);
    print(&text);
    left.letters[0] = '\0';
}

/* ---- findings ---- */

static bool is_same_place(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

/* The compiler may have made several calls of one, and one call site may reach several routines. */
static bool is_same(const struct tern_check_finding_record *finding,
                    const struct tern_check_finding_record *new)
{
    if (finding->kind != new->kind || !finding->site || !new->site ||
        !is_same_place(finding->other, new->other) || strcmp(finding->routine, new->routine) != 0)
        return false;
    return finding->site == new->site || strcmp(tern_check_source_location_text(finding->site),
                                                tern_check_source_location_text(new->site)) == 0;
}

/* The mistake if it was found before, or NULL. */
static struct tern_check_finding_record *find(const struct tern_check_finding_record *new)
{
    struct tern_check_finding_record *finding = findings;

    while (finding && !is_same(finding, new))
        finding = finding->next;
    return finding;
}

static void count(struct tern_check_finding_record *finding)
{
    finding->count++;
    n_found++;
    tern_check_dedup_count(finding->entry, finding->count);
}

/*
 * Records a mistake if it is new, and returns whether it is. *noted: the record, or NULL without
 * memory.
 */
static bool note(const struct tern_check_finding_record *new,
                 struct tern_check_finding_record **noted)
{
    struct tern_check_finding_record *finding = find(new);

    if (finding) {
        count(finding);
        return false;
    }
    n_found++;
    *noted = finding = malloc(sizeof *finding);
    if (!finding)
        return true;
    *finding = *new;
    *last = finding;
    last = &finding->next;
    return true;
}

/*
 * Whether this PE prints the finding, and not another PE that made the same mistake. Without memory
 * each PE prints its own.
 */
static bool has_to_print(const struct tern_call *call, struct tern_check_finding_record *finding,
                         const char *text)
{
    bool is_own;
    int entry;

    if (!call || !finding || finding->other || table[finding->kind].scope != CALL)
        return true;
    is_own = tern_check_dedup_claim(finding->kind, call, finding->site, text, &entry);
    pthread_mutex_lock(&lock);
    finding->is_own = is_own;
    finding->entry = entry;
    tern_check_dedup_count(entry, finding->count);
    pthread_mutex_unlock(&lock);
    return is_own;
}

static struct tern_check_finding_record finding_of(const struct tern_call *call,
                                                   enum tern_check_finding kind, const char *other)
{
    return (struct tern_check_finding_record){
        .kind = kind,
        .site = call ? tern_check_source_location_site(call) : NULL,
        .routine = call ? tern_check_call_text_routine(call) : NULL,
        .other = other,
        .count = 1,
        .is_own = true,
        .entry = -1,
    };
}

void tern_check_findings_stop(void)
{
    if (tern_check_my_pe() >= 0 && tern_has("shmem_global_exit"))
        TERN_REAL(shmem_global_exit)(TERN_CHECK_STATUS);
    _exit(TERN_CHECK_STATUS);
}

/* Returns whether the message was written. */
static bool print_finding(const struct tern_call *call, const struct tern_check_finding_record *new,
                          const struct text *lines)
{
    struct text text = {""};

    add_name(&text);
    add(&text, "%s\n", table[new->kind].title);
    if (call) {
        add(&text, "    ");
        tern_check_call_text_add(call, text.letters, sizeof text.letters);
        add(&text, " at %s\n", tern_check_source_location_text(new->site));
    }
    add(&text, "%s", lines->letters);
    return print(&text);
}

/* The library need not explain once more what is wrong with the call that this thread is in. */
static __thread bool has_reported __attribute__((tls_model("initial-exec")));

bool tern_tool_has_reported(void)
{
    return has_reported;
}

void tern_check_findings_begin_call(void)
{
    has_reported = false;
}

static void report(const struct tern_call *call, const struct tern_check_finding_record *new,
                   const char *format, va_list list)
{
    struct text lines = {""};
    struct tern_check_finding_record *noted;
    bool is_new;

    has_reported |= call && (table[new->kind].scope == CALL || new->kind == FINDING_OUTSIDE);
    pthread_mutex_lock(&lock);
    is_new = note(new, &noted);
    pthread_mutex_unlock(&lock);
    if (!is_new)
        return;
    add_indented(&lines, format, list);
    if (has_to_print(call, noted, lines.letters)) {
        bool is_printed = print_finding(call, new, &lines);

        if (noted)
            tern_check_dedup_finish(noted->entry, is_printed);
    }
    if (stops)
        tern_check_findings_stop();
}

void tern_check_findings_report(const struct tern_call *call, enum tern_check_finding kind,
                                const char *format, ...)
{
    struct tern_check_finding_record new = finding_of(call, kind, NULL);
    va_list list;

    va_start(list, format);
    report(call, &new, format, list);
    va_end(list);
}

struct tern_check_finding_record *tern_check_findings_find_pair(const struct tern_call *call,
                                                                enum tern_check_finding kind,
                                                                const char *other)
{
    const struct tern_check_finding_record new = finding_of(call, kind, other);
    struct tern_check_finding_record *found;

    pthread_mutex_lock(&lock);
    found = find(&new);
    pthread_mutex_unlock(&lock);
    return found;
}

void tern_check_findings_count_again(struct tern_check_finding_record *record)
{
    pthread_mutex_lock(&lock);
    count(record);
    pthread_mutex_unlock(&lock);
}

void tern_check_findings_report_pair(const struct tern_call *call, enum tern_check_finding kind,
                                     const char *other, const char *format, ...)
{
    struct tern_check_finding_record new = finding_of(call, kind, other);
    va_list list;

    va_start(list, format);
    report(call, &new, format, list);
    va_end(list);
}

/* A line for each mistake that was made more than once, except those that another PE printed. */
static void add_repeated(struct text *text)
{
    bool is_first = true;

    for (struct tern_check_finding_record *finding = findings; finding; finding = finding->next) {
        if (!finding->is_own || finding->count == 1)
            continue;
        add(text, is_first ? "; of these:\n" : "");
        add(text, "    %lu times %s: %s at %s\n", finding->count, table[finding->kind].title,
            finding->routine, tern_check_source_location_text(finding->site));
        is_first = false;
    }
    add(text, is_first ? "\n" : "");
}

void tern_check_findings_summarize(void)
{
    struct text text = {""};
    bool any = false;

    print_left();
    pthread_mutex_lock(&lock);
    for (struct tern_check_finding_record *finding = findings; finding; finding = finding->next)
        any |= finding->is_own;
    add_name(&text);
    add(&text, "%lu mistake%s in all", n_found, n_found == 1 ? "" : "s");
    add_repeated(&text);
    pthread_mutex_unlock(&lock);
    if (any)
        print(&text);
}

void tern_check_findings_summarize_others(void)
{
    const struct tern_check_dedup_entry *entry;
    struct text text = {""};
    char pes[128];
    int number = -1;
    unsigned long n;

    add_name(&text);
    add(&text, "other PEs made the same mistakes\n");
    while ((entry = tern_check_dedup_next(&number, pes, sizeof pes, &n)))
        add(&text, "    %lu time%s on %s: %s: %s at %s\n", n, n == 1 ? "" : "s", pes,
            table[entry->kind].title, tern_routines[entry->routine].name,
            tern_check_portable_location_text(&entry->location));
    if (strstr(text.letters, "\n    "))
        print(&text);
}
