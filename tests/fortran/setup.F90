! SPDX-License-Identifier: BSD-3-Clause
! Set-up, queries, SHMEM_PTR by a Cray pointer, and routines that do nothing.
program setup
  implicit none
  include 'shmem.fh'
  include 'shmemx.fh'
  integer, external :: shmem_my_pe, shmem_n_pes, my_pe, num_pes, shmem_init_thread
  double precision, external :: shmemx_wtime
  integer, save :: symmetric(4)
  integer, allocatable :: private(:)
  integer :: there(4)
  pointer (place, there)
  integer :: me, n_pes, next, before, major, minor, provided
  character(len=SHMEM_MAX_NAME_LEN) :: name
  character(len=4) :: short
  double precision :: before_that

  provided = -1
  major = shmem_init_thread(SHMEM_THREAD_MULTIPLE, provided)
  call check_begin('fortran/setup')
  call check_that(major == 0, 'fortran-init-thread')
  call check_that(provided >= SHMEM_THREAD_SINGLE .and. provided <= SHMEM_THREAD_MULTIPLE, &
      'fortran-init-thread')
  major = -1
  call shmem_query_thread(major)
  call check_that(major == provided, 'fortran-query-thread')
  call check_that(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED .and. &
      SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED .and. &
      SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE, 'fortran-thread-levels')

  me = shmem_my_pe()
  n_pes = shmem_n_pes()
  next = mod(me + 1, n_pes)
  before = mod(me + n_pes - 1, n_pes)
  call check_that(me >= 0 .and. me < n_pes, 'fortran-my-pe')
  call check_that(my_pe() == me .and. num_pes() == n_pes, 'fortran-old-names')

  major = -1
  minor = -1
  call shmem_info_get_version(major, minor)
  call check_that(major == SHMEM_MAJOR_VERSION .and. minor == SHMEM_MINOR_VERSION, &
      'fortran-version')
  name = repeat('#', len(name))
  call shmem_info_get_name(name)
  call check_that(name == SHMEM_VENDOR_STRING .and. name /= ' ', 'fortran-name')
  short = '####'
  call shmem_info_get_name(short)
  call check_that(short == name(1:4), 'fortran-name')

  allocate (private(4))
  call check_that(shmem_pe_accessible(next), 'fortran-accessible')
  call check_that(.not. shmem_pe_accessible(-1), 'fortran-accessible')
  call check_that(.not. shmem_pe_accessible(n_pes), 'fortran-accessible')
  call check_that(shmem_addr_accessible(symmetric, next), 'fortran-accessible')
  call check_that(.not. shmem_addr_accessible(private, next), 'fortran-accessible')
  deallocate (private)

  ! Through the pointer, where there is one, a store is a put.
  symmetric = 0
  call shmem_barrier_all()
  place = shmem_ptr(symmetric, next)
  call check_that(place /= 0 .or. next /= me, 'fortran-ptr')
  if (place /= 0) then
    there = [1, 2, 3, me]
  else
    call shmem_integer_put(symmetric, [1, 2, 3, me], 4, next)
  end if
  call shmem_barrier_all()
  call check_that(all(symmetric == [1, 2, 3, before]), 'fortran-ptr')

  call shmem_clear_cache_inv()
  call shmem_set_cache_inv()
  call shmem_set_cache_line_inv(symmetric)
  call shmem_udcflush()
  call shmem_udcflush_line(symmetric)
  call check_that(all(symmetric == [1, 2, 3, before]), 'fortran-caches')

  ! Seconds.
  before_that = shmemx_wtime()
  call sleep(1)
  before_that = shmemx_wtime() - before_that
  call check_that(before_that > 0.9d0 .and. before_that < 15, 'fortran-wtime')

  ! A second init needs a second finalize, which is not the last one.
  call shmem_init()
  call shmem_finalize()
  call check_that(shmem_n_pes() == n_pes, 'fortran-finalize')
  call check_end()
end program
