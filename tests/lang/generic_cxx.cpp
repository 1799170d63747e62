/* SPDX-License-Identifier: BSD-3-Clause */
/* The type-generic routines from C++11. */
#include "lang/generic.c"
