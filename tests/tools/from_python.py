# SPDX-License-Identifier: BSD-3-Clause
"""A PE in Python, which loads the library late and for itself alone.

    from_python.py LIBRARY past|package|order [right]

past: puts past the end of a block. package: the same by an installed package. order: sets a flag behind data without a fence; status 1 if the
data was not there with the flag. right: without the mistake.
"""
import ctypes
import sys

library, case, *more = sys.argv[1:]
right = more == ["right"]
tern = ctypes.CDLL(library)
tern.shmem_malloc.restype = tern.shmem_calloc.restype = ctypes.c_void_p
tern.shmem_malloc.argtypes = [ctypes.c_size_t]
tern.shmem_calloc.argtypes = 2 * [ctypes.c_size_t]
tern.shmem_free.argtypes = [ctypes.c_void_p]
tern.shmem_long_put.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
tern.shmem_long_get.argtypes = tern.shmem_long_put.argtypes
tern.shmem_long_p.argtypes = tern.shmem_long_atomic_set.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_int]
tern.shmem_long_wait_until.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long]
GE = 3
N = 10


def past(after):
    block = tern.shmem_malloc(8 * N)
    row = (ctypes.c_long * (N + 2))(*range(N + 2))
    n = N if right else N + 2
    tern.shmem_long_put(block, row, n, after)    # past by put
    tern.shmem_barrier_all()
    tern.shmem_long_get(row, block, n, after)    # past by get
    tern.shmem_free(block)
    return list(row[:N]) != list(range(N))


def package(after):
    import carrier
    block = tern.shmem_malloc(8 * N)
    row = (ctypes.c_long * (N + 2))()
    carrier.carry(tern.shmem_long_put, block, row, N + 2, after)    # past by carrier
    tern.shmem_free(block)


def order(after):
    block = tern.shmem_calloc(2, 8)
    data, flag = block, block + 8
    word = ctypes.c_long.from_address(data)
    wrong = 0
    for step in range(1, 201):
        tern.shmem_long_p(data, step, after)
        if right:
            tern.shmem_fence()
        tern.shmem_long_atomic_set(flag, step, after)
        tern.shmem_long_wait_until(flag, GE, step)
        wrong += word.value != step
        tern.shmem_barrier_all()
    tern.shmem_free(block)
    return wrong


tern.shmem_init()
failed = globals()[case]((tern.shmem_my_pe() + 1) % tern.shmem_n_pes())
tern.shmem_finalize()
sys.exit(1 if failed else 0)
