/* SPDX-License-Identifier: BSD-3-Clause */
/* Configures the engine, exchanges address cards, and dispatches received messages. */
#include "core/network.h"

#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "boot/boot.h"
#include "core/job.h"
#include "core/wait.h"
#include "mem/static_data.h"
#include "net/gather/gather.h"
#include "net/open.h"

static TERN_PE_LOCAL tern_message_handler *handlers[TERN_MESSAGE_KINDS];
static TERN_PE_LOCAL void (*lost_handler)(int pe, const char *why);
static TERN_PE_LOCAL void (*hold_handler)(void);

void tern_network_on_message(enum tern_message_kind kind, tern_message_handler *handler)
{
    handlers[kind] = handler;
}

void tern_network_on_lost(void (*handler)(int pe, const char *why), void (*hold)(void))
{
    lost_handler = handler;
    hold_handler = hold;
}

/* Rings for an access or a message from another node, which rings no bell by itself. */
static void landed(void)
{
    tern_bell_ring(&tern_job.bells[tern_job.pe]);
}

static void received(int from, const void *message, size_t bytes)
{
    struct tern_message head;

    if (bytes < sizeof head)
        return;
    memcpy(&head, message, sizeof head);
    if (head.kind < TERN_MESSAGE_KINDS && handlers[head.kind])
        handlers[head.kind](from, message, bytes);
    landed();
}

static void lost(int pe, const char *why)
{
    if (lost_handler)
        lost_handler(pe, why);
}

static void stay(void)
{
    if (hold_handler)
        hold_handler();
}

static void error(const char *text)
{
    tern_error("%s", text);
}

static void debug(const char *text)
{
    tern_debug("%s", text);
}

/* Together with the failure detector's delay this is less than ten seconds. */
#define FIRST_ANSWER_S 5

static unsigned first_answer_s(long lost_after)
{
    return lost_after < 0 ? FIRST_ANSWER_S : (unsigned)lost_after;
}

static struct tern_net_host make_host(const struct tern_boot *boot)
{
    const struct tern_static_data *image = tern_static_data_own();
    const struct tern_settings *settings = tern_settings();

    return (struct tern_net_host){
        .pe = boot->pe,
        .n_pes = boot->n_pes,
        .provider = settings->provider,
        .interface = settings->interface,
        .loopback = boot->machine_n_pes == boot->n_pes,
        .first_answer_s = first_answer_s(settings->lost_after),
        .segments = {[TERN_NET_HEAP] = {tern_job.heap_start, tern_job.arena.heap_bytes},
                     [TERN_NET_STATIC] = {(void *)image->start, image->bytes}},
        .card = tern_boot_card,
        .landed = landed,
        .received = received,
        .lost = lost,
        .stay = stay,
        .no_memory = tern_limit_no_memory,
        .explain = tern_limit_explain,
        .error = error,
        .debug = debug,
    };
}

static TERN_PE_LOCAL struct tern_net_host host; /* the engine keeps a pointer to it */

/* The address card: the engine's part, and what other PEs need to know of this PE's static data. */
struct card {
    unsigned char engine[TERN_NET_CARD_BYTES];
    uint32_t program;          /* for tern_network_program() */
    uint32_t static_is_shared; /* with the PEs of its node */
};

_Static_assert(sizeof(struct card) <= TERN_BOOT_CARD_BYTES, "the card is too long");

uint32_t tern_network_program(int pe)
{
    const struct card *card = tern_boot_card(pe);

    return card->program;
}

bool tern_network_shares_static(int pe)
{
    const struct card *card = tern_boot_card(pe);

    return card->static_is_shared && card->program == tern_static_data_own()->program;
}

static int open_network(void *card, const struct tern_gather_job *gathering)
{
    int r = tern_net_open(tern_settings()->network, tern_gather_host(&host, gathering), card);

    if (!r && tern_settings()->gather)
        tern_net = tern_gather_start(tern_net);
    return r;
}

void tern_network_share(void)
{
    tern_gather_share();
}

int tern_network_start(const struct tern_gather_job *gathering)
{
    const struct tern_static_data *image = tern_static_data_own();
    struct card card = {
        .program = image->program,
        .static_is_shared = tern_job.boot->node_n_pes == 1 || !image->unshared,
    };
    int r;

    host = make_host(tern_job.boot);
    r = open_network(card.engine, gathering);
    if (!r)
        r = tern_boot_exchange(&card, sizeof card);
    if (!r)
        r = tern_net->connect();
    if (r)
        return r;
    tern_wait_hooks.rest = tern_net->rest;
    tern_wait_hooks.progress = tern_net->progress;
    return 0;
}
