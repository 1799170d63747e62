/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the job of a launcher that knows nothing of Tern, over the protocol that it speaks. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/memory_budget.h"
#include "boot/external/cards.h"
#include "boot/external/hello.h"
#include "boot/external/identity.h"
#include "boot/external/pe_lock.h"
#include "boot/external/protocol.h"
#include "boot/external/rendezvous.h"
#include "boot/external/values.h"
#include "boot/nodes.h"
#include "boot/ops.h"

#define HELLO_KEY "tern-hello"

static const struct tern_protocol *const protocols[] = {&tern_protocol_pmi, &tern_protocol_pmix};

#define N_PROTOCOLS (sizeof protocols / sizeof protocols[0])

static TERN_PE_LOCAL struct {
    const struct tern_protocol *protocol; /* of the list, once this PE is attached */
    struct tern_values values;            /* once it has joined */
    struct tern_protocol_job job;
    struct tern_cards cards;
    int *images; /* of the node's PEs, where their processes can't be seen; else NULL */
} joined;

/* ---- before main ---- */

/*
 * oshrun removes these launchers' variables from the environment of its PEs. If there are any, they
 * are therefore newer than oshrun's.
 */
static const struct tern_protocol *find_protocol(char *const *envp,
                                                 struct tern_protocol_place *place,
                                                 struct tern_start_error *start_error)
{
    for (size_t i = 0; i < N_PROTOCOLS; i++)
        if (protocols[i]->find(envp, place, start_error)) {
            *start_error = (struct tern_start_error){0};
            return protocols[i];
        }
    return NULL;
}

static enum tern_role attach(char *const *envp, struct tern_boot *boot,
                             struct tern_start_error *start_error)
{
    struct tern_protocol_place place = {0};
    const struct tern_protocol *protocol = find_protocol(envp, &place, start_error);

    if (!protocol)
        return TERN_ROLE_UNKNOWN;
    if (!tern_pe_lock_take(place.lock_key))
        return TERN_ROLE_CHILD;
    joined.protocol = protocol;
    boot->pe = place.pe;
    boot->n_pes = place.n_pes;
    boot->shares = place.n_pes != 1;
    boot->alone = false;
    boot->exit_report = protocol->is_library ? TERN_EXIT_REPORT_EARLY : TERN_EXIT_REPORT_LAST;
    return TERN_ROLE_PE;
}

/* ---- the hello record ---- */

static int make_hello(const struct tern_boot_request *request, struct tern_hello *hello)
{
    uint64_t system, machine;
    int r = tern_identity_find(joined.job.id, &system, &machine);

    if (r)
        return tern_limit_report(-r, "the machine can't be identified");
    *hello = (struct tern_hello){
        .protocol = TERN_HELLO_PROTOCOL,
        .version = TERN_VERSION,
        .system = system,
        .place.machine = machine,
        .place.split = {request->split, request->cyclic},
        .heap = request->heap,
        .memory = request->heap ? 0 : tern_memory_budget_here(),
    };

    if (getrandom(&hello->nonce, sizeof hello->nonce, 0) == sizeof hello->nonce)
        return 0;
    tern_error("the system gives no random number (getrandom): %s", strerror(errno));
    return -EIO;
}

static int get_hellos(struct tern_hello *hellos, int n)
{
    char text[TERN_HELLO_BYTES];

    for (int pe = 0; pe < n; pe++) {
        int r = tern_values_get(&joined.values, pe, HELLO_KEY, text, sizeof text);

        if (!r && tern_hello_read(text, &hellos[pe]) != 0)
            r = tern_values_refuse(pe, text);
        if (r)
            return r;
    }
    return 0;
}

static int compare_hellos(const struct tern_hello *hellos, int n, int me)
{
    char text[300];
    int r = tern_hello_compare(hellos, n, me, text, sizeof text);

    if (r)
        tern_error("%s", text);
    return r;
}

static int find_firsts(const struct tern_hello *hellos, int n)
{
    joined.cards.firsts = tern_hello_firsts(hellos, n);
    if (joined.cards.firsts)
        return 0;
    return tern_limit_report(ENOMEM, "there is no list of the machines of the job's %d PEs", n);
}

/* Only one PE of a machine reads all records: each takes the launcher a round trip. */
static int serve(int fd, int n, int me, int image, struct tern_rendezvous *made)
{
    struct tern_hello *hellos = calloc((size_t)n, sizeof *hellos);
    int r;

    if (!hellos) {
        close(fd);
        return tern_limit_report(ENOMEM, "the start-up records of the job's %d PEs can't be read",
                                 n);
    }
    r = get_hellos(hellos, n);
    if (!r)
        r = compare_hellos(hellos, n, me);
    if (!r)
        r = find_firsts(hellos, n);
    r = tern_rendezvous_serve(fd, hellos, n, me, r, image, made);
    free(hellos);
    return r;
}

static int meet(const struct tern_boot_request *request, int n, int me, struct tern_rendezvous *met)
{
    struct tern_hello hello;
    char text[TERN_HELLO_BYTES];
    int server, r = make_hello(request, &hello);

    if (r)
        return r;
    server = tern_rendezvous_open(joined.job.id);
    if (server < 0 && server != -EADDRINUSE) {
        return tern_limit_report(-server,
                                 "no local socket can be made for the PEs of this machine to meet");
    }
    tern_hello_write(&hello, text);
    r = tern_values_put(&joined.values, HELLO_KEY, text);
    if (!r)
        r = joined.protocol->fence();
    if (r && server >= 0)
        close(server);
    if (r)
        return r;
    if (server >= 0)
        return serve(server, n, me, request->image_fd, met);
    return tern_rendezvous_meet(joined.job.id, me, hello.nonce, request->image_fd, met);
}

