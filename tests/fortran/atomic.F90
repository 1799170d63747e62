! SPDX-License-Identifier: BSD-3-Clause
! Atomic operations on INTEGER*4, INTEGER*8, REAL*4 and REAL*8.
program atomic
  implicit none

  call shmem_init()
  call check_begin('fortran/atomic')
  call check_about('INT4')
  call test_integer_int4()
  call test_any_int4()
  call check_about('INT8')
  call test_integer_int8()
  call test_any_int8()
  call check_about('REAL4')
  call test_any_real4()
  call check_about('REAL8')
  call test_any_real8()
  call check_about('SHMEM_SWAP')
  call test_swap()
  call check_end()
end program

#define NAME int4
#define TYPE integer*4
#include "atomic_integer.inc"
#include "atomic_any.inc"
#undef NAME
#undef TYPE

#define NAME int8
#define TYPE integer*8
#include "atomic_integer.inc"
#include "atomic_any.inc"
#undef NAME
#undef TYPE

#define NAME real4
#define TYPE real*4
#include "atomic_any.inc"
#undef NAME
#undef TYPE

#define NAME real8
#define TYPE real*8
#include "atomic_any.inc"
#undef NAME
#undef TYPE

! Around the ring: each PE's variable gets the number of the PE before it, whose swap sees the old.
subroutine test_swap()
  implicit none
  integer, external :: shmem_my_pe, shmem_n_pes, shmem_swap
  integer, save :: word(3)
  integer :: me, n_pes, next, old

  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  next = mod(me + 1, n_pes)
  word = 1000 + me
  call shmem_barrier_all()
  old = shmem_swap(word(2), me, next)
  call shmem_barrier_all()
  call check_that(old == 1000 + next, 'fortran-swap')
  call check_that(all(word == [1000 + me, mod(me + n_pes - 1, n_pes), 1000 + me]), 'fortran-swap')
end subroutine
