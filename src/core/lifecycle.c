/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and stops the job in this PE: the order in which the layers come up and go down. */
#include "core/lifecycle.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/bytes.h"
#include "base/copy_choice.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "base/settings.h"
#include "base/vectors.h"
#include "boot/machine.h"
#include "core/backtrace.h"
#include "core/ctx.h"
#include "core/deadlock.h"
#include "core/dedup.h"
#include "core/exit.h"
#include "core/failure_detector.h"
#include "core/gathering.h"
#include "core/inline_route.h"
#include "core/job.h"
#include "core/multinode.h"
#include "core/network.h"
#include "core/predefined_team.h"
#include "core/request.h"
#include "core/translation.h"
#include "mem/alias.h"
#include "mem/static_data.h"

/* Shared blocks for teams: address space, which takes memory only when teams are created. */
#define POOL_BYTES_LEAST ((size_t)64 << 20)
#define POOL_BYTES_PER_PE ((size_t)64 << 10)

/* The control memory: bells close together, because PEs access all of them; then the blocks. */
struct control {
    struct tern_bell *bells;
    struct tern_sync_shared *world, *shared;
    struct tern_pool *pool;
    size_t pool_bytes;
    size_t bytes;
};

static size_t place(size_t *end, size_t bytes)
{
    size_t at = *end;

    *end = tern_bytes_round_up(at + bytes, TERN_LINE);
    return at;
}

static void lay_out(struct control *c, char *start, int n_pes, int n)
{
    size_t end = 0;

    c->bells = (void *)(start + place(&end, (size_t)n_pes * sizeof *c->bells));
    c->world = (void *)(start + place(&end, tern_sync_shared_bytes(n)));
    c->shared = (void *)(start + place(&end, tern_sync_shared_bytes(n)));
    end = tern_bytes_round_up(end, tern_os_page_size());
    c->pool_bytes = POOL_BYTES_LEAST + (size_t)n * POOL_BYTES_PER_PE;
    c->pool = (void *)(start + place(&end, c->pool_bytes));
    c->bytes = end;
}

static uint64_t count_cores(void)
{
    return (uint64_t)tern_os_cores();
}

static void in_child_of_fork(void)
{
    tern_inline_route_unlock();
    tern_translation_stop();
    tern_boot_forget();
    tern_job.inits = 0;
}

static int map_memory(const struct tern_boot *boot, struct control *c)
{
    const struct tern_settings *settings = tern_settings();
    struct tern_arena_options options = {
        .heap_bytes = settings->symmetric_size,
        .least = settings->least_symmetric_size,
        .prefault = settings->heap_prefault,
        .huge_pages = settings->heap_huge_pages,
    };
    int r;

    lay_out(c, NULL, boot->n_pes, boot->node_n_pes);
    options.control_bytes = c->bytes;
    r = tern_arena_map(&tern_job.arena, boot, &options);
    if (r)
        return r;
    lay_out(c, tern_job.arena.control, boot->n_pes, boot->node_n_pes);
    tern_job.heap_start = tern_job.arena.heaps + ((size_t)boot->node_pe << tern_job.arena.shift);
    tern_job.pool = c->pool;
    tern_job.pool_bytes = c->pool_bytes;
    return 0;
}

/* PEs in several containers may see enough cores each, but share the cores of the system. */
static void tune_waiting(const struct tern_boot *boot)
{
    int n_pes = boot->machine_n_pes, cores = tern_job.cores;

    if (boot->system_n_pes > n_pes) {
        int all = tern_os_all_cores();

        if ((int64_t)boot->system_n_pes * cores > (int64_t)n_pes * all) {
            n_pes = boot->system_n_pes;
            cores = all;
        }
    }
    tern_wait_tune(n_pes, cores, tern_settings()->wait_awake_us, boot->n_nodes > 1);
}

/* Static data that a failed call has left private would be missed only when a peer accesses it. */
static int check_static_data(void)
{
    const struct tern_static_data *image = tern_static_data_own();
    return image->error
               ? tern_limit_report(image->error, "the program's static data can't be shared: %s",
                                   image->unshared)
               : 0;
}

/*
 * Start-up that is done once a process: mapped memory and the rounds of the predefined teams
 * survive the last finalize, so a PE may initialize again while another still leaves the barrier.
 */
static int start_once(const struct tern_boot *boot)
{
    struct control c;
    int r = check_static_data();

    if (!r)
        r = map_memory(boot, &c);
    if (r)
        return r;
    tern_job.bells = c.bells;
    if (tern_predefined_team_start(c.world, c.shared))
        return tern_limit_refuse("the team of all PEs",
                                 (size_t)boot->n_nodes * sizeof(struct tern_pe_range));
    tune_waiting(boot);
    tern_deadlock_start();
    if (boot->slot)
        tern_static_data_publish(boot);
    if (boot->n_nodes > 1) {
        tern_failure_detector_listen();
        r = tern_network_start(tern_gathering_job());
    }
    if (r)
        return r;
    pthread_atfork(tern_inline_route_lock, tern_inline_route_unlock, in_child_of_fork);
    tern_job.was_started = true;
    return 0;
}

