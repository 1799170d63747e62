/* SPDX-License-Identifier: BSD-3-Clause */
/* Warns of copies of a program that a launcher has started without a way to find each other. */
#ifndef TERN_BOOT_MISUSE_HINT_H
#define TERN_BOOT_MISUSE_HINT_H

#include "boot/start_error.h"

/*
 * Before main, in a process without a launcher that Tern knows: the first of several copies gets a
 * start-up warning.
 */
void tern_misuse_hint_find(char *const *envp, struct tern_start_error *start_error);

#endif
