/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that makes progress while the PE computes. */
#ifndef TERN_NET_OFI_PROGRESS_THREAD_H
#define TERN_NET_OFI_PROGRESS_THREAD_H

#include <stdint.h>

int ofi_progress_thread_start(void);
void ofi_progress_thread_stop(void);
/* The PE polls the network itself, and will continue. Returns the number of its polls. */
uint32_t ofi_progress_thread_polled(void);
/* The PE stops polling. */
void ofi_progress_thread_take_over(void);
/* A channel was opened or closed. */
void ofi_progress_thread_channels_changed(void);

#endif
