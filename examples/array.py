# SPDX-License-Identifier: BSD-3-Clause
"""Numpy arrays in symmetric memory: each PE puts its array to the next PE, then all sum theirs up.

    oshrun -n 4 python3 array.py
"""
import ctypes

import numpy

shmem = ctypes.CDLL("libtern.so.0")
WORLD = ctypes.c_void_p.in_dll(shmem, "SHMEM_TEAM_WORLD")

# ctypes takes arguments and results for int where nothing else is said.
shmem.shmem_malloc.restype = ctypes.c_void_p
shmem.shmem_malloc.argtypes = [ctypes.c_size_t]
shmem.shmem_free.argtypes = [ctypes.c_void_p]
shmem.shmem_double_put.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
shmem.shmem_double_sum_reduce.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
                                          ctypes.c_size_t]


def symmetric(count):
    """An array of count zeros in the symmetric heap; all PEs call this together."""
    address = shmem.shmem_malloc(8 * count)
    if not address:
        raise MemoryError(f"the symmetric heap has no room for {count} numbers")
    array = numpy.frombuffer((ctypes.c_double * count).from_address(address))
    array[:] = 0
    return array


def main():
    shmem.shmem_init()
    me, n = shmem.shmem_my_pe(), shmem.shmem_n_pes()
    received, total = symmetric(5), symmetric(5)
    mine = numpy.arange(5.0) + 10 * me

    shmem.shmem_barrier_all()    # the zeros are there before others' numbers
    shmem.shmem_double_put(received.ctypes.data, mine.ctypes.data, mine.size, (me + 1) % n)
    shmem.shmem_barrier_all()
    assert (received == numpy.arange(5.0) + 10 * ((me - 1) % n)).all()

    shmem.shmem_double_sum_reduce(WORLD, total.ctypes.data, received.ctypes.data, total.size)
    if me == 0:
        print(f"The sum of {n} arrays is {total.tolist()}")
    for array in received, total:
        shmem.shmem_free(array.ctypes.data)
    shmem.shmem_finalize()


main()
