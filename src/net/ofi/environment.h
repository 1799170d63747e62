/* SPDX-License-Identifier: BSD-3-Clause */
/* Defaults for libfabric's own variables of the environment, unless the user has set them. */
#ifndef TERN_NET_OFI_ENVIRONMENT_H
#define TERN_NET_OFI_ENVIRONMENT_H

/* Both return 0 or -FI_ENOMEM. Before the first call of libfabric, and after it. */
int ofi_environment_set_defaults(int n_pes);
/* Before an endpoint of tcp;ofi_rxm is made, and after it. One thread at a time. */
int ofi_environment_set_eager_limit(void);
void ofi_environment_restore(void);

#endif
