/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait for the PEs' cards, in memory that all PEs of a machine share. */
#ifndef TERN_BOOT_EXCHANGE_H
#define TERN_BOOT_EXCHANGE_H

#include <stdint.h>

#include "boot/job_area.h"

struct tern_exchange {
    const uint32_t *word; /* counts up; the wait ends when it is at least `enough` */
    uint32_t enough;
    const struct tern_boot_card *cards; /* of the job, for the message: zeros are missing */
    int n_pes;
    const struct tern_job_area *area; /* of this PE's node, where PEs that have left are noted */
    unsigned within_s;                /* 0: PEs may take any time to get here */
};

/* 0, or -errno after a message: a PE has left, or is late. */
int tern_exchange_await(const struct tern_exchange *exchange);

#endif
