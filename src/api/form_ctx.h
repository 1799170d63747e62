/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes templates define the routines with a context; PEs are numbered in the context's team. */
#undef FORM
#undef CTX
#undef CTX_HANDLE
#undef WORLD_PE

#define FORM shmem_ctx_
#define CTX shmem_ctx_t ctx,
#define CTX_HANDLE ((uintptr_t)ctx)
#define WORLD_PE(pe) tern_ctx_world_pe((uintptr_t)ctx, (pe), TERN_ROUTINE)
