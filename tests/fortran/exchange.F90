! SPDX-License-Identifier: BSD-3-Clause
! Barrier, broadcast, collect, fcollect and alltoall over active sets.
program exchange
  implicit none

  call shmem_init()
  call check_begin('fortran/exchange')
  call check_about('barriers')
  call test_barrier()
  call check_about('4')
  call test_4()
  call check_about('8')
  call test_8()
  call check_about('32')
  call test_32()
  call test_all_32()
  call check_about('64')
  call test_64()
  call test_all_64()
  call check_end()
end program

! Whoever leaves has waited for all: a word of each member is then seen by each.
subroutine test_barrier()
  implicit none
  include 'shmem.fh'
  integer, external :: shmem_my_pe, shmem_n_pes
  integer, save :: rounds, seen
  integer, save :: sync(SHMEM_BARRIER_SYNC_SIZE) = SHMEM_SYNC_VALUE
  integer :: number, start, log_stride, set_size, member, round, late, peer

  rounds = 0
  call shmem_barrier_all()
  do number = 1, 4
    call get_set(number, start, log_stride, set_size, member)
    if (member >= 0) then
      late = 0
      do round = 1, 10
        call shmem_integer_put(rounds, 100 * number + round, 1, shmem_my_pe())
        call shmem_barrier(start, log_stride, set_size, sync)
        do peer = 0, set_size - 1
          call shmem_integer_get(seen, rounds, 1, start + peer * 2**log_stride)
          if (seen < 100 * number + round) late = late + 1
        end do
      end do
      call check_none(late, 'fortran-barrier')
    end if
    call shmem_barrier_all()
  end do
end subroutine

#define NAME 4
#define TYPE real
#include "exchange.inc"
#undef NAME
#undef TYPE

#define NAME 8
#define TYPE double precision
#include "exchange.inc"
#undef NAME
#undef TYPE

#define NAME 32
#define TYPE integer
#include "exchange.inc"
#include "exchange_all.inc"
#undef NAME
#undef TYPE

#define NAME 64
#define TYPE integer*8
#include "exchange.inc"
#include "exchange_all.inc"
#undef NAME
#undef TYPE
