/* SPDX-License-Identifier: BSD-3-Clause */
/* One PE of each machine reads the cards of other machines for all of its machine's PEs. */
#include "boot/external/cards.h"

#include <errno.h>
#include <string.h>

#include "base/atomics.h"
#include "boot/exchange.h"
#include "boot/text.h"

#define CARD_KEY "tern-card"

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

#define CARD_TEXT_BYTES ((TERN_BOOT_CARD_BYTES * 4 + 2) / 3 + 1)

static int get_card(const struct tern_cards *c, int pe)
{
    char text[CARD_TEXT_BYTES];
    int r = tern_values_get(c->values, pe, CARD_KEY, text, sizeof text);

    if (!r && tern_text_unpack(text, tern_cards_at(c->machine, pe), TERN_BOOT_CARD_BYTES) != 0)
        r = tern_values_refuse(pe, text);
    return r;
}

static int get_cards_of_others(const struct tern_cards *c, int n_pes)
{
    int r = 0;

    for (int pe = 0; !r && pe < n_pes; pe++)
        if (!c->here[pe])
            r = get_card(c, pe);
    return r;
}

static int exchange_through_launcher(const struct tern_cards *c, const struct tern_boot *boot)
{
    char text[CARD_TEXT_BYTES];
    int r;

    tern_text_pack(tern_cards_at(c->machine, boot->pe), TERN_BOOT_CARD_BYTES, text);
    r = tern_values_put(c->values, CARD_KEY, text);
    if (!r)
        r = c->values->protocol->fence();
    if (!r && c->here)
        r = get_cards_of_others(c, boot->n_pes);
    if (c->here)
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
