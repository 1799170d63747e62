/* SPDX-License-Identifier: BSD-3-Clause */
/* Attaches a process to the job that its environment names, or makes it a job of its own. */
#include "boot/boot.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/log.h"
#include "base/os.h"

static TERN_PE_LOCAL struct tern_boot boot;
static TERN_PE_LOCAL bool boot_attached;
static TERN_PE_LOCAL char boot_problem[256], boot_warning[256];

/* getenv() for a time when libc's environ may not be set yet. */
static const char *look_up(char *const *envp, const char *name)
{
    size_t n = strlen(name);

    for (; envp && *envp; envp++)
        if (strncmp(*envp, name, n) == 0 && (*envp)[n] == '=')
            return *envp + n + 1;
    return NULL;
}

static struct tern_job_area *map_area(int fd, uint32_t n_pes)
{
    void *p =
        mmap(NULL, tern_job_head_bytes(n_pes, n_pes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    return p == MAP_FAILED ? NULL : p;
}

/* Whether the descriptor is the object of the job with this key; if so says how many PEs it has. */
static bool is_object_of(int fd, uint64_t key, uint32_t *n_pes)
{
    struct tern_job_area head;

    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head)
        return false;
    if (head.magic != TERN_JOB_AREA_MAGIC || head.key != key)
        return false;
    if (head.version != TERN_JOB_AREA_VERSION) {
        snprintf(boot_problem, sizeof boot_problem,
                 "oshrun speaks version %u of the start-up protocol, this library version %u: use "
                 "the oshrun that was installed with the library",
                 head.version, TERN_JOB_AREA_VERSION);
        return false;
    }
    *n_pes = head.n_pes;
    return true;
}

/* The inherited descriptor, or, where a wrapper has closed it, the launcher's own. */
static int open_object(int fd, int launcher, uint64_t key, uint32_t *n_pes)
{
    char path[64];

    if (fcntl(fd, F_GETFD) >= 0 && is_object_of(fd, key, n_pes)) {
        /* Programs that this PE starts are not PEs: they shall not inherit it. */
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        return fd;
    }
    if (boot_problem[0])
        return -EPROTO;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", launcher, fd);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && is_object_of(fd, key, n_pes))
        return fd;
    if (boot_problem[0])
        return -EPROTO;
    snprintf(boot_warning, sizeof boot_warning,
             "the job that oshrun has started can't be joined (%s: %s), so this program is one of "
             "its own: does a wrapper close descriptors, or change the user?",
             path, fd < 0 ? strerror(errno) : "another job's");
    if (fd >= 0)
        close(fd);
    return -EPROTO;
}

/* Whether our process number means something to the launcher, and its to us. */
static bool sees_launcher(int32_t launcher)
{
    struct stat own, its;
    char path[40];

    snprintf(path, sizeof path, "/proc/%d/ns/pid", launcher);
    if (stat("/proc/self/ns/pid", &own) == 0 && stat(path, &its) == 0)
        return own.st_ino == its.st_ino;
    return kill(launcher, 0) == 0 || errno == EPERM;
}

/*
 * One process per slot: the compare-and-swap decides between the program and what it starts by
 * system(). A process that has replaced the claimant by exec() keeps its number.
 */
static bool claim(struct tern_slot *slot, int32_t launcher)
{
    int32_t nobody = 0, me = sees_launcher(launcher) ? getpid() : TERN_FOREIGN_PID(getpid());

    if (__atomic_compare_exchange_n(&slot->pid, &nobody, me, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return true;
    return nobody == me && tern_load_acquire(&slot->phase) < TERN_SLOT_INITIALIZED;
}

/* The process that claimed the slot: its forked children inherit the exit handler. */
static TERN_PE_LOCAL int32_t boot_pid;

static void at_exit(int status, void *unused)
{
    struct tern_slot *slot = boot.slot;

    if (!slot || boot_pid != getpid())
        return;
    tern_store_release(&slot->exiting, TERN_EXITING | ((uint32_t)status & 0xff));
    if (tern_load_relaxed(&slot->phase) != TERN_SLOT_CLAIMED)
        return;
    /* It has not used OpenSHMEM: a later program of the same wrapper may be the PE. */
    tern_store_release(&slot->phase, TERN_SLOT_FREE);
    tern_store_release(&slot->pid, 0);
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

static bool attach_to_oshrun(const char *words, const char *pe_word)
{
    int fd, launcher, pe;
    unsigned long long key;
    uint32_t n_pes;
    char *end;

    if (!words || !pe_word)
        return false;
    pe = (int)strtol(pe_word, &end, 10);
    if (sscanf(words, "oshrun:%d:%d:%16llx", &fd, &launcher, &key) != 3 || *end || !*pe_word) {
        snprintf(boot_problem, sizeof boot_problem,
                 "%s=%.60s and %s=%.20s make no sense: they are oshrun's to set",
                 TERN_BOOT_VARIABLE, words, TERN_PE_VARIABLE, pe_word);
        return false;
    }
    fd = open_object(fd, launcher, key, &n_pes);
    if (fd < 0)
        return false;
    if (pe < 0 || pe >= (int)n_pes) {
        snprintf(boot_problem, sizeof boot_problem, "%s=%d is outside 0..%u", TERN_PE_VARIABLE, pe,
                 n_pes - 1);
        goto not_ours;
    }
    boot.area = map_area(fd, n_pes);
    if (!boot.area) {
        snprintf(boot_problem, sizeof boot_problem, "the job's shared memory can't be mapped: %s",
                 strerror(errno));
        goto not_ours;
    }
    if (!claim(&boot.area->slots[pe], boot.area->launcher_pid)) {
        munmap(boot.area, tern_job_head_bytes(n_pes, n_pes));
        boot.area = NULL;
        goto not_ours;
    }
    boot.pe = pe;
    boot.n_pes = boot.machine_n_pes = (int)n_pes;
    boot.shares = n_pes > 1;
    boot.image_fd = fd;
    boot.image_offset = TERN_IMAGES_OFFSET + (uint64_t)pe * TERN_IMAGE_STRIDE;
    boot.fd = fd;
    boot.offset = tern_job_head_bytes(n_pes, n_pes);
    boot.slot = &boot.area->slots[pe];
    /* What an earlier program of the same wrapper has left there is not about this one. */
    tern_store_release(&boot.slot->exiting, 0);
    tern_store_release(&boot.slot->phase, TERN_SLOT_CLAIMED);
    boot_pid = getpid();
    on_exit(at_exit, NULL);
    hold_lifeline(boot.area);
    return true;

not_ours:
    close(fd);
    return false;
}

static void be_alone(void)
{
    boot = (struct tern_boot){
        .n_pes = 1,
        .machine_n_pes = 1,
        .alone = true,
        .image_fd = -1,
        .fd = -1,
    };
}

/* While PEs start, the others' cards come within milliseconds. */
#define EXCHANGE_YIELDS 1000
#define EXCHANGE_SLEEP_US 200

/* For the line of another PE to be out. */
#define COMPLAINT_MS 100

/* An error while PEs start is that of the job: see job_area.h. */
static bool may_complain(void)
{
    uint32_t me = (uint32_t)boot.pe + 1, who = 0;

    if (!boot.area || tern_load_relaxed(&boot.slot->phase) != TERN_SLOT_CLAIMED ||
        __atomic_compare_exchange_n(&boot.area->complaint, &who, me, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE) ||
        (who & ~TERN_COMPLAINED) == me)
        return true;
    for (int i = 0; i < COMPLAINT_MS && !(who & TERN_COMPLAINED); i++) {
        usleep(1000);
        who = tern_load_acquire(&boot.area->complaint);
    }
    return false;
}

static void has_complained(void)
{
    uint32_t me = (uint32_t)boot.pe + 1;

    if (boot.area)
        __atomic_compare_exchange_n(&boot.area->complaint, &me, me | TERN_COMPLAINED, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* From the first message on it is clear who speaks, and the launcher need not repeat it. */
static void introduce(void)
{
    char who[64];

    snprintf(who, sizeof who, "PE %d of %d", boot.pe, boot.n_pes);
    tern_log_identify(who);
    tern_log_on_fatal(tern_boot_set_told);
    tern_log_on_error(may_complain, has_complained);
}

const struct tern_boot *tern_boot_attach(char *const *envp)
{
    if (boot_attached)
        return &boot;
    boot_attached = true;
    if (!attach_to_oshrun(look_up(envp, TERN_BOOT_VARIABLE), look_up(envp, TERN_PE_VARIABLE)))
        be_alone();
    introduce();
    return &boot;
}

#ifdef TERN_PES_ARE_THREADS
/* No slot is claimed: all threads have one pid, and who starts them numbers them. */
void tern_boot_be_thread(int pe, int n_pes, int fd, void *object)
{
    struct tern_job_area *area = object;

    boot = (struct tern_boot){
        .pe = pe,
        .n_pes = n_pes,
        .machine_n_pes = n_pes,
        .shares = true,
        .image_fd = fd,
        .fd = fd,
        .offset = tern_job_head_bytes((uint32_t)n_pes, (uint32_t)n_pes),
        .area = area,
        .slot = &area->slots[pe],
        .object = object,
    };
    boot_attached = true;
    introduce();
}
#endif

/* 0, or -errno after the reason has been printed. */
static int tell_problem(void)
{
    if (boot_warning[0])
        tern_warn("%s", boot_warning);
    boot_warning[0] = '\0';
    if (!boot_problem[0])
        return 0;
    tern_error("%s", boot_problem);
    return -EPROTO;
}

/* Node j of k: consecutive PEs, or every k-th. */
static struct tern_pe_range part_of(int n_pes, int k, int j, bool cyclic)
{
    int start = (int)((int64_t)n_pes * j / k), end = (int)((int64_t)n_pes * (j + 1) / k);

    if (cyclic)
        return (struct tern_pe_range){j, k, (n_pes - j + k - 1) / k};
    return (struct tern_pe_range){start, 1, end - start};
}

/* Splits the PEs of this machine, which are the job, into nodes. */
static int split_machine(int k, bool cyclic)
{
    struct tern_pe_range *nodes;

    if (k > TERN_NODES_MOST) {
        tern_error("SHMEM_NODES is %d: a machine can be split into %d nodes", k, TERN_NODES_MOST);
        return -EINVAL;
    }
    k = k < 1 ? 1 : k < boot.n_pes ? k : boot.n_pes;
    nodes = calloc((size_t)k, sizeof *nodes);
    if (!nodes)
        return -ENOMEM;
    for (int j = 0; j < k; j++)
        nodes[j] = part_of(boot.n_pes, k, j, cyclic && k > 1);
    boot.nodes = nodes;
    boot.n_nodes = k;
    boot.node = tern_boot_node_of(boot.pe);
    boot.node_pe = tern_boot_node_pe(&boot, boot.pe);
    boot.node_n_pes = nodes[boot.node].size;
    boot.offset += (uint64_t)boot.node * TERN_NODE_STRIDE;
    if (boot.area) {
        boot.slots = &boot.area->slots[nodes[boot.node].start];
        boot.slot_stride = nodes[boot.node].stride;
    }
    return 0;
}

int tern_boot_join(const struct tern_boot_wish *wish)
{
    int r = tell_problem();

    if (r || boot.nodes)
        return r;
    boot.memory = wish->memory / (unsigned)boot.machine_n_pes;
    return split_machine(wish->split, wish->cyclic);
}

int tern_boot_node_of(int pe)
{
    for (int j = 0; j < boot.n_nodes; j++)
        if (tern_pe_range_find(&boot.nodes[j], pe) >= 0)
            return j;
    return -1;
}

static struct tern_boot_card *card_of(int pe)
{
    char *cards = (char *)boot.area + tern_job_cards_offset(boot.area->n_pes);

    return (struct tern_boot_card *)cards + pe;
}

int tern_boot_exchange(const void *card, size_t bytes)
{
    memcpy(card_of(boot.pe), card, bytes);
    tern_fetch_add(&boot.area->exchanged, 1);
    /* Acquire: partner of the addition by which the last PE follows its card. */
    for (int i = 0; tern_load_acquire(&boot.area->exchanged) < (uint32_t)boot.n_pes; i++)
        if (i < EXCHANGE_YIELDS)
            sched_yield();
        else
            usleep(EXCHANGE_SLEEP_US);
    return 0;
}

const void *tern_boot_card(int pe)
{
    return card_of(pe);
}

int tern_boot_open_image(int node_pe, uint64_t *offset)
{
    const struct tern_slot *slot = tern_boot_slot(&boot, node_pe);
    int fd;

    *offset = TERN_IMAGES_OFFSET + (uint64_t)(slot - boot.area->slots) * TERN_IMAGE_STRIDE;
    fd = fcntl(boot.fd, F_DUPFD_CLOEXEC, 0);
    return fd < 0 ? -errno : fd;
}

void tern_boot_set_phase(enum tern_slot_phase phase)
{
    if (boot.slot)
        tern_store_release(&boot.slot->phase, (uint32_t)phase);
}

void tern_boot_set_told(void)
{
    if (boot.slot)
        tern_store_release(&boot.slot->told, 1);
}

void tern_boot_set_global_exit(int status)
{
    uint32_t none = 0, word = (uint32_t)boot.pe << TERN_GLOBAL_EXIT_PE_SHIFT | TERN_GLOBAL_EXIT |
                              ((uint32_t)status & 0xff);

    if (boot.area)
        __atomic_compare_exchange_n(&boot.area->global_exit, &none, word, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
}

/* oshrun's PEs hang on its lifeline. */
int tern_boot_watch_fd(void)
{
    return -1;
}

/* oshrun ends the job when one of its PEs ends with a status. */
void tern_boot_abort(int status)
{
}

void tern_boot_forget(void)
{
    char who[64];

    if (boot.forked)
        return;
    snprintf(who, sizeof who, "child of PE %d of %d", boot.pe, boot.n_pes);
    tern_log_identify(who);
    be_alone();
    boot.forked = true;
}
