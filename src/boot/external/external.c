/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the job of a launcher that knows nothing of Tern, over the protocol that it speaks. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/boot_id.h"
#include "base/log.h"
#include "base/memory_budget.h"
#include "boot/exchange.h"
#include "boot/external/hello.h"
#include "boot/external/pe_lock.h"
#include "boot/external/protocol.h"
#include "boot/external/rendezvous.h"
#include "boot/nodes.h"
#include "boot/ops.h"
#include "boot/text.h"

/* Keys and the parts of a long value: "tern-card.1" is the second part. */
#define HELLO_KEY "tern-value"
#define CARD_KEY "tern-card"
#define KEY_BYTES 32

/* All PEs have passed the rendezvous. What they do next can last if a heap is touched in advance.
 */
#define EXCHANGE_WITHIN_S 300

static const struct tern_protocol *const protocols[] = {&tern_protocol_pmi, &tern_protocol_pmix};

#define N_PROTOCOLS (sizeof protocols / sizeof protocols[0])

static TERN_PE_LOCAL struct {
    const struct tern_protocol *protocol; /* of the list, once this PE is attached */
    struct tern_protocol_job job;
    struct tern_machine_area *machine;
    unsigned char *here; /* on the server of a machine: which PEs are on it; elsewhere NULL */
    int *images;         /* of the node's PEs, where their processes can't be seen; else NULL */
} joined;

/* ---- before main ---- */

/*
 * oshrun takes these launchers' variables out of the environment of its PEs, so where they are,
 * they are newer than oshrun's.
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

/* ---- where this PE is ---- */

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

/* The network namespace by number: abstract sockets live in it. */
static uint64_t network_namespace(void)
{
    uint64_t cookie = 0;
    socklen_t bytes = sizeof cookie;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct stat st;

    if (fd >= 0) {
        if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &bytes) != 0)
            cookie = 0;
        close(fd);
    }
    if (!cookie && stat("/proc/self/ns/net", &st) == 0)
        cookie = st.st_ino;
    return cookie;
}

/* The running system: names of hosts can be equal, or differ between containers of one. */
static uint64_t identify_system(void)
{
    char name[TERN_BOOT_ID_BYTES];
    struct utsname host;

    if (!tern_boot_id_read(name) && uname(&host) == 0)
        snprintf(name, sizeof name, "%s", host.nodename);
    return tern_text_hash(0, name);
}

/* Equal for PEs that can meet under the job's name. */
static uint64_t identify_machine(uint64_t system, uint64_t job)
{
    char text[100];

    snprintf(text, sizeof text, "%" PRIx64 " %" PRIx64 " %" PRIx64, system, network_namespace(),
             job);
    return tern_text_hash(0, text);
}

/* ---- values of any length ---- */

/* The last character of a part. */
#define MORE_FOLLOWS '+'
#define ENDS_HERE '.'

static size_t most_in_part(size_t part_bytes)
{
    size_t most = joined.job.most_value_bytes;

    return (most < part_bytes ? most : part_bytes - 1) - 1;
}

static int put(const char *key, const char *text)
{
    char part_key[KEY_BYTES], part[1024];
    size_t most = most_in_part(sizeof part);
    int r, i = 0;

    do {
        size_t n = strnlen(text, most);

        snprintf(part_key, sizeof part_key, "%s.%d", key, i++);
        snprintf(part, sizeof part, "%.*s%c", (int)n, text, text[n] ? MORE_FOLLOWS : ENDS_HERE);
        r = joined.protocol->put(part_key, part);
        text += n;
    } while (!r && *text);
    return r;
}

static int no_sense(int pe, const char *text)
{
    tern_error("what PE %d has told the launcher makes no sense: \"%.60s\"", pe, text);
    return -EPROTO;
}

static int get(int pe, const char *key, char *text, size_t text_bytes)
{
    char part_key[KEY_BYTES], part[1025], *end = text, last;
    int r, i = 0;

    do {
        size_t n;

        snprintf(part_key, sizeof part_key, "%s.%d", key, i++);
        r = joined.protocol->get(pe, part_key, part, sizeof part);
        if (r)
            return r;
        n = strlen(part);
        last = n ? part[n - 1] : '\0';
        if ((last != MORE_FOLLOWS && last != ENDS_HERE) || n > (size_t)(text + text_bytes - end))
            return no_sense(pe, part);
        memcpy(end, part, n - 1);
        end += n - 1;
        *end = '\0';
    } while (last == MORE_FOLLOWS);
    return 0;
}

/* ---- the hello record ---- */

static struct tern_hello make_hello(const struct tern_boot_request *request)
{
    uint64_t system = identify_system();
    struct tern_hello hello = {
        .protocol = TERN_HELLO_PROTOCOL,
        .version = TERN_VERSION,
        .system = system,
        .place.machine = identify_machine(system, joined.job.id),
        .place.split = {request->split, request->cyclic},
        .heap = request->heap,
        .memory = request->heap ? 0 : tern_memory_budget_here(),
    };

    if (getrandom(&hello.nonce, sizeof hello.nonce, 0) != sizeof hello.nonce)
        hello.nonce = (uint64_t)getpid();
    return hello;
}

