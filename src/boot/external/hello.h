/* SPDX-License-Identifier: BSD-3-Clause */
/* The hello record, which each PE publishes through the launcher when it joins the job. */
#ifndef TERN_BOOT_EXTERNAL_HELLO_H
#define TERN_BOOT_EXTERNAL_HELLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/boot.h"
#include "boot/nodes.h"

/* Raised with every change of the record's text or of what PEs of a machine do with each other. */
#define TERN_HELLO_PROTOCOL 3

#define TERN_HELLO_BYTES 192

struct tern_hello {
    int protocol;
    char version[32]; /* of Tern; what follows is filled in if the protocol is ours */
    struct tern_nodes_pe place;
    uint64_t system;       /* equal for PEs under one running kernel, whose cores they share */
    uint64_t nonce;        /* by which PEs of a machine know that they are of one job */
    uint64_t heap, memory; /* see struct tern_boot_request */
};

void tern_hello_write(const struct tern_hello *hello, char text[TERN_HELLO_BYTES]);

/* 0, or -EPROTO. */
int tern_hello_read(const char *text, struct tern_hello *hello);

/*
 * Whether all PEs can be one job: 0, or -EPROTO or -EINVAL with a text that names two that differ.
 * me: the PE that looks.
 */
int tern_hello_compare(const struct tern_hello *hellos, int n, int me, char *text,
                       size_t text_bytes);

/* Whether two PEs are on one machine. */
static inline bool tern_hello_are_near(const struct tern_hello *hellos, int a, int b)
{
    return hellos[a].place.machine == hellos[b].place.machine;
}

/* What each PE may use for its heap by default: the least share on any machine. */
uint64_t tern_hello_share(const struct tern_hello *hellos, int n);

#endif
