/* SPDX-License-Identifier: BSD-3-Clause */
/* Started by oshrun, which has made the memory object of the job and watches its PEs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/log.h"
#include "boot/exchange.h"
#include "boot/machine.h"
#include "boot/ops.h"
#include "boot/text.h"

static struct tern_job_area *map_area(int fd, uint32_t n_pes)
{
    size_t bytes = tern_job_head_bytes(n_pes, n_pes);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (p == MAP_FAILED)
        return NULL;
    madvise(p, bytes, MADV_DONTDUMP); /* there are address cards in it */
    return p;
}

/* Whether the descriptor is the object of the job with this key; *n_pes is from the object. */
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

/* The inherited descriptor, or the launcher's own if a wrapper has closed the inherited one. */
static int open_object(const struct tern_job_handle *job, uint32_t *n_pes,
                       struct tern_start_error *start_error)
{
    int fd = job->fd;
    char path[64];

    if (fcntl(fd, F_GETFD) >= 0 && is_object_of(fd, job->key, n_pes, start_error)) {
        /* Programs that this PE starts are no PEs, and must not inherit it. */
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
    snprintf(
        start_error->warning, sizeof start_error->warning,
        "the job that oshrun has started can't be joined (%s: %s), so this program is one of "
        "its own: does a wrapper close descriptors, or change the user?" TERN_SEE("One PE each"),
        path, fd < 0 ? strerror(errno) : "another job's");
    if (fd >= 0)
        close(fd);
    return -EPROTO;
}

/*
 * Whether the lifeline signals the group that this process leads. The launcher has armed it for the
 * process that it started, so this is that process: no wrapper has put another namespace between.
 */
static bool leads_lifelines_group(const struct tern_job_area *area)
{
    struct f_owner_ex owner;

    return area->lifeline_fd > 0 && fcntl(area->lifeline_fd, F_GETOWN_EX, &owner) == 0 &&
           owner.type == F_OWNER_PGRP && owner.pid == getpid();
}

/* Whether this process and the launcher are in one process namespace. */
static bool sees_launcher(const struct tern_job_area *area)
{
    struct stat own;

    if (leads_lifelines_group(area)) /* takes a tenth of the time of a search in /proc */
        return true;
    if (area->launcher_processes && stat(TERN_OWN_PROCESSES, &own) == 0)
        return own.st_ino == area->launcher_processes;
    return kill(area->launcher_pid, 0) == 0 || errno == EPERM;
}

/*
 * One process has the slot: the compare-and-swap decides between the program and what it starts by
 * system(). A program that replaces it by exec() has the same process number, and keeps the slot.
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
 * The launcher has armed its lifeline for this PE's process group: see lifeline_fd in job_area.h.
 * If a wrapper has closed the descriptor or changed the group, this process arms one for itself.
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
    if (fd <
        0) { /* no /proc, for example: this process ends with its parent, and that with oshrun */
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

/* Init reports this error, and ends the PE; oshrun need not report that end as well. */
static void refuse_unmapped(struct tern_boot *boot, int pe, uint32_t n_pes, int fd,
                            struct tern_start_error *start_error)
{
    off_t reported =
        (off_t)(offsetof(struct tern_job_area, slots) + (size_t)pe * sizeof(struct tern_slot) +
                offsetof(struct tern_slot, reported));
    uint32_t yes = 1;

    snprintf(start_error->error, sizeof start_error->error,
             "the job's shared memory can't be mapped: %s%s", strerror(errno),
             errno == ENOMEM ? " (see ulimit -v)" : "");
    boot->pe = pe;
    boot->n_pes = (int)n_pes;
    if (pwrite(fd, &yes, sizeof yes, reported) != (ssize_t)sizeof yes)
        return; /* then there are two lines */
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
        refuse_unmapped(boot, pe, n_pes, fd, start_error);
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

static enum tern_role attach(char *const *envp, struct tern_boot *boot,
                             struct tern_start_error *start_error)
{
    const char *words = tern_text_find(envp, TERN_BOOT_VARIABLE);
    const char *pe_word = tern_text_find(envp, TERN_PE_VARIABLE);
    struct tern_job_handle job;
    uint32_t n_pes;
    int fd, pe;

