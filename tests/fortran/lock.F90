! SPDX-License-Identifier: BSD-3-Clause
! Locks, which are a default INTEGER: four bytes, whose neighbours are the program's.
program lock
  implicit none
  include 'shmem.fh'
  integer, parameter :: rounds = 30
  integer, external :: shmem_my_pe, shmem_n_pes, shmem_test_lock
  integer :: before, first, between, second, after
  common /locks/ before, first, between, second, after
  integer, save :: counter, inside, arrived
  integer :: me, n_pes, i, seen, got

  call shmem_init()
  call check_begin('fortran/lock')
  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  before = 11
  between = 12
  after = 13
  first = 0
  second = 0
  counter = 0
  inside = 0
  call shmem_barrier_all()

  call check_about('set and clear')
  do i = 1, rounds
    call shmem_set_lock(first)
    call enter()
    call shmem_clear_lock(first)
  end do
  call shmem_barrier_all()
  if (me == 0) call check_that(counter == rounds * n_pes, 'fortran-lock')
  call shmem_barrier_all()

  call check_about('test')
  i = 0
  do while (i < rounds)
    if (shmem_test_lock(second) == 0) then
      call enter()
      call shmem_clear_lock(second)
      i = i + 1
    end if
  end do
  call shmem_barrier_all()
  if (me == 0) call check_that(counter == 2 * rounds * n_pes, 'fortran-test-lock')
  call shmem_barrier_all()

  call check_about('who has it')
  if (me == 0) call shmem_set_lock(second)
  call shmem_barrier_all()
  if (me /= 0) call check_that(shmem_test_lock(second) == 1, 'fortran-test-lock')
  call shmem_barrier_all()
  if (me == 0) call shmem_clear_lock(second)
  call shmem_barrier_all()
  got = shmem_test_lock(second)
  if (got == 0) call shmem_clear_lock(second)
  if (n_pes == 1) call check_that(got == 0, 'fortran-test-lock')
  call shmem_barrier_all()

  ! Nobody passes set while the lock is held; all do afterwards.
  call check_about('set waits')
  inside = 0
  arrived = 0
  call shmem_barrier_all()
  if (me == 0) call shmem_set_lock(first)
  call shmem_barrier_all()
  if (me == 0) then
    call shmem_wait_until(arrived, SHMEM_CMP_EQ, n_pes - 1)
    call pause()
    call check_that(inside == 0, 'fortran-set-lock')
  else
    call shmem_int4_inc(arrived, 0)
    call shmem_set_lock(first)
    call shmem_int4_inc(inside, 0)
  end if
  call shmem_clear_lock(first)
  call shmem_barrier_all()
  if (me == 0) call check_that(inside == n_pes - 1, 'fortran-set-lock')
  inside = 0
  call shmem_barrier_all()

  ! What a PE put while it held the lock is there when it has cleared it: each sees the one before.
  call check_about('clear completes')
  if (me == 0) counter = 0
  call shmem_barrier_all()
  call shmem_set_lock(first)
  call shmem_integer_get(seen, counter, 1, 0)
  call shmem_integer_put(counter, seen + 1, 1, 0)
  call shmem_clear_lock(first)
  call shmem_barrier_all()
  if (me == 0) call check_that(counter == n_pes, 'fortran-clear-lock')
  call check_that(before == 11 .and. between == 12 .and. after == 13, 'fortran-lock-neighbours')
  call check_that(first == 0 .and. second == 0, 'fortran-lock-free')
  call check_end()

contains

  ! A tenth of a second.
  subroutine pause()
    integer :: from, now, rate

    call system_clock(from, rate)
    now = from
    do while (now - from < rate / 10)
      call system_clock(now)
    end do
  end subroutine

  ! One at a time: nobody else comes in between.
  subroutine enter()
    integer, external :: shmem_int4_finc
    integer :: n

    call check_that(shmem_int4_finc(inside, 0) == 0, 'fortran-lock-alone')
    call shmem_integer_get(n, counter, 1, 0)
    call shmem_integer_put(counter, n + 1, 1, 0)
    call shmem_quiet()
    call shmem_int4_add(inside, -1, 0)
  end subroutine
end program
