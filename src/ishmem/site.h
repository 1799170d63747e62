/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the program makes a call that another thread carries out: on a queue, or aside of a kernel.
 * `oshrun --check` asks for it. ishmemx-sycl.h declares the first two as well.
 */
#ifndef TERN_ISHMEM_SITE_H
#define TERN_ISHMEM_SITE_H

/* The address that the caller continues at. */
const void *ishmemi_here(void);

/* Sets the site of the calling thread's calls; NULL: they are made where they stand. Returns the
 * site before. */
const void *ishmemi_set_site(const void *site);

/* The calling thread's site, or NULL. */
const void *ishmemi_site(void);

#endif
