/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes block templates define untyped routines: shmem_put32_nbi. */
#undef BLOCK
#undef ELEMENT
#undef SIZE

#define BLOCK(verb, tail) TERN_PASTE(FORM, verb, NAME, tail, )
#define ELEMENT void
