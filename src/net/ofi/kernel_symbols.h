/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps libfabric from reading the kernel's symbols where it could not use what it finds. */
#ifndef TERN_NET_OFI_KERNEL_SYMBOLS_H
#define TERN_NET_OFI_KERNEL_SYMBOLS_H

/*
 * Before the first call of fi_getinfo(), and after it. While hidden, libfabric itself finds no
 * /proc/kallsyms; other code of the process still does. Nothing is hidden on a machine with RDMA
 * devices, or where libfabric's relocations are not found.
 */
void ofi_kernel_symbols_hide(void);
void ofi_kernel_symbols_show(void);

#endif
