/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface from C++11, in line. */
#define SHMEM_INLINE
#include "lang/cxx11.cpp"
