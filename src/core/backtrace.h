/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the calls that led to a crash or a fatal mistake of this PE (SHMEM_BACKTRACE). */
#ifndef TERN_CORE_BACKTRACE_H
#define TERN_CORE_BACKTRACE_H

#include "boot/boot.h"

/*
 * To be called at each init, after the settings were read. If SHMEM_BACKTRACE or SHMEM_DEBUG asks
 * for it, handles SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, except those that the program
 * handles or ignores, and fatal mistakes. After a signal, the process ends by it as it would have
 * without the handler. Returns 0, or -EINVAL after a message about the setting.
 */
int tern_backtrace_install(const struct tern_boot *boot);

#endif
