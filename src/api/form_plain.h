/* SPDX-License-Identifier: BSD-3-Clause */
/* From here on templates define the routines without a context: PEs are numbered in the world. */
#undef FORM
#undef CTX
#undef WORLD_PE

#define FORM shmem_
#define CTX
#define WORLD_PE(pe) (pe)
