! SPDX-License-Identifier: BSD-3-Clause
! Reductions over active sets. Expected values are computed here from what all members have.
program reduce
  implicit none

  call shmem_init()
  call check_begin('fortran/reduce')
#define TEMPLATE "call.inc"
#include "reduce_kinds.inc"
#undef TEMPLATE
  call check_end()
end program

#define TEMPLATE "reduce.inc"
#include "reduce_kinds.inc"
