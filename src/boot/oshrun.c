/* SPDX-License-Identifier: BSD-3-Clause */
/* The slot of a PE that oshrun has started, and what PEs find in the object that it has made. */
#include "boot/oshrun.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/limit.h"
#include "base/log.h"
#include "boot/exchange.h"
#include "boot/nodes.h"
#include "boot/text.h"

static struct tern_job_area *map_area(int fd, uint32_t n_pes)
{
    void *p =
        mmap(NULL, tern_job_head_bytes(n_pes, n_pes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    return p == MAP_FAILED ? NULL : p;
}

/* Whether the descriptor is the object of the job with this key; if so says how many PEs it has. */
static bool is_object_of(int fd, uint64_t key, uint32_t *n_pes,
                         struct tern_start_error *start_error)
{
    struct tern_job_area head;

    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head)
        return false;
    if (head.magic != TERN_JOB_AREA_MAGIC || head.key != key)
        return false;
    if (head.version != TERN_JOB_AREA_VERSION) {
        snprintf(start_error->error, sizeof start_error->error,
                 "oshrun speaks version %u of the start-up protocol, this library version %u: use "
                 "the oshrun that was installed with the library",
                 head.version, TERN_JOB_AREA_VERSION);
        return false;
    }
    *n_pes = head.n_pes;
    return true;
}

/* The inherited descriptor, or, where a wrapper has closed it, the launcher's own. */
static int open_object(const struct tern_job_handle *job, uint32_t *n_pes,
                       struct tern_start_error *start_error)
{
    int fd = job->fd;
    char path[64];

    if (fcntl(fd, F_GETFD) >= 0 && is_object_of(fd, job->key, n_pes, start_error)) {
        /* Programs that this PE starts are not PEs: they shall not inherit it. */
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        return fd;
    }
    if (start_error->error[0])
        return -EPROTO;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", job->launcher, fd);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && is_object_of(fd, job->key, n_pes, start_error))
        return fd;
    if (start_error->error[0])
        return -EPROTO;
    snprintf(start_error->warning, sizeof start_error->warning,
             "the job that oshrun has started can't be joined (%s: %s), so this program is one of "
             "its own: does a wrapper close descriptors, or change the user?",
             path, fd < 0 ? strerror(errno) : "another job's");
    if (fd >= 0)
        close(fd);
    return -EPROTO;
}

/* Whether our process number means something to the launcher, and its to us. */
static bool sees_launcher(const struct tern_job_area *area)
{
    struct stat own;

    if (area->launcher_processes && stat(TERN_OWN_PROCESSES, &own) == 0)
        return own.st_ino == area->launcher_processes;
    return kill(area->launcher_pid, 0) == 0 || errno == EPERM;
}

/*
 * One process per slot: the compare-and-swap decides between the program and what it starts by
 * system(). A process that has replaced the claimant by exec() keeps its number.
 */
static bool claim(const struct tern_job_area *area, struct tern_slot *slot)
{
    int32_t nobody = 0, me = sees_launcher(area) ? getpid() : TERN_FOREIGN_PID(getpid());

    if (__atomic_compare_exchange_n(&slot->pid, &nobody, me, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return true;
    return nobody == me && tern_load_acquire(&slot->phase) < TERN_SLOT_INITIALIZED;
}

/*
 * The launcher has put our process group on its lifeline. Where a wrapper has closed the descriptor
 * or moved us to another group, we hang on to it by ourselves.
 */
static void hold_lifeline(const struct tern_job_area *area)
{
    char path[64];
    int fd = area->lifeline_fd;
    struct f_owner_ex owner;

    if (fd <= 0)
        return;
    if (fcntl(fd, F_GETOWN_EX, &owner) == 0 && owner.type == F_OWNER_PGRP && owner.pid == getpgrp())
        return;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", area->launcher_pid, fd);
    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) { /* without /proc, say: oshrun's own child dies with it, and we with that */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        return;
    }
    owner = (struct f_owner_ex){.type = F_OWNER_PID, .pid = getpid()};
    fcntl(fd, F_SETOWN_EX, &owner);
    fcntl(fd, F_SETSIG, SIGKILL);
    fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK);
}

static void fill_in(struct tern_boot *boot, int pe, uint32_t n_pes, int fd)
{
    boot->pe = pe;
    boot->n_pes = boot->machine_n_pes = boot->system_n_pes = (int)n_pes;
    boot->alone = false;
    boot->shares = n_pes > 1;
    boot->image_fd = fd;
    boot->image_offset = TERN_IMAGES_OFFSET + (uint64_t)pe * TERN_IMAGE_STRIDE;
    boot->fd = fd;
    boot->offset = tern_job_head_bytes(n_pes, n_pes);
    boot->slot = &boot->area->slots[pe];
}

static bool take_slot(struct tern_boot *boot, int pe, uint32_t n_pes, int fd,
                      struct tern_start_error *start_error)
{
    if (pe < 0 || pe >= (int)n_pes) {
        snprintf(start_error->error, sizeof start_error->error, "%s=%d is outside 0..%u",
                 TERN_PE_VARIABLE, pe, n_pes - 1);
        return false;
    }
    boot->area = map_area(fd, n_pes);
    if (!boot->area) {
        snprintf(start_error->error, sizeof start_error->error,
                 "the job's shared memory can't be mapped: %s%s", strerror(errno),
                 errno == ENOMEM ? " (see ulimit -v)" : "");
        return false;
    }
    if (!claim(boot->area, &boot->area->slots[pe])) {
        munmap(boot->area, tern_job_head_bytes(n_pes, n_pes));
        boot->area = NULL;
        return false;
    }
    fill_in(boot, pe, n_pes, fd);
    return true;
}

bool tern_oshrun_attach(char *const *envp, struct tern_boot *boot,
                        struct tern_start_error *start_error)
{
    const char *words = tern_text_find(envp, TERN_BOOT_VARIABLE);
    const char *pe_word = tern_text_find(envp, TERN_PE_VARIABLE);
    struct tern_job_handle job;
    uint32_t n_pes;
    int fd, pe;