/* ---- the result ---- */

static void be_only_pe(struct tern_boot *boot, const struct tern_boot_request *request)
{
    static const struct tern_pe_range myself = {0, 1, 1};

    boot->nodes = &myself;
    boot->n_nodes = boot->node_n_pes = boot->machine_n_pes = boot->system_n_pes = 1;
    if (!request->heap)
        boot->memory = tern_memory_budget_here();
}

static void take_place(struct tern_boot *boot, const struct tern_rendezvous *met)
{
    const struct tern_machine_area *m = joined.cards.machine = met->machine;

    joined.images = met->images;
    boot->n_nodes = (int)m->n_nodes;
    boot->nodes = m->nodes;
    boot->node = met->node;
    boot->node_pe = tern_boot_node_pe(boot, boot->pe);
    boot->node_n_pes = m->nodes[met->node].size;
    boot->machine_n_pes = (int)m->n_here;
    boot->system_n_pes = (int)m->n_near;
    boot->memory = m->memory;
    boot->fd = met->fd;
    boot->offset = tern_job_head_bytes((uint32_t)boot->node_n_pes, 0);
    boot->area = met->area;
    boot->slots = met->area->slots;
    boot->slot_stride = 1;
    boot->slot = tern_boot_slot(boot, boot->node_pe);
    tern_store_release(&boot->slot->phase, TERN_SLOT_CLAIMED);
}

static int join(struct tern_boot *boot, const struct tern_boot_request *request)
{
    const struct tern_protocol *protocol = joined.protocol;
    struct tern_rendezvous met;
    int r = protocol->connect(&joined.job);

    if (r)
        return r;
    if (joined.job.pe != boot->pe || (boot->n_pes && joined.job.n_pes != boot->n_pes)) {
        tern_error("the launcher (%s) says that this is PE %d of %d, but its environment "
                   "variables say PE %d of %d: do not change the launcher's variables, and start "
                   "the program by the launcher itself",
                   protocol->name, joined.job.pe, joined.job.n_pes, boot->pe, boot->n_pes);
        return -EPROTO;
    }
    if (joined.job.pe < 0 || joined.job.pe >= joined.job.n_pes) {
        tern_error("the launcher (%s) says that this is PE %d of %d, which can't be",
                   protocol->name, joined.job.pe, joined.job.n_pes);
        return -EPROTO;
    }
    if (joined.job.n_pes > TERN_JOB_MOST_PES_OF_ALL) {
        tern_error("the launcher (%s) says that the job has %d PEs, and Tern can serve %d",
                   protocol->name, joined.job.n_pes, TERN_JOB_MOST_PES_OF_ALL);
        return -E2BIG;
    }
    joined.values = (struct tern_values){protocol, joined.job.most_value_bytes};
    joined.cards.values = &joined.values;
    boot->n_pes = joined.job.n_pes;
    if (boot->n_pes == 1) {
        be_only_pe(boot, request);
        return 0;
    }
    r = meet(request, boot->n_pes, boot->pe, &met);
    if (!r)
        take_place(boot, &met);
    return r;
}

/* ---- cards ---- */

static int exchange(const struct tern_boot *boot, const void *card, size_t bytes)
{
    return tern_cards_exchange(&joined.cards, boot, card, bytes);
}

static const void *read_card(const struct tern_boot *boot, int pe)
{
    return tern_cards_at(joined.cards.machine, pe);
}

/* ---- images ---- */

/*
 * The other process may have closed the descriptor, and opened another file by that number. 0 if it
 * has not, or -errno.
 */
static int find_image(const char *path, const struct tern_slot *slot)
{
    char target[64] = "";
    struct stat st;

    if (readlink(path, target, sizeof target - 1) < 0 || stat(path, &st) != 0)
        return -errno;
    return strncmp(target, "/memfd:tern-image", 17) == 0 &&
                   (uint64_t)st.st_size == tern_load_acquire(&slot->image_bytes)
               ? 0
               : -ENOENT;
}

static int open_image(const struct tern_boot *boot, int node_pe, uint64_t *offset)
{
    const struct tern_slot *slot = tern_boot_slot(boot, node_pe);
    char path[64];
    int fd, r;

    *offset = 0;
    if (joined.images) { /* the caller gets it: a copy could exceed the limit on open files */
        fd = joined.images[node_pe];
        joined.images[node_pe] = -1;
        return fd < 0 ? -ENOENT : fd;
    }
    snprintf(path, sizeof path, "/proc/%d/fd/%d", slot->pid, slot->image_fd);
    r = find_image(path, slot);
    if (r)
        return r;
    fd = open(path, O_RDWR | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* ---- the end ---- */

static int watch(void)
{
    return joined.protocol->watch();
}

/* Counts this PE for those that wait for it: this launcher does not. */
static void vacate(const struct tern_boot *boot, int status)
{
    tern_store_release(&boot->slot->exiting, TERN_EXITING | ((uint32_t)status & 0xff));
    if (status != 0)
        return;
    tern_store_relaxed(&boot->area->last_departed, (uint32_t)(boot->slot - boot->area->slots));
    tern_fetch_add(&boot->area->departed, 1);
}

static void leave(void)
{
    joined.protocol->leave();
}

static void abort_job(int status)
{
    joined.protocol->abort(status);
}

static bool abort_keeps(int status)
{
    return joined.protocol->abort_keeps(status);
}

const struct tern_boot_ops tern_external_ops = {
    .attach = attach,
    .join = join,
    .exchange = exchange,
    .card = read_card,
    .open_image = open_image,
    .watch = watch,
    .vacate = vacate,
    .leave = leave,
    .abort = abort_job,
    .abort_keeps = abort_keeps,
    .forget = tern_pe_lock_forget,
};
