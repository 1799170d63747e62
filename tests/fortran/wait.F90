! SPDX-License-Identifier: BSD-3-Clause
! Waiting for a variable that the PE before this one changes.
program wait
  implicit none

  call shmem_init()
  call check_begin('fortran/wait')
  call check_about('INTEGER')
  call test_default()
  call check_about('INT4')
  call test_int4()
  call check_about('INT8')
  call test_int8()
  call check_about('order')
  call test_order()
  call check_end()
end program

#define NAME default
#define TYPE integer
#define WAIT shmem_wait
#define WAIT_UNTIL shmem_wait_until
#define PUT shmem_integer_put
#include "wait.inc"

#define NAME int4
#define TYPE integer*4
#define WAIT shmem_int4_wait
#define WAIT_UNTIL shmem_int4_wait_until
#define PUT shmem_put32
#include "wait.inc"

#define NAME int8
#define TYPE integer*8
#define WAIT shmem_int8_wait
#define WAIT_UNTIL shmem_int8_wait_until
#define PUT shmem_put64
#include "wait.inc"

! A put, a fence, and a put of the flag: whoever sees the flag sees the data.
subroutine test_order()
  implicit none
  include 'shmem.fh'
  integer, parameter :: n = 500
  integer, external :: shmem_my_pe, shmem_n_pes
  integer, save :: data(n), flag
  integer :: mine(n), me, n_pes, next, round

  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  next = mod(me + 1, n_pes)
  data = 0
  flag = 0
  call shmem_barrier_all()
  do round = 1, 20
    mine = round
    call shmem_integer_put(data, mine, n, next)
    if (mod(round, 2) == 0) then
      call shmem_fence()
    else
      call shmem_quiet()
    end if
    call shmem_integer_put(flag, round, 1, next)
    call shmem_wait_until(flag, SHMEM_CMP_GE, round)
    call check_that(all(data == round), 'fortran-order')
    call shmem_barrier_all()
  end do
end subroutine
