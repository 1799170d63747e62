! SPDX-License-Identifier: BSD-3-Clause
! A program of the time before SHMEM_INIT: START_PES, MY_PE, NUM_PES, and
! no end but the program's own. It prints one line, with the PEs' sum.
      PROGRAM OLD
      INCLUDE 'shmem.fh'
      INTEGER MY_PE, NUM_PES
      COMMON /GRID/ FIELD(64), TOTAL
      REAL*8 FIELD, TOTAL
      COMMON /WORK/ PWRK(SHMEM_REDUCE_MIN_WRKDATA_SIZE)
      REAL*8 PWRK
      INTEGER PSYNC(SHMEM_REDUCE_SYNC_SIZE)
      SAVE PSYNC
      DATA PSYNC /SHMEM_REDUCE_SYNC_SIZE*SHMEM_SYNC_VALUE/

      CALL START_PES(0)
      ME = MY_PE()
      DO 10 I = 1, 64
         FIELD(I) = ME
 10   CONTINUE
      CALL SHMEM_BARRIER_ALL()
      CALL SHMEM_REAL8_SUM_TO_ALL(TOTAL, FIELD(3), 1, 0, 0, NUM_PES(),
     &                            PWRK, PSYNC)
      IF (ME .EQ. 0) PRINT '(A,I0,A,I0)', 'PES ', NUM_PES(),
     &   ' SUM ', INT(TOTAL)
      END
