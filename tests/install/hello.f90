! SPDX-License-Identifier: BSD-3-Clause
! Each PE says from whom it has heard.
program hello
  use shmem
  implicit none
  integer, save :: from_left
  integer :: me, n_pes

  call shmem_init()
  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  call shmem_integer_put(from_left, me, 1, mod(me + 1, n_pes))
  call shmem_barrier_all()
  print '(a, i0, a, i0, a, i0)', 'PE ', me, ' of ', n_pes, ' heard from ', from_left
  call shmem_finalize()
end program
