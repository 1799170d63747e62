/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of variables, words and files that the settings, oshrun and the tools share. There is no
 * object file, because tools are loaded in front of other libraries, too.
 */
#ifndef TERN_BASE_TOOL_PROTOCOL_H
#define TERN_BASE_TOOL_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The variable with the seed of the chaos tool, and the default. */
#define TERN_CHAOS_VARIABLE "SHMEM_CHAOS"
#define TERN_CHAOS_SEED "1"
#define TERN_CHAOS_EXPECTS "a whole number below 2^64"

/*
 * The modes of the check, a list of words with commas: whether a PE stops at a finding, and whether
 * data races are checked. Then the exit status of a PE with findings.
 */
#define TERN_CHECK_VARIABLE "SHMEM_CHECK"
#define TERN_CHECK_GO "go"
#define TERN_CHECK_STOP "stop"
#define TERN_CHECK_RACES "races"
#define TERN_CHECK_STATUS 66

/* Whether the text is such a list; an empty one means TERN_CHECK_GO. */
static inline bool tern_check_mode_read(const char *mode, bool *stops, bool *races)
{
    for (size_t n; *mode; mode += n + (mode[n] == ',')) {
        n = strcspn(mode, ",");
        if (n == strlen(TERN_CHECK_STOP) && strncmp(mode, TERN_CHECK_STOP, n) == 0)
            *stops = true;
        else if (n == strlen(TERN_CHECK_RACES) && strncmp(mode, TERN_CHECK_RACES, n) == 0)
            *races = true;
        else if (n != strlen(TERN_CHECK_GO) || strncmp(mode, TERN_CHECK_GO, n) != 0)
            return false;
    }
    return true;
}

/* After how many seconds in one call the check prints what PEs wait for. */
#define TERN_CHECK_HANG_VARIABLE "SHMEM_CHECK_HANG"
#define TERN_CHECK_HANG_DEFAULT "30"
#define TERN_CHECK_HANG_MOST INT32_MAX

/* The variable that makes PEs print backtraces, and the value that oshrun --check gives it. */
#define TERN_BACKTRACE_VARIABLE "SHMEM_BACKTRACE"
#define TERN_BACKTRACE_AUTO "auto"

/* The folder of a profile, and the file that each PE writes there. */
#define TERN_PROFILE_VARIABLE "SHMEM_PROFILE"
#define TERN_PROFILE_FOLDER "tern-profile"
#define TERN_PROFILE_PART "pe-%u.bin"

/* When the job ended, in ns of CLOCK_MONOTONIC: oshrun sets it for tern-profile. */
#define TERN_PROFILE_ENDED_VARIABLE "TERN_PROFILE_ENDED"

/* Whether a file of that folder was written by a PE, by its name; *pe: its number. */
static inline bool tern_profile_is_part(const char *name, unsigned *pe)
{
    char whole[32];

    if (sscanf(name, TERN_PROFILE_PART, pe) != 1)
        return false;
    snprintf(whole, sizeof whole, TERN_PROFILE_PART, *pe);
    return strcmp(name, whole) == 0;
}

#endif
