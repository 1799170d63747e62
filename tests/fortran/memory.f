! SPDX-License-Identifier: BSD-3-Clause
! The symmetric heap by Cray pointers, with all codes of errors; in fixed
! form and with implicit types, as old programs are.
      PROGRAM MEMORY
      INCLUDE 'mpp/shmem.fh'
      INTEGER SHMEM_MY_PE, SHMEM_N_PES
      POINTER (PA, A(1)), (PB, B(1)), (PW, IWRONG(1))
      REAL*8 A
      INTEGER B, CODE
      REAL*8 X
      SAVE X
      PARAMETER (MAXBIG = 1000)
      INTEGER*8 PFIRST, PKEPT, PBIG(MAXBIG)

      CALL SHMEM_INIT
      CALL CHECK_BEGIN('fortran/memory')
      ME = SHMEM_MY_PE()
      NPES = SHMEM_N_PES()
      NEXT = MOD(ME + 1, NPES)
      LAST = MOD(ME + NPES - 1, NPES)

! 100 words of 64 bits are 200 of 32 bits. The array is symmetric.
      CALL CHECK_ABOUT('SHPALLOC')
      CODE = 99
      CALL SHPALLOC(PA, 200, CODE, 1)
      PFIRST = PA
      CALL CHECK_THAT(CODE .EQ. 0, 'fortran-shpalloc')
      CALL SHPALLOC(PB, 50, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. 0, 'fortran-shpalloc')
      DO I = 1, 100
         A(I) = -1
      END DO
      DO I = 1, 50
         B(I) = 1000 * ME + I
      END DO
      CALL SHMEM_BARRIER_ALL
      X = ME + 0.5D0
      DO I = 1, 100
         CALL SHMEM_PUT8(A(I), X, 1, NEXT)
      END DO
      CALL SHMEM_BARRIER_ALL
      NWRONG = 0
      DO I = 1, 100
         IF (A(I) .NE. LAST + 0.5D0) NWRONG = NWRONG + 1
      END DO
      DO I = 1, 50
         IF (B(I) .NE. 1000 * ME + I) NWRONG = NWRONG + 1
      END DO
      CALL CHECK_NONE(NWRONG, 'fortran-shpalloc')

! Longer: the contents stay, at the same place (0) or another one (1).
      CALL CHECK_ABOUT('SHPCLMOVE')
      PKEPT = PA
      CODE = 99
      CALL SHPCLMOVE(PA, 20000, CODE, 1)
      CALL CHECK_THAT(CODE .EQ. 0 .OR. CODE .EQ. 1, 'fortran-shpclmove')
      CALL CHECK_THAT((CODE .EQ. 1) .EQV. (PA .NE. PKEPT),
     &                'fortran-shpclmove')
      NWRONG = 0
      DO I = 1, 100
         IF (A(I) .NE. LAST + 0.5D0) NWRONG = NWRONG + 1
      END DO
      CALL CHECK_NONE(NWRONG, 'fortran-shpclmove')
      A(10000) = 5
      PKEPT = PA
      CALL SHPCLMOVE(PA, 20, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. 0 .AND. PA .EQ. PKEPT,
     &                'fortran-shpclmove')
      CALL CHECK_THAT(A(10) .EQ. LAST + 0.5D0, 'fortran-shpclmove')

! What is wrong has a code and changes nothing.
      CALL CHECK_ABOUT('codes of errors')
      PW = PB
      CALL SHPALLOC(PW, 0, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -1 .AND. PW .EQ. PB, 'fortran-code')
      CALL SHPALLOC(PW, -5, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -1 .AND. PW .EQ. PB, 'fortran-code')
! However large the heap is, it comes to an end.
      NBIG = -1
      CODE = 0
      DO WHILE (CODE .EQ. 0 .AND. NBIG .LT. MAXBIG)
         NBIG = NBIG + 1
         PW = PB
         CALL SHPALLOC(PW, 2000000000, CODE, 0)
         IF (CODE .EQ. 0) PBIG(NBIG + 1) = PW
      END DO
      CALL CHECK_THAT(CODE .EQ. -2 .AND. PW .EQ. PB, 'fortran-code')
      CALL SHPCLMOVE(PB, 0, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -1, 'fortran-code')
      CALL SHPCLMOVE(PB, 2000000000, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -2, 'fortran-code')
      DO I = 1, NBIG
         PW = PBIG(I)
         CALL SHPDEALLC(PW, CODE, 1)
      END DO
      PW = LOC(X)
      CALL SHPCLMOVE(PW, 10, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -3, 'fortran-code')
      CALL SHPDEALLC(PW, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -3, 'fortran-code')
      PW = 0
      CALL SHPDEALLC(PW, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -3, 'fortran-code')
      PW = LOC(B(2))
      CALL SHPDEALLC(PW, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -5, 'fortran-code')
      CALL SHPCLMOVE(PW, 10, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -5, 'fortran-code')
      CALL CHECK_THAT(B(50) .EQ. 1000 * ME + 50, 'fortran-code')

      CALL CHECK_ABOUT('SHPDEALLC')
      PW = PB
      CALL SHPDEALLC(PB, CODE, 1)
      CALL CHECK_THAT(CODE .EQ. 0, 'fortran-shpdeallc')
      CALL SHPDEALLC(PW, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -4, 'fortran-code')
      CALL SHPCLMOVE(PW, 10, CODE, 0)
      CALL CHECK_THAT(CODE .EQ. -4, 'fortran-code')
      CALL SHPDEALLC(PA, CODE, 1)
      CALL CHECK_THAT(CODE .EQ. 0, 'fortran-shpdeallc')
! All is free again: the next block is where the first one was.
      CALL SHPALLOC(PB, 1000, CODE, 1)
      CALL CHECK_THAT(CODE .EQ. 0 .AND. PB .EQ. PFIRST,
     &                'fortran-shpdeallc')
      CALL SHPDEALLC(PB, CODE, 1)
      CALL CHECK_THAT(CODE .EQ. 0, 'fortran-shpdeallc')
      CALL CHECK_END
      END
