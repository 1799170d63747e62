/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface from C++11: the same functions as in C. */
#define LANGUAGE "cxx11"
#include "lang/body.h"
