/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the properties of this machine that Tern depends on, and its decisions. */
#ifndef TERN_INFO_MACHINE_H
#define TERN_INFO_MACHINE_H

#include <stdio.h>

void tern_machine_print(FILE *out);

#endif
