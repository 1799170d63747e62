/* SPDX-License-Identifier: BSD-3-Clause */
/* The same program as hello.c, for Intel SHMEM's interface. */
#include <cstdio>
#include <ishmem.h>
#include <ishmemx.h>

int main()
{
    ishmemx_attr_t attributes;

    attributes.runtime = ISHMEMX_RUNTIME_OPENSHMEM;
    ishmemx_init_attr(&attributes);

    int me = ishmem_my_pe(), n_pes = ishmem_n_pes();
    int *from_left = static_cast<int *>(ishmem_malloc(sizeof(int)));

    ishmem_p(from_left, me, (me + 1) % n_pes);
    ishmem_barrier_all();
    std::printf("PE %d of %d heard from %d\n", me, n_pes, *from_left);
    ishmem_free(from_left);
    ishmem_finalize();
    return 0;
}
