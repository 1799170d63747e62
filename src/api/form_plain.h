/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes templates define the routines without a context; PEs are numbered in the world. */
#undef FORM
#undef CTX
#undef CTX_HANDLE
#undef WORLD_PE

#define FORM shmem_
#define CTX
#define CTX_HANDLE TERN_CTX_DEFAULT
#define WORLD_PE(pe) (pe)
