! SPDX-License-Identifier: BSD-3-Clause
! Non-blocking puts and gets of older libraries, with handles and without.
program transfer_nb
  implicit none

  call shmem_init()
  call check_begin('fortran/transfer_nb')
#define TEMPLATE "call.inc"
#include "kinds.inc"
#undef TEMPLATE
  call check_about('no type or size')
  call test_plain()
  call check_end()
end program

#define TEMPLATE "transfer_nb.inc"
#include "kinds.inc"

! The form that has no name of a type or size moves words of 64 bits.
subroutine test_plain()
  implicit none
  integer, external :: shmem_my_pe, shmem_n_pes
  double precision, save :: there(3)
  double precision :: mine(3), got(3)
  integer :: me, n_pes, before

  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  before = mod(me + n_pes - 1, n_pes)
  there = -1
  mine = [me + 0.5d0, me + 0.25d0, me + 0.125d0]
  call shmem_barrier_all()
  call shmem_put_nb(there, mine, 3, mod(me + 1, n_pes))
  call shmem_barrier_all()
  call check_that(all(there == [before + 0.5d0, before + 0.25d0, before + 0.125d0]), 'fortran-nb')
  got = -1
  call shmem_get_nb(got, there, 0, mod(me + 1, n_pes))
  call shmem_quiet()
  call check_that(all(got == -1), 'fortran-nb')
  call shmem_get_nb(got, there, 3, mod(me + 1, n_pes))
  call shmem_quiet()
  call check_that(all(got == [me + 0.5d0, me + 0.25d0, me + 0.125d0]), 'fortran-nb')
end subroutine
