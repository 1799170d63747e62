! SPDX-License-Identifier: BSD-3-Clause
! Programs that end early: by a mistake, which its argument names, or by SHMEM_GLOBAL_EXIT.
program mistakes
  implicit none
  include 'shmem.fh'
  integer, external :: shmem_my_pe
  integer, save :: word(2)
  integer :: between
  pointer (between_place, between)
  character(len=20) :: mistake
  integer :: code
  integer*8 :: nowhere

  call shmem_init()
  call get_command_argument(1, mistake)
  nowhere = 0
  between_place = loc(word) + 2
  select case (mistake)
  case ('exit')
    if (shmem_my_pe() == 0) call shmem_global_exit(7)
    call shmem_wait_until(word, SHMEM_CMP_EQ, 1)
  case ('count')
    call shmem_integer_put(word, word, -1, 0)
  case ('pe')
    call shmem_integer_put(word, word, 1, 99)
  case ('lock')
    call shmem_clear_lock(word)
  case ('lock value')
    word = huge(word)
    call shmem_barrier_all()
    call shmem_set_lock(word)
  case ('odd lock')
    call shmem_set_lock(between)
  case ('odd clear')
    call shmem_clear_lock(between)
  case ('shpalloc')
    call shpalloc(nowhere, 0, code, 1)
  case ('room')
    call shpalloc(nowhere, 2000000000, code, 0)
    if (code /= -2) stop 9
    call shmem_finalize()
    stop
  case ('shpclmove')
    call shpclmove(nowhere, 10, code, 1)
  case ('shpdeallc')
    call shpdeallc(nowhere, code, 1)
  case ('reduce')
    call shmem_real16_sum_to_all(word, word, -4, 0, 0, 1, word, word)
  end select
  print *, 'not reached'
end program