    if (!words || !pe_word)
        return TERN_ROLE_UNKNOWN;
    if (!tern_job_handle_read(words, &job) || !tern_text_number(pe_word, INT_MAX, &pe)) {
        snprintf(start_error->error, sizeof start_error->error,
                 "%s=%.60s and %s=%.20s make no sense: they are oshrun's to set",
                 TERN_BOOT_VARIABLE, words, TERN_PE_VARIABLE, pe_word);
        return TERN_ROLE_UNKNOWN;
    }
    fd = open_object(&job, &n_pes, start_error);
    if (fd < 0)
        return TERN_ROLE_UNKNOWN;
    if (!take_slot(boot, pe, n_pes, fd, start_error)) {
        close(fd);
        return TERN_ROLE_UNKNOWN;
    }
    /* An earlier program of the same wrapper may have left its status. */
    tern_store_release(&boot->slot->exiting, 0);
    tern_store_release(&boot->slot->phase, TERN_SLOT_CLAIMED);
    hold_lifeline(boot->area);
    return TERN_ROLE_PE;
}

static struct tern_boot_card *card_of(const struct tern_boot *boot, int pe)
{
    char *cards = (char *)boot->area + tern_job_cards_offset(boot->area->n_pes);

    return (struct tern_boot_card *)cards + pe;
}

static int exchange(const struct tern_boot *boot, const void *card, size_t bytes)
{
    const struct tern_exchange all = {
        .word = &boot->area->exchanged,
        .enough = (uint32_t)boot->n_pes,
        .cards = card_of(boot, 0),
        .n_pes = boot->n_pes,
        .area = boot->area,
    };

    memcpy(card_of(boot, boot->pe), card, bytes);
    tern_exchange_add(&boot->area->exchanged, all.enough);
    return tern_exchange_await(&all);
}

static const void *read_card(const struct tern_boot *boot, int pe)
{
    return card_of(boot, pe);
}

static int open_image(const struct tern_boot *boot, int node_pe, uint64_t *offset)
{
    int fd = fcntl(boot->fd, F_DUPFD_CLOEXEC, 0);
    int pe = tern_boot_world_pe(boot, node_pe);

    *offset = TERN_IMAGES_OFFSET + (uint64_t)pe * TERN_IMAGE_STRIDE;
    return fd < 0 ? -errno : fd;
}

/* The kernel ends this PE with the launcher: see hold_lifeline(). */
static int watch(void)
{
    return -1;
}

static void vacate(const struct tern_boot *boot, int status)
{
    tern_store_release(&boot->slot->exiting, TERN_EXITING | ((uint32_t)status & 0xff));
    if (tern_load_relaxed(&boot->slot->phase) != TERN_SLOT_CLAIMED)
        return;
    /* This program has not used OpenSHMEM: a later one of the same wrapper may be the PE. */
    tern_store_release(&boot->slot->phase, TERN_SLOT_FREE);
    tern_store_release(&boot->slot->pid, 0);
}

/* oshrun sees how its PEs end, and ends the job. */
static void leave(void)
{
}

static void abort_job(int status)
{
}

static bool abort_keeps(int status)
{
    return true;
}

/* The slot holds the parent's process number, so a child has no claim to it. */
static void forget(void)
{
}

const struct tern_boot_ops tern_oshrun_ops = {
    .attach = attach,
    .join = tern_machine_lay_out,
    .exchange = exchange,
    .card = read_card,
    .open_image = open_image,
    .watch = watch,
    .vacate = vacate,
    .leave = leave,
    .abort = abort_job,
    .abort_keeps = abort_keeps,
    .forget = forget,
};
