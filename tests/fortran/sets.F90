! SPDX-License-Identifier: BSD-3-Clause
! The active sets of the tests of collectives: all PEs, the even ones, the odd ones, the upper half.
! `member` is the number of the calling PE in the set, -1 if it is not in it.
subroutine get_set(number, start, log_stride, set_size, member)
  implicit none
  integer, intent(in) :: number
  integer, intent(out) :: start, log_stride, set_size, member
  integer, external :: shmem_my_pe, shmem_n_pes
  integer :: me, n_pes

  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  log_stride = merge(1, 0, number == 2 .or. number == 3)
  select case (number)
  case (1)
    start = 0
    set_size = n_pes
  case (2)
    start = 0
    set_size = (n_pes + 1) / 2
  case (3)
    start = 1
    set_size = n_pes / 2
  case default
    start = n_pes / 2
    set_size = n_pes - start
  end select
  member = -1
  if (me >= start .and. mod(me - start, 2**log_stride) == 0) member = (me - start) / 2**log_stride
  if (member >= set_size) member = -1
end subroutine