static int get_hellos(struct tern_hello *hellos, int n)
{
    char text[TERN_HELLO_BYTES];

    for (int pe = 0; pe < n; pe++) {
        int r = get(pe, HELLO_KEY, text, sizeof text);

        if (!r && tern_hello_read(text, &hellos[pe]) != 0)
            r = no_sense(pe, text);
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

static void remember_who_is_here(const struct tern_hello *hellos, int n, int me)
{
    joined.here = calloc((size_t)n, 1);
    for (int pe = 0; joined.here && pe < n; pe++)
        joined.here[pe] = hellos[pe].place.machine == hellos[me].place.machine;
}

/* Only one PE of a machine reads what all have said: a launcher answers for each value by itself.
 */
static int serve(int fd, int n, int me, int image, struct tern_rendezvous *made)
{
    struct tern_hello *hellos = calloc((size_t)n, sizeof *hellos);
    int r;

    if (!hellos) {
        tern_error("there is no memory for the start-up records of the job's %d PEs", n);
        close(fd);
        return -ENOMEM;
    }
    r = get_hellos(hellos, n);
    if (!r)
        r = compare_hellos(hellos, n, me);
    r = tern_rendezvous_serve(fd, hellos, n, me, r, image, made);
    if (!r)
        remember_who_is_here(hellos, n, me);
    free(hellos);
    return r;
}

static int meet(const struct tern_boot_request *request, int n, int me, struct tern_rendezvous *met)
{
    struct tern_hello hello = make_hello(request);
    char text[TERN_HELLO_BYTES];
    int server = tern_rendezvous_open(joined.job.id), r;

    if (server < 0 && server != -EADDRINUSE) {
        tern_error("no local socket can be made for the PEs of this machine to meet: %s",
                   strerror(-server));
        return server;
    }
    tern_hello_write(&hello, text);
    r = put(HELLO_KEY, text);
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
    const struct tern_machine_area *m = joined.machine = met->machine;

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
        tern_error("the launcher (%s) says that this is PE %d of %d, but its words in the "
                   "environment were others",
                   protocol->name, joined.job.pe, joined.job.n_pes);
        return -EPROTO;
    }
    if (joined.job.n_pes > TERN_JOB_MOST_PES_OF_ALL) {
        tern_error("the launcher (%s) says that the job has %d PEs, and Tern can serve %d",
                   protocol->name, joined.job.n_pes, TERN_JOB_MOST_PES_OF_ALL);
        return -E2BIG;
    }
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

static struct tern_boot_card *card_of(int pe)
{
    char *cards = (char *)joined.machine + tern_machine_cards_offset(joined.machine->n_nodes);

    return (struct tern_boot_card *)cards + pe;
}

static const void *read_card(const struct tern_boot *boot, int pe)
{
    return card_of(pe);
}

static int await(const struct tern_boot *boot, const uint32_t *word, uint32_t enough)
{
    const struct tern_exchange exchange = {
        .word = word,
        .enough = enough,
        .cards = card_of(0),
        .n_pes = boot->n_pes,
        .area = boot->area,
        .within_s = EXCHANGE_WITHIN_S,
    };

    return tern_exchange_await(&exchange);
}

enum { CARDS_MISSING, CARDS_COMPLETE, CARDS_FAILED };

#define CARD_TEXT_BYTES ((TERN_BOOT_CARD_BYTES * 4 + 2) / 3 + 1)

static int get_card(int pe)
{
    char text[CARD_TEXT_BYTES];
    int r = get(pe, CARD_KEY, text, sizeof text);

    if (!r && tern_text_unpack(text, card_of(pe), TERN_BOOT_CARD_BYTES) != 0)
        r = no_sense(pe, text);
    return r;
}

static int get_cards_of_others(void)
{
    int r = 0;

    for (int pe = 0; !r && pe < joined.job.n_pes; pe++)
        if (!joined.here[pe])
            r = get_card(pe);
    return r;
}

static int exchange_through_launcher(void)
{
    char text[CARD_TEXT_BYTES];
    int r;

    tern_text_pack(card_of(joined.job.pe), TERN_BOOT_CARD_BYTES, text);
    r = put(CARD_KEY, text);
    if (!r)
        r = joined.protocol->fence();
    if (!r && joined.here)
        r = get_cards_of_others();
    if (joined.here)
        tern_store_release(&joined.machine->complete, r ? CARDS_FAILED : CARDS_COMPLETE);
    return r;
}

static int exchange(const struct tern_boot *boot, const void *card, size_t bytes)
{
    struct tern_machine_area *m = joined.machine;
    int r;

    memcpy(card_of(joined.job.pe), card, bytes);
    tern_fetch_add(&m->exchanged, 1);
    if (m->n_here < m->n_pes) {
        r = exchange_through_launcher();
        if (r)
            return r;
        r = await(boot, &m->complete, CARDS_COMPLETE);
        if (r)
            return r;
        if (tern_load_relaxed(&m->complete) == CARDS_FAILED)
            return -EPROTO; /* who read them has said so */
    }
    return await(boot, &m->exchanged, m->n_here);
}

/* ---- images ---- */

/* The descriptor of another process, which may have closed it and opened something else. */
static bool is_image(const char *path, const struct tern_slot *slot)
{
    char target[64] = "";
    struct stat st;

    return readlink(path, target, sizeof target - 1) > 0 &&
           strncmp(target, "/memfd:tern-image", 17) == 0 && stat(path, &st) == 0 &&
           (uint64_t)st.st_size == tern_load_acquire(&slot->image_bytes);
}

static int open_image(const struct tern_boot *boot, int node_pe, uint64_t *offset)
{
    const struct tern_slot *slot = tern_boot_slot(boot, node_pe);
    char path[64];
    int fd;

    *offset = 0;
    if (joined.images) { /* given away: a copy could exceed the limit on open files */
        fd = joined.images[node_pe];
        joined.images[node_pe] = -1;
        return fd < 0 ? -ENOENT : fd;
    }
    snprintf(path, sizeof path, "/proc/%d/fd/%d", slot->pid, slot->image_fd);
    if (!is_image(path, slot))
        return -ENOENT;
    fd = open(path, O_RDWR | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* ---- the end ---- */

static int watch(void)
{
    return joined.protocol->watch();
}

/* For PEs that wait for this one; only oshrun notes by itself who has left. */
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