static int load_settings(void)
{
    char error[512];
    int r = tern_settings_load(error, sizeof error);

    if (r) {
        tern_error("%s", error);
        return r;
    }
    tern_log_set_debug(tern_settings()->debug);
    r = tern_vectors_force(tern_settings()->vectors);
    if (!r && tern_settings()->vectors)
        tern_copy_force(tern_vectors);
    return r ? r : tern_sync_force(tern_settings()->collectives);
}

/* 0, or -errno after the reason was printed. */
static int report_start_error(void)
{
    static TERN_PE_LOCAL bool has_warned;
    const struct tern_start_error *found = tern_boot_start_error();

    if (found->warning[0] && !has_warned)
        tern_warn("%s", found->warning);
    has_warned = true;
    if (!found->error[0])
        return 0;
    tern_error("%s", found->error);
    return -EPROTO;
}

static int join(const struct tern_boot *boot)
{
    const struct tern_settings *settings = tern_settings();
    struct tern_boot_request request = {
        .split = settings->nodes < 0 ? 0 : (int)settings->nodes,
        .cyclic = settings->nodes_cyclic,
        .heap = settings->symmetric_size,
        .image_fd = tern_static_data_own()->fd,
    };
    int r = report_start_error();

    if (r || boot->n_nodes) /* it has joined at an earlier init */
        return r;
    tern_exit_report_from_now();
    return tern_boot_join(&request);
}

/* One write for the line, because all PEs print one. */
static void identify(void)
{
    Dl_info library;

    dprintf(STDOUT_FILENO, "PE %d of %d: Tern " TERN_VERSION " from %s\n", tern_job.pe,
            tern_job.n_pes, dladdr(&tern_job, &library) ? library.dli_fname : "the program");
}

/* The output of SHMEM_VERSION and SHMEM_INFO: by PE 0 alone. */
static void print_library_info(void)
{
    if (tern_settings()->identify)
        identify();
    if (tern_job.pe != 0)
        return;
    if (tern_settings()->version)
        puts("Tern " TERN_VERSION ", OpenSHMEM 1.6");
    if (tern_settings()->info)
        tern_settings_print(stdout);
    tern_settings_check_names();
}

static void prepare(const struct tern_boot *boot)
{
    tern_dedup_install(boot);
    tern_exit_install(boot);
}

/* Runs after the constructor of mem/static_data.c, which moves the program's static data. */
__attribute__((constructor(102))) static void before_main(int argc, char **argv, char **envp)
{
    prepare(tern_boot_attach(envp));
}

int tern_lifecycle_start(int thread_level)
{
    const struct tern_boot *boot = tern_boot_attach(environ);
    int r;

    if (boot->forked) {
        tern_error("the child of a fork can't initialize: only the PE itself may use OpenSHMEM");
        return -ECHILD;
    }
    prepare(boot);
    tern_job.boot = boot;
    tern_job.pe = boot->pe;
    r = load_settings();
    if (!r)
        r = join(boot);
    if (r)
        return r;
    r = tern_backtrace_install(boot);
    if (r)
        return r;
    tern_job.n_pes = boot->n_pes;
    if (!tern_job.was_started) {
        /* All PEs of a node must wait in the same way, so they use the same number. */
        tern_job.cores =
            (int)tern_machine_find_out(boot->area ? &boot->area->cores : NULL, count_cores);
        r = start_once(boot);
        if (r)
            return r;
        print_library_info();
    }
    if (tern_heap_init(&tern_job.heap, tern_job.arena.heap_bytes))
        return tern_limit_refuse("the block list of the symmetric heap", sizeof tern_job.heap);
    tern_job.thread_level = thread_level;
    tern_job.main_thread = pthread_self();
    tern_ctx_default.team = &tern_team_world;
    tern_translation_start(tern_job.bells);
    tern_job.inits = 1;
    tern_boot_set_phase(TERN_SLOT_INITIALIZED);
    tern_failure_detector_start();
    tern_team_sync(&tern_team_world, "shmem_init");
    tern_failure_detector_watch();
    return 0;
}

void tern_lifecycle_stop(void)
{
    tern_failure_detector_stop();
    tern_translation_stop();
    tern_job.inits = 0;
    tern_ctx_destroy_of_team(NULL);
    tern_request_stop();
    tern_alias_close();
    tern_arena_discard_heap(&tern_job.arena, tern_job.boot,
                            tern_settings()->heap_prefault ? tern_job.arena.heap_bytes
                                                           : tern_job.heap.high_water);
    tern_heap_fini(&tern_job.heap);
    tern_boot_set_phase(TERN_SLOT_FINALIZED);
}
