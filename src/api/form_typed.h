/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes block templates define typed routines: shmem_float_put_nbi. */
#undef BLOCK
#undef ELEMENT
#undef SIZE

#define BLOCK(verb, tail) TERN_PASTE(FORM, NAME, _, verb, tail)
#define ELEMENT TYPE
#define SIZE sizeof(TYPE)
