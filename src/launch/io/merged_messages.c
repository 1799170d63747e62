/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares messages of PEs, and keeps for each text the PEs that printed it. */
#include "launch/io/merged_messages.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pe_list.h"

/* How long a message is held. PEs that fail for one reason do so within milliseconds. */
#define HOLD_NS UINT64_C(50000000)

#define ADDRESS_DIGITS 8

#define BEFORE_PE "tern: PE "

struct range {
    uint32_t first, last;
};

struct tern_merged_message {
    char *text; /* the line after the PE's number, with its newline */
    size_t bytes;
    bool addresses_differ; /* the PEs' texts are equal but for addresses */
    struct range *ranges;  /* of PEs, ascending, with gaps in between */
    size_t n_ranges;
    uint64_t due;
};

/* Returns the text after the PE's number, or NULL if the line is not a message of this PE. */
static const char *find_text(uint32_t pe, const char *line, size_t n)
{
    char start[sizeof BEFORE_PE + 16];
    size_t length;

    if (n < sizeof BEFORE_PE || n > TERN_MERGED_MESSAGES_MAX_LINE ||
        memcmp(line, BEFORE_PE, sizeof BEFORE_PE - 1) != 0)
        return NULL;
    length = (size_t)snprintf(start, sizeof start, BEFORE_PE "%u", pe);
    if (n < length + 4 || memcmp(line, start, length) != 0)
        return NULL;
    line += length;
    return memcmp(line, ": ", 2) == 0 || memcmp(line, " of ", 4) == 0 ? line : NULL;
}

bool tern_merged_messages_recognize(uint32_t pe, const char *line, size_t n)
{
    return find_text(pe, line, n) != NULL;
}

/* ---- texts ---- */

/* Returns the position after the hexadecimal digits that follow "0x". */
static const char *skip_address(const char *at, const char *end)
{
    for (at += 2; at < end && isxdigit((unsigned char)*at);)
        at++;
    return at;
}

/* Only long hexadecimal numbers are addresses; short ones are values, which have to be equal. */
static bool is_address(const char *at, const char *end)
{
    return end - at > 2 && at[0] == '0' && at[1] == 'x' &&
           skip_address(at, end) - at >= 2 + ADDRESS_DIGITS;
}

/* Compares texts, except for addresses: an object has another address in each process. */
static bool is_same(const struct tern_merged_message *message, const char *text, size_t n)
{
    const char *a = message->text, *end_a = a + message->bytes, *b = text, *end_b = b + n;

    while (a < end_a && b < end_b) {
        if (is_address(a, end_a) && is_address(b, end_b)) {
            a = skip_address(a, end_a);
            b = skip_address(b, end_b);
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return a == end_a && b == end_b;
}

/* ---- sets of PEs ---- */

static bool add_pe(struct tern_merged_message *message, uint32_t pe)
{
    struct range *ranges = message->ranges;
    size_t i = message->n_ranges;

    while (i > 0 && ranges[i - 1].first > pe)
        i--;
    if (i > 0 && ranges[i - 1].last + 1 == pe) {
        ranges[i - 1].last = pe;
        if (i < message->n_ranges && ranges[i].first == pe + 1) { /* a gap has closed */
            ranges[i - 1].last = ranges[i].last;
            memmove(ranges + i, ranges + i + 1, (--message->n_ranges - i) * sizeof *ranges);
        }
        return true;
    }
    if (i < message->n_ranges && ranges[i].first == pe + 1) {
        ranges[i].first = pe;
        return true;
    }
    ranges = reallocarray(ranges, message->n_ranges + 1, sizeof *ranges);
    if (!ranges)
        return false;
    message->ranges = ranges;
    memmove(ranges + i + 1, ranges + i, (message->n_ranges++ - i) * sizeof *ranges);
    ranges[i] = (struct range){pe, pe};
    return true;
}

/* ---- messages ---- */

static void clear(struct tern_merged_message *message)
{
    free(message->text);
    free(message->ranges);
}

/* Adds a message that has no PEs yet. Returns NULL if there is no room. */
static struct tern_merged_message *add_message(struct tern_merged_messages *merged,
                                               const char *text, size_t n, uint64_t now)
{
    struct tern_merged_message *message;

    if (!merged->messages)
        merged->messages = calloc(TERN_MERGED_MESSAGES_MAX, sizeof *merged->messages);
    if (!merged->messages || merged->n == TERN_MERGED_MESSAGES_MAX)
        return NULL;
    message = &merged->messages[merged->n];
    *message = (struct tern_merged_message){.text = malloc(n), .bytes = n, .due = now + HOLD_NS};
    if (!message->text)
        return NULL;
    memcpy(message->text, text, n);
    merged->n++;
    return message;
}

bool tern_merged_messages_hold(struct tern_merged_messages *merged, uint32_t pe, uint64_t *last,
                               const char *line, size_t n, uint64_t now)
{
    const char *text = find_text(pe, line, n);
    size_t i = *last > merged->n_gone ? (size_t)(*last - merged->n_gone) : 0;
    struct tern_merged_message *message;

    n -= (size_t)(text - line);
    while (i < merged->n && !is_same(&merged->messages[i], text, n))
        i++;
    message = i < merged->n ? &merged->messages[i] : add_message(merged, text, n, now);
    if (!message)
        return false;
    if (!add_pe(message, pe)) {
        if (message->n_ranges == 0) {
            clear(message);
            merged->n--;
        }
        return false;
    }
    if (message->bytes != n || memcmp(message->text, text, n) != 0)
        message->addresses_differ = true;
    *last = merged->n_gone + i + 1;
    return true;
}

uint64_t tern_merged_messages_due(const struct tern_merged_messages *merged)
{
    return merged->n > 0 ? merged->messages[0].due : UINT64_MAX;
}

/* Copies the text. Addresses that differ among the PEs become "0x...". */
static size_t copy_text(const struct tern_merged_message *message, char *to)
{
    const char *at = message->text, *end = at + message->bytes;
    char *start = to;

    while (at < end) {
        if (message->addresses_differ && is_address(at, end)) {
            memcpy(to, "0x...", 5);
            to += 5;
            at = skip_address(at, end);
        } else {
            *to++ = *at++;
        }
    }
    return (size_t)(to - start);
}

size_t tern_merged_messages_take(struct tern_merged_messages *merged, char *line)
{
    struct tern_merged_message *message = &merged->messages[0];
    bool several = message->n_ranges > 1 || message->ranges[0].last > message->ranges[0].first;
    struct tern_pe_list pes = {.n_ranges = 0};
    size_t n;

    for (size_t i = 0; i < message->n_ranges; i++)
        tern_pe_list_add(&pes, message->ranges[i].first, message->ranges[i].last);
    n = (size_t)sprintf(line, "tern: PE%s %s", several ? "s" : "", pes.text);
    n += copy_text(message, line + n);
    clear(message);
    memmove(message, message + 1, --merged->n * sizeof *message);
    merged->n_gone++;
    return n;
}

void tern_merged_messages_free(struct tern_merged_messages *merged)
{
    for (size_t i = 0; i < merged->n; i++)
        clear(&merged->messages[i]);
    free(merged->messages);
}
