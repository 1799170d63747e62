/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first PE of each machine publishes the cards of all its machine's PEs, and one reads those of
 * the other machines: each value takes the launcher a round trip.
 */
#include "boot/external/cards.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "base/log.h"
#include "boot/exchange.h"
#include "boot/external/card_bytes.h"
#include "boot/text.h"

#define CARDS_KEY "tern-cards"

/* All PEs have passed the rendezvous, but may still be touching their heaps in advance. */
#define EXCHANGE_WITHIN_S 300

struct tern_boot_card *tern_cards_at(struct tern_machine_area *machine, int pe)
{
    char *cards = (char *)machine + tern_machine_cards_offset(machine->n_nodes);

    return (struct tern_boot_card *)cards + pe;
}

static int await(const struct tern_cards *c, const struct tern_boot *boot, const uint32_t *word,
                 uint32_t enough)
{
    const struct tern_exchange exchange = {
        .word = word,
        .enough = enough,
        .cards = tern_cards_at(c->machine, 0),
        .n_pes = boot->n_pes,
        .area = boot->area,
        .within_s = EXCHANGE_WITHIN_S,
    };

    return tern_exchange_await(&exchange);
}

enum { CARDS_MISSING, CARDS_COMPLETE, CARDS_FAILED };

/* The cards of a machine, in the order of its PEs, as bytes and as text. */
struct packed {
    unsigned char *bytes;
    char *text;
    size_t text_bytes;
};

static int open_packed(struct packed *packed, uint32_t n_cards)
{
    size_t bytes = (size_t)n_cards * TERN_CARD_BYTES_MOST;

    packed->text_bytes = tern_text_packed(bytes) + 1;
    packed->bytes = malloc(bytes);
    packed->text = malloc(packed->text_bytes);
    if (packed->bytes && packed->text)
        return 0;
    tern_error("there is no memory for the network addresses of a machine's %u PEs", n_cards);
    return -ENOMEM;
}

static void close_packed(struct packed *packed)
{
    free(packed->bytes);
    free(packed->text);
}

/* The machine's memory has the cards of its own PEs only, until its server has read the others. */
static void pack(const struct tern_cards *c, int n_pes, struct packed *packed)
{
    size_t bytes = 0;

    for (int pe = 0; pe < n_pes; pe++) {
        const struct tern_boot_card *card = tern_cards_at(c->machine, pe);

        if (!tern_exchange_is_missing(card))
            bytes += tern_card_bytes_shorten(card, packed->bytes + bytes);
    }
    tern_text_pack(packed->bytes, bytes, packed->text);
}

static int publish(const struct tern_cards *c, const struct tern_boot *boot)
{
    struct packed packed;
    int r = await(c, boot, &c->machine->exchanged, c->machine->n_here);

    if (r)
        return r;
    r = open_packed(&packed, c->machine->n_here);
    if (!r) {
        pack(c, boot->n_pes, &packed);
        r = tern_values_put(c->values, CARDS_KEY, packed.text);
    }
    close_packed(&packed);
    return r;
}

/* Of the machine of that first PE. */
static int unpack(const struct tern_cards *c, int n_pes, int first, struct packed *packed)
{
    size_t n = strlen(packed->text) * 3 / 4, at = 0;

    if (tern_text_unpack(packed->text, packed->bytes, n) != 0)
        return tern_values_refuse(first, packed->text);
    for (int pe = first; pe < n_pes; pe++) {
        size_t bytes;

        if (c->firsts[pe] != first)
            continue;
        bytes = tern_card_bytes_restore(packed->bytes + at, n - at, tern_cards_at(c->machine, pe));
        if (!bytes)
            return tern_values_refuse(first, packed->text);
        at += bytes;
    }
    return at == n ? 0 : tern_values_refuse(first, packed->text);
}

static uint32_t count_of_machine(const struct tern_cards *c, int n_pes, int first)
{
    uint32_t n = 0;

    for (int pe = first; pe < n_pes; pe++)
        n += c->firsts[pe] == first;
    return n;
}

static int get_cards(const struct tern_cards *c, int n_pes, int first)
{
    struct packed packed;
    int r = open_packed(&packed, count_of_machine(c, n_pes, first));

    if (!r)
        r = tern_values_get(c->values, first, CARDS_KEY, packed.text, packed.text_bytes);
    if (!r)
        r = unpack(c, n_pes, first, &packed);
    close_packed(&packed);
    return r;
}

static int get_cards_of_others(const struct tern_cards *c, int n_pes)
{
    int r = 0;

    for (int pe = 0; !r && pe < n_pes; pe++)
        if (c->firsts[pe] == pe && pe != (int)c->machine->first_here)
            r = get_cards(c, n_pes, pe);
    return r;
}

static int exchange_through_launcher(const struct tern_cards *c, const struct tern_boot *boot)
{
    int r = boot->pe == (int)c->machine->first_here ? publish(c, boot) : 0;

    if (!r)
        r = c->values->protocol->fence();
    if (!r && c->firsts)
        r = get_cards_of_others(c, boot->n_pes);
    if (c->firsts)
        tern_exchange_set(&c->machine->complete, r ? CARDS_FAILED : CARDS_COMPLETE);
    return r;
}

int tern_cards_exchange(const struct tern_cards *c, const struct tern_boot *boot, const void *card,
                        size_t bytes)
{
    struct tern_machine_area *m = c->machine;
    int r;

    memcpy(tern_cards_at(c->machine, boot->pe), card, bytes);
    tern_exchange_add(&m->exchanged, m->n_here);
    if (m->n_here < m->n_pes) {
        r = exchange_through_launcher(c, boot);
        if (r)
            return r;
        r = await(c, boot, &m->complete, CARDS_COMPLETE);
        if (r)
            return r;
        if (tern_load_relaxed(&m->complete) == CARDS_FAILED)
            return -EPROTO; /* the PE that read them has printed why */
    }
    return await(c, boot, &m->exchanged, m->n_here);
}
