/* SPDX-License-Identifier: BSD-3-Clause */
/* What was needed on machines whose caches were not coherent, and does nothing on others. */
#include "ext/export.h"

TERN_API(void, shmem_clear_cache_inv)(void)
{
}

TERN_API(void, shmem_clear_cache_line_inv)(void *dest)
{
}

TERN_API(void, shmem_set_cache_inv)(void)
{
}

TERN_API(void, shmem_set_cache_line_inv)(void *dest)
{
}

TERN_API(void, shmem_udcflush)(void)
{
}

TERN_API(void, shmem_udcflush_line)(void *dest)
{
}

TERN_API(void, shmem_stack)(void *addr)
{
}
