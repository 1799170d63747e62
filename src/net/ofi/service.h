/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of peers. */
#ifndef TERN_NET_OFI_SERVICE_H
#define TERN_NET_OFI_SERVICE_H

#include <stddef.h>
#include <stdint.h>

#include "net/ofi/wire.h"

void ofi_service_take(const struct ofi_frame *head, const void *body, size_t bytes);
uint64_t ofi_service_count(void); /* requests that were carried out */
void ofi_service_answer(void);    /* sends the acknowledgements that are due */

#endif
