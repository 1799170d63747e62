/* SPDX-License-Identifier: BSD-3-Clause */
/* The exchange of address cards, in the machine's memory and through the launcher. */
#ifndef TERN_BOOT_EXTERNAL_CARDS_H
#define TERN_BOOT_EXTERNAL_CARDS_H

#include "boot/boot.h"
#include "boot/external/rendezvous.h"
#include "boot/external/values.h"

struct tern_cards {
    const struct tern_values *values;
    struct tern_machine_area *machine; /* has room for the cards of all PEs */
    int *firsts; /* on the server of a machine: see tern_hello_firsts(); elsewhere NULL */
};

/* See tern_boot_exchange(). */
int tern_cards_exchange(const struct tern_cards *c, const struct tern_boot *boot, const void *card,
                        size_t bytes);

/* The place of a PE's card. */
struct tern_boot_card *tern_cards_at(struct tern_machine_area *machine, int pe);

#endif
