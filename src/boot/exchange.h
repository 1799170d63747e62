/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for the cards of PEs, in memory that all PEs of a machine share. */
#ifndef TERN_BOOT_EXCHANGE_H
#define TERN_BOOT_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/job_area.h"

struct tern_exchange {
    const uint32_t *word; /* counts up; the wait ends when it has reached `enough` */
    uint32_t enough;
    const struct tern_boot_card *cards; /* of all PEs of the job: all 0 until published */
    int n_pes;
    const struct tern_job_area
        *area;         /* of this PE's node, where `departed` counts PEs that have ended */
    unsigned within_s; /* 0: no limit on the wait */
};

/* Whether no byte of the card has been written. The PE may be writing it now. */
bool tern_exchange_is_missing(const struct tern_boot_card *card);

/*
 * What a PE calls once its cards can be read: the first adds it to a word that counts PEs, of which
 * so many are enough; the other sets a word. Both wake those that wait for the word.
 */
void tern_exchange_add(uint32_t *word, uint32_t enough);
void tern_exchange_set(uint32_t *word, uint32_t value);

/* 0; -ECONNRESET after a message: a PE has ended; -ETIMEDOUT after a message. */
int tern_exchange_await(const struct tern_exchange *exchange);

#endif