    if (!words || !pe_word)
        return false;
    if (!tern_job_handle_read(words, &job) || !tern_text_number(pe_word, INT_MAX, &pe)) {
        snprintf(start_error->error, sizeof start_error->error,
                 "%s=%.60s and %s=%.20s make no sense: they are oshrun's to set",
                 TERN_BOOT_VARIABLE, words, TERN_PE_VARIABLE, pe_word);
        return false;
    }
    fd = open_object(&job, &n_pes, start_error);
    if (fd < 0)
        return false;
    if (!take_slot(boot, pe, n_pes, fd, start_error)) {
        close(fd);
        return false;
    }
    /* What an earlier program of the same wrapper has left there is not about this one. */
    tern_store_release(&boot->slot->exiting, 0);
    tern_store_release(&boot->slot->phase, TERN_SLOT_CLAIMED);
    hold_lifeline(boot->area);
    return true;
}

int tern_oshrun_lay_out(struct tern_boot *boot, const struct tern_boot_request *request)
{
    struct tern_pe_range all = {0, 1, boot->n_pes}, *nodes;

    if (request->split > TERN_NODES_MOST) {
        tern_error("SHMEM_NODES is %d: a machine can be split into %d nodes", request->split,
                   TERN_NODES_MOST);
        return -EINVAL;
    }
    nodes = calloc((size_t)(request->split < 1 ? 1 : request->split), sizeof *nodes);
    if (!nodes)
        return tern_limit_refuse("the nodes of the job", sizeof *nodes);
    if (!request->heap)
        boot->memory =
            tern_boot_find_out(boot->area ? &boot->area->memory : NULL, request->memory) /
            (unsigned)boot->machine_n_pes;
    boot->n_nodes =
        tern_nodes_cut(&all, (struct tern_nodes_split){request->split, request->cyclic}, nodes);
    boot->nodes = nodes;
    boot->node = tern_boot_node_of(boot->pe);
    boot->node_pe = tern_boot_node_pe(boot, boot->pe);
    boot->node_n_pes = nodes[boot->node].size;
    boot->offset += (uint64_t)boot->node * TERN_NODE_STRIDE;
    if (boot->area) {
        boot->slots = &boot->area->slots[nodes[boot->node].start];
        boot->slot_stride = nodes[boot->node].stride;
    }
    return 0;
}

static struct tern_boot_card *card_of(const struct tern_boot *boot, int pe)
{
    char *cards = (char *)boot->area + tern_job_cards_offset(boot->area->n_pes);

    return (struct tern_boot_card *)cards + pe;
}

int tern_oshrun_exchange(const struct tern_boot *boot, const void *card, size_t bytes)
{
    const struct tern_exchange all = {
        .word = &boot->area->exchanged,
        .enough = (uint32_t)boot->n_pes,
        .cards = card_of(boot, 0),
        .n_pes = boot->n_pes,
        .area = boot->area,
    };

    memcpy(card_of(boot, boot->pe), card, bytes);
    tern_fetch_add(&boot->area->exchanged, 1); /* partner: tern_exchange_await() */
    return tern_exchange_await(&all);
}

const void *tern_oshrun_card(const struct tern_boot *boot, int pe)
{
    return card_of(boot, pe);
}

int tern_oshrun_open_image(const struct tern_boot *boot, const struct tern_slot *slot,
                           uint64_t *offset)
{
    int fd = fcntl(boot->fd, F_DUPFD_CLOEXEC, 0);

    *offset = TERN_IMAGES_OFFSET + (uint64_t)(slot - boot->area->slots) * TERN_IMAGE_STRIDE;
    return fd < 0 ? -errno : fd;
}
