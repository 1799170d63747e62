! SPDX-License-Identifier: BSD-3-Clause
! Conjugate gradients for the five-point Laplacian on a square grid, whose rows the PEs share out.
! The right-hand side belongs to a solution that is known, so the program can tell how good its own
! is.
!
!     oshfort -O2 -o cg cg.f90
!     oshrun ./cg

! Variables of a module are symmetric: each PE has its own, and can reach those of the others.
module grid
  use shmem
  implicit none
  integer, parameter :: n = 120                 ! the grid has n by n points
  real(8) :: p(n, 0:n+1)                        ! the direction: own rows 1, 2, ... and two beside
  real(8) :: part, total                        ! of a sum over all PEs
  real(8) :: work(SHMEM_REDUCE_MIN_WRKDATA_SIZE, 0:1)
  integer :: sync(SHMEM_REDUCE_SYNC_SIZE, 0:1) = SHMEM_SYNC_VALUE
  integer :: me, n_pes, parity = 0

contains

  ! How many rows come before those of a PE.
  integer function rows_before(pe)
    integer, intent(in) :: pe

    rows_before = n * pe / n_pes
  end function

  ! The sum of the products of all points, on all PEs. Two calls in a row have different arrays to work
  ! and synchronize with, since another PE may still be in the first one.
  real(8) function product_of(a, b)
    real(8), intent(in) :: a(:, :), b(:, :)

    part = sum(a * b)
    parity = 1 - parity
    call shmem_real8_sum_to_all(total, part, 1, 0, 0, n_pes, work(1, parity), sync(1, parity))
    product_of = total
  end function

  ! Puts the first and the last row of p beside those of the neighbours. They are done with what
  ! they got before: between lies a sum, to which each has contributed after it used that.
  subroutine exchange(rows)
    integer, intent(in) :: rows
    integer :: rows_above

    if (me > 0) then
      rows_above = rows_before(me) - rows_before(me - 1)
      call shmem_double_put(p(1, rows_above + 1), p(1, 1), n, me - 1)
    end if
    if (me < n_pes - 1) call shmem_double_put(p(1, 0), p(1, rows), n, me + 1)
    call shmem_barrier_all()
  end subroutine

  ! The Laplacian of p at this PE's points; what is beside the grid is zero.
  subroutine apply(a, rows)
    integer, intent(in) :: rows
    real(8), intent(out) :: a(n, rows)
    integer :: i

    do i = 1, rows
      a(:, i) = 4 * p(:, i) - p(:, i - 1) - p(:, i + 1)
      a(2:, i) = a(2:, i) - p(:n-1, i)
      a(:n-1, i) = a(:n-1, i) - p(2:, i)
    end do
  end subroutine
end module

program cg
  use grid
  implicit none
  real(8), allocatable :: solution(:, :), x(:, :), r(:, :), a(:, :)
  real(8) :: square, square_before, first, step, error
  integer :: rows, i, j, k

  call shmem_init()
  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  if (n_pes > n) then
    if (me == 0) print '(a, i0, a)', 'cg: there are more PEs than the ', n, ' rows'
    call shmem_global_exit(1)
  end if
  rows = rows_before(me + 1) - rows_before(me)
  allocate (solution(n, rows), x(n, rows), r(n, rows), a(n, rows))
  do i = 1, rows
    do j = 1, n
      solution(j, i) = sin(0.37d0 * j * (i + rows_before(me))) + 0.01d0 * j
    end do
  end do

  ! The right-hand side, which is the first residual too as x begins with zero.
  p = 0
  p(:, 1:rows) = solution
  call shmem_barrier_all()
  call exchange(rows)
  call apply(r, rows)
  square = product_of(r, r)
  first = square
  x = 0
  p(:, 1:rows) = r

  do k = 1, 10 * n
    call exchange(rows)
    call apply(a, rows)
    step = square / product_of(p(:, 1:rows), a)
    x = x + step * p(:, 1:rows)
    r = r - step * a
    square_before = square
    square = product_of(r, r)
    if (square < 1d-24 * first) exit
    p(:, 1:rows) = r + square / square_before * p(:, 1:rows)
  end do

  error = sqrt(product_of(x - solution, x - solution)) / n
  if (me == 0) print '(i0, a, i0, a, i0, a, i0, a, es8.1)', n, ' by ', n, ' points, ', n_pes, &
      ' PEs: ', k, ' steps, error', error
  call shmem_finalize()
end program
