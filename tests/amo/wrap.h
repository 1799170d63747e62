/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer arithmetic of any type modulo its width, as AMOs compute. */
#ifndef AMO_WRAP_H
#define AMO_WRAP_H

#include <stdint.h>

#define WRAP_ADD(type, a, b) ((type)((uint64_t)(a) + (uint64_t)(b)))

/* The largest value of an integer type; one more is the smallest. */
#define MAX_OF(type) ((type)(UINT64_MAX >> (64 - 8 * sizeof(type) + ((type)-1 < (type)1 ? 1 : 0))))

#endif
