/* SPDX-License-Identifier: BSD-3-Clause */
/* The address card, and the arithmetic from symmetric offsets to addresses. */
#include "net/ofi/card.h"

#include <errno.h>
#include <rdma/fi_cm.h>
#include <string.h>
#include <sys/random.h>

#include "base/log.h"
#include "net/ofi/address.h"
#include "net/ofi/engine.h"
#include "net/ofi/log.h"
#include "net/ofi/wire.h"

_Static_assert(sizeof(struct ofi_card) <= TERN_NET_CARD_BYTES, "the card is too long");

/* Cut off if the name is too long. Peers compare these bytes. */
static void copy_name(char *to, size_t bytes, const char *name)
{
    size_t n = strnlen(name, bytes - 1);

    memset(to, 0, bytes);
    memcpy(to, name, n);
}

static void put_segments(struct ofi_card *card)
{
    bool is_virtual = ofi.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;

    card->mr_mode_virtual = is_virtual;
    for (int i = 0; i < TERN_NET_SEGMENTS; i++) {
        if (!ofi.mr[i])
            continue;
        card->segments[i].base = is_virtual ? (uint64_t)(uintptr_t)ofi.host->segments[i].start : 0;
        card->segments[i].key = fi_mr_key(ofi.mr[i]);
    }
}

int ofi_card_write(void *to)
{
    struct ofi_card card = {.magic = OFI_CARD_MAGIC, .protocol = OFI_PROTOCOL};
    size_t bytes = sizeof card.address;
    int r = fi_getname(&OFI_DEFAULT->ep->fid, card.address, &bytes);

    if (r) {
        char why[TERN_LIMIT_ERROR_BYTES];

        ofi_log_explain(r, why);
        ofi_log(ofi.host->error, "libfabric does not report the address of this PE: %s", why);
        return r;
    }
    card.address_bytes = (uint8_t)bytes;
    if (getrandom(&card.token, sizeof card.token, 0) != sizeof card.token) {
        ofi_log(ofi.host->error, "the system gives no random number (getrandom): %s",
                strerror(errno));
        return -EIO;
    }
    copy_name(card.version, sizeof card.version, TERN_VERSION);
    copy_name(card.provider, sizeof card.provider, ofi.info->fabric_attr->prov_name);
    put_segments(&card);
    memcpy(to, &card, sizeof card);
    return 0;
}

static const struct ofi_card *card_of(int pe)
{
    return ofi.host->card(pe);
}

int ofi_card_check(int pe)
{
    const struct ofi_card *theirs = card_of(pe), *own = card_of(ofi.host->pe);

    if (theirs->magic != OFI_CARD_MAGIC || theirs->protocol != own->protocol ||
        memcmp(theirs->version, own->version, sizeof own->version)) {
        ofi_log(
            ofi.host->error,
            "PE %d runs Tern %s (network protocol %u), PE %d another version%s%.*s: install the "
            "same version on all hosts",
            ofi.host->pe, own->version, own->protocol, pe,
            theirs->magic == OFI_CARD_MAGIC ? ", " : "", (int)sizeof theirs->version,
            theirs->magic == OFI_CARD_MAGIC ? theirs->version : "");
        return -EPROTO;
    }
    if (memcmp(theirs->provider, own->provider, sizeof own->provider) ||
        theirs->mr_mode_virtual != own->mr_mode_virtual) {
        ofi_log(ofi.host->error,
                "PE %d uses libfabric's provider %s, but PE %d uses %s: set SHMEM_PROVIDER to one "
                "that all hosts have",
                ofi.host->pe, own->provider, pe, theirs->provider);
        return -EPROTO;
    }
    if (ofi_address_is_ip(ofi.info->addr_format) && theirs->address_bytes != own->address_bytes) {
        ofi_log(ofi.host->error,
                "of PE %d and PE %d, one has an IPv4 address and the other an IPv6 address: set "
                "SHMEM_INTERFACE to a network that all hosts have" TERN_SEE("Networks"),
                ofi.host->pe, pe);
        return -EPROTO;
    }
    return 0;
}

const void *ofi_card_address(int pe)
{
    return card_of(pe)->address;
}

uint64_t ofi_card_token(int pe)
{
    return card_of(pe)->token;
}

/* One comparison of whole words: its time tells nothing about the bits that differ. */
bool ofi_card_is_own_token(uint64_t token)
{
    return token == card_of(ofi.host->pe)->token;
}

bool ofi_card_has(const void *addr, size_t bytes, enum tern_net_segment *segment)
{
    for (unsigned i = 0; i < TERN_NET_SEGMENTS; i++) {
        size_t length = ofi.host->segments[i].bytes;
        uintptr_t at = (uintptr_t)addr - (uintptr_t)ofi.host->segments[i].start;

        if (at < length && bytes <= length - at) {
            *segment = (enum tern_net_segment)i;
            return true;
        }
    }
    return false;
}

void ofi_card_remote(int pe, uint64_t offset, uint64_t *addr, uint64_t *key)
{
    const struct ofi_card *card = card_of(pe);
    enum tern_net_segment segment = tern_net_segment_of(offset);

    *addr = card->segments[segment].base + tern_net_distance_of(offset);
    *key = card->segments[segment].key;
}

void *ofi_card_own(unsigned segment, uint64_t offset, uint64_t bytes)
{
    size_t length;

    if (segment >= TERN_NET_SEGMENTS)
        return NULL;
    length = ofi.host->segments[segment].bytes;
    if (offset > length || bytes > length - offset)
        return NULL;
    return (char *)ofi.host->segments[segment].start + offset;
}
