! SPDX-License-Identifier: BSD-3-Clause
! One element too many is put.
program mistake
    implicit none
    include 'shmem.fh'
    integer, save :: dest(10)
    integer :: source(12)

    source = 1
    call shmem_init()
    call shmem_integer_put(dest(2), source, 10, 0) ! past the end
    call shmem_finalize()
end program
