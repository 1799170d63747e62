/* SPDX-License-Identifier: BSD-3-Clause */
/* The generics of deprecated names from C++11. */
#include "lang/deprecated.c"
