! SPDX-License-Identifier: BSD-3-Clause
! Fortran: arrays that are module variables. Each subroutine is a program.
module places
    implicit none
    include 'shmem.fh'
    integer(8), save :: a(16), b(16), flag
    integer :: me, next
end module places

subroutine wrong_whole_array
    use places
    a = me
    call shmem_put8(a, b, 16, next)
end subroutine

subroutine right_whole_array
    use places
    a = me
    call shmem_barrier_all()
    call shmem_put8(a, b, 16, next)
    call shmem_barrier_all()
end subroutine

subroutine wrong_sum_of_array
    use places
    call shmem_put8(a, b, 16, next)
    if (sum(a) == 77) print *, 'no'
end subroutine

subroutine right_sum_of_array
    use places
    call shmem_put8(a, b, 16, next)
    call shmem_barrier_all()
    if (sum(a) == 77) print *, 'no'
end subroutine

subroutine wrong_section
    use places
    call shmem_get8(b, a, 8, next)
    a(3:9) = 4
end subroutine

subroutine right_section
    use places
    call shmem_get8(b, a, 8, next)
    a(9:12) = 4
end subroutine

subroutine wrong_element
    use places
    b(5) = me
    call shmem_put8(b(5), a(1), 1, next)
end subroutine

subroutine right_element
    use places
    b(5) = me
    call shmem_put8(b(6), a(1), 1, next)
end subroutine

program collection
    use places
    integer, external :: shmem_my_pe, shmem_n_pes
    call shmem_init()
    me = shmem_my_pe()
    next = mod(me + 1, shmem_n_pes())
    a = 0
    b = 0
    call shmem_barrier_all()
    call begin('wrong_whole_array')
    call wrong_whole_array()
    call shmem_barrier_all()
    call begin('right_whole_array')
    call right_whole_array()
    call shmem_barrier_all()
    call begin('wrong_sum_of_array')
    call wrong_sum_of_array()
    call shmem_barrier_all()
    call begin('right_sum_of_array')
    call right_sum_of_array()
    call shmem_barrier_all()
    call begin('wrong_section')
    call wrong_section()
    call shmem_barrier_all()
    call begin('right_section')
    call right_section()
    call shmem_barrier_all()
    call begin('wrong_element')
    call wrong_element()
    call shmem_barrier_all()
    call begin('right_element')
    call right_element()
    call shmem_barrier_all()
    call shmem_finalize()
contains
    subroutine begin(name)
        character(*), intent(in) :: name
        write(0, '(a, i0, a, a)') 'collection: PE ', me, ' begins ', name
        flush(0)
    end subroutine
end program
