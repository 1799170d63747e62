/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface from strict C99: no generics, constants that are constants to the compiler. */
#define LANGUAGE "c99"
#include "lang/body.h"
