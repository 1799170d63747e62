/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The alias mapping: a block of this PE's symmetric heap, mapped over memory of the program's own.
 */
#ifndef TERN_MEM_ALIAS_H
#define TERN_MEM_ALIAS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Memory that a program has allocated becomes symmetric at its own address: its content is copied
 * to a block of the heap, and the block's pages are mapped a second time, over that memory. So
 * accesses to the block by other PEs or the network access that memory. There is one alias at most.
 */
struct tern_alias {
    uintptr_t start; /* of the program's memory */
    size_t bytes;    /* 0: there is no alias */
    uintptr_t heap;  /* the block */
};

const struct tern_alias *tern_alias_own(void);

/* NULL if that memory can become an alias, otherwise the reason, in words that fit after "it". */
const char *tern_alias_refuses(const void *start, size_t bytes);

/* The heap's memory behind the alias. */
struct tern_alias_block {
    void *at;
    int fd; /* the object that it is in, or -1 */
    uint64_t offset;
    size_t zeros_from; /* from there on the block holds zeros */
};

/* 0, or -errno with nothing changed. No other thread may use the memory meanwhile. */
int tern_alias_open(void *start, size_t bytes, const struct tern_alias_block *block);

/* Ends the alias: the program's memory is its own again, with the current content. */
void tern_alias_close(void);

#endif
