/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of a program that a launcher has started without a way to find each other. */
#ifndef TERN_BOOT_MISUSE_HINT_H
#define TERN_BOOT_MISUSE_HINT_H

#include "boot/launcher.h"

/* Before main, of a process that no launcher claims: the first of several copies is to say so. */
void tern_hint_find(char *const *envp, struct tern_trouble *trouble);

#endif
