! SPDX-License-Identifier: BSD-3-Clause
! The module: constants and explicit interfaces, by which arguments of any type and rank pass.
module field
  implicit none
  integer, parameter :: rows = 4, columns = 3
  type point
    real(8) :: x, y
  end type
  real(8) :: grid(rows, columns), got(rows, columns)  ! a module's variables are symmetric
  type(point) :: corner
  character(len=12) :: label
end module

program with_module
  use shmem
  use field
  implicit none
  integer, save :: sync(SHMEM_BCAST_SYNC_SIZE) = SHMEM_SYNC_VALUE
  integer, save :: sum_sync(SHMEM_REDUCE_SYNC_SIZE) = SHMEM_SYNC_VALUE
  real(8), save :: work(SHMEM_REDUCE_MIN_WRKDATA_SIZE), one, total
  integer(4), save :: word4
  integer(8), save :: word8
  integer, save :: turn
  real(8) :: mine(rows, columns)
  type(point) :: my_corner
  logical :: flag
  logical, save :: flags(2)
  integer :: me, n_pes, next, before, code
  integer(8) :: handle
  real(8) :: block(10)
  pointer (place, block)

  call shmem_init()
  call check_begin('fortran/module')
  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  next = mod(me + 1, n_pes)
  before = mod(me + n_pes - 1, n_pes)

  call check_about('arrays of two ranks, a derived type, text, a scalar')
  grid = -1
  mine = me
  my_corner = point(me, me + 0.5d0)
  label = '............'
  flags = .false.
  turn = 0
  call shmem_barrier_all()
  call shmem_double_put(grid, mine, rows * columns, next)
  call shmem_putmem(corner, my_corner, 16, next)
  call shmem_character_put(label(3:), 'abc', 3, next)
  flag = .true.
  call shmem_logical_put(flags(2), flag, 1, next)
  call shmem_barrier_all()
  call check_that(all(grid == before), 'module-put')
  call check_that(corner%x == before .and. corner%y == before + 0.5d0, 'module-put')
  call check_that(label == '..abc.......', 'module-put')
  call check_that(flags(2) .and. .not. flags(1), 'module-put')
  mine = -2
  call shmem_get64(mine(:, 2), grid, rows, next)
  call check_that(all(mine(:, 2) == me), 'module-get')
  call check_that(all(mine(:, [1, 3]) == -2), 'module-get')
  handle = 0
  call shmemx_double_get_nb(mine(1, 1), grid, 1, next, handle)
  call shmemx_wait_nb(handle)
  call check_that(mine(1, 1) == me, 'module-get')

  call check_about('atomics and waiting')
  word4 = 0
  word8 = 0
  call shmem_barrier_all()
  code = shmem_int4_fadd(word4, 1, 0)
  call check_that(code >= 0 .and. code < n_pes, 'module-atomic')
  call shmem_int8_add(word8, 2_8, next)
  call shmem_int8_wait_until(word8, SHMEM_CMP_EQ, 2_8)
  call check_that(shmem_int8_fetch(word8, me) == 2, 'module-atomic')
  call shmem_barrier_all()
  if (me == 0) call check_that(word4 == n_pes, 'module-atomic')

  call check_about('collectives')
  one = me + 1
  call shmem_real8_sum_to_all(total, one, 1, 0, 0, n_pes, work, sum_sync)
  call check_that(total == n_pes * (n_pes + 1) / 2, 'module-reduce')
  grid = reshape([(100 * me + code, code = 1, rows * columns)], [rows, columns])
  got = -1
  call shmem_barrier_all()
  call shmem_broadcast64(got, grid, rows * columns, 0, 0, 0, n_pes, sync)
  if (me == 0) then
    call check_that(all(got == -1), 'module-broadcast')  ! the root's own is left alone
  else
    call check_that(all(got == reshape([(code, code = 1, rows * columns)], [rows, columns])), &
        'module-broadcast')
  end if

  call check_about('memory, locks, pointers')
  call shpalloc(place, 20, code, 1)
  block = me
  call shmem_barrier_all()
  call shmem_get8(total, block(7), 1, next)
  call check_that(total == next, 'module-shpalloc')
  call shmem_barrier_all()
  call shpdeallc(place, code, 1)
  call shmem_set_lock(turn)
  call shmem_clear_lock(turn)
  place = shmem_ptr(grid, me)
  call check_that(block(1) == 100 * me + 1, 'module-ptr')
  call check_that(shmem_addr_accessible(corner, next) .and. shmem_pe_accessible(next), &
      'module-accessible')
  call check_end()
end program
