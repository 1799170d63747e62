/* SPDX-License-Identifier: BSD-3-Clause */
/* What Tern finds on this machine and would make of it. */
#ifndef TERN_INFO_MACHINE_H
#define TERN_INFO_MACHINE_H

#include <stdio.h>

void tern_machine_print(FILE *out);

#endif
