/* SPDX-License-Identifier: BSD-3-Clause */
/* The hello record, which each PE publishes through the launcher when it joins the job. */
#ifndef TERN_BOOT_EXTERNAL_HELLO_H
#define TERN_BOOT_EXTERNAL_HELLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/boot.h"
#include "boot/nodes.h"

/* Grows with every change of the record, or of the rendezvous of a machine's PEs. */
#define TERN_HELLO_PROTOCOL 4

#define TERN_HELLO_BYTES 192

struct tern_hello {
    int protocol;
    char version[32]; /* of Tern; the rest is filled in only if `protocol` is TERN_HELLO_PROTOCOL */
    struct tern_nodes_pe place;
    uint64_t system;       /* equal for PEs under one running kernel, whose cores they share */
    uint64_t nonce;        /* random: proves to the machine's server that a PE is of this job */
    uint64_t heap, memory; /* see struct tern_boot_request */
};

void tern_hello_write(const struct tern_hello *hello, char text[TERN_HELLO_BYTES]);

/* 0, or -EPROTO. */
int tern_hello_read(const char *text, struct tern_hello *hello);

/*
 * Whether all PEs can form one job: 0; or -EPROTO or -EINVAL, with a text that names PE `me` and
 * one that differs from it.
 */
int tern_hello_compare(const struct tern_hello *hellos, int n, int me, char *text,
                       size_t text_bytes);

/* Whether two PEs are on one machine. */
static inline bool tern_hello_are_near(const struct tern_hello *hellos, int a, int b)
{
    return hellos[a].place.machine == hellos[b].place.machine;
}

/* By PE, the first PE of its machine; NULL if there is no memory. */
int *tern_hello_firsts(const struct tern_hello *hellos, int n);

/* Bytes for each PE's heap by default: the least share on any machine. */
uint64_t tern_hello_share(const struct tern_hello *hellos, int n);

#endif
