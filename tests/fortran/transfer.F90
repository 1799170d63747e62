! SPDX-License-Identifier: BSD-3-Clause
! Puts and gets of all types and sizes, blocking and not, with strides and without.
program transfer
  implicit none

  call shmem_init()
  call check_begin('fortran/transfer')
#define TEMPLATE "call.inc"
#include "kinds.inc"
#undef TEMPLATE
  call check_about('SHMEM_PUT')
  call test_plain()
  call check_end()
end program

#define TEMPLATE "transfer.inc"
#include "kinds.inc"

! The oldest form, which has no name of a type or size, moves words of 64 bits.
subroutine test_plain()
  implicit none
  integer, external :: shmem_my_pe, shmem_n_pes
  double precision, save :: there(5)
  double precision :: mine(3)
  integer :: me, n_pes

  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  there = -1
  mine = [me + 0.5d0, me + 0.25d0, me + 0.125d0]
  call shmem_barrier_all()
  call shmem_put(there(2), mine, 3, mod(me + 1, n_pes))
  call shmem_barrier_all()
  me = mod(me + n_pes - 1, n_pes)
  call check_that(all(there == [-1d0, me + 0.5d0, me + 0.25d0, me + 0.125d0, -1d0]), 'fortran-put')
end subroutine
