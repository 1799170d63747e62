/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface in strict C99: no generics, and constants that are constant expressions. */
#define LANGUAGE "c99"
#include "lang/body.h"
