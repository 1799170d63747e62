/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer of each thread's processor time, and the handler of its signal. */
#include "tools/profile/sampler.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tools/profile/modules.h"
#include "tools/program.h"
#include "tools/quick.h"

/* How far up the stack the handler searches for the call by which the program entered a library. */
#define MOST_WORDS 128

static struct tern_profile *profile; /* NULL: nothing is sampled */
static struct tern_span tool;        /* this tool: its wrappers are no part of the program */
static struct tern_span library;     /* of OpenSHMEM */
static __thread bool is_main, has_timer;

static struct tern_profile *current(void)
{
    return __atomic_load_n(&profile, __ATOMIC_ACQUIRE); /* partner: tern_sampler_start() */
}

/* ---- samples ---- */

/* Finds the place's entry, or adds one. Returns NULL if there is no room. */
static struct tern_profile_sample *find(struct tern_profile *to, uint64_t address, uint64_t library)
{
    uint64_t hash = (address ^ (library != 0)) * UINT64_C(0x9e3779b97f4a7c15) >> 32;

    for (uint64_t i = 0; i < TERN_PROFILE_SAMPLES / 2; i++) {
        struct tern_profile_sample *sample = &to->samples[(hash + i) % TERN_PROFILE_SAMPLES];
        uint64_t known = 0;

        /* Partner: handlers in other threads: one of them takes the free entry. */
        if (__atomic_compare_exchange_n(&sample->address, &known, address, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            sample->library = library;
        else if (known != address || !sample->library != !library)
            continue;
        return sample;
    }
    return NULL;
}

#ifdef __x86_64__

/* Whether a call instruction ends at the address: call rel32, or call r/m64 of 2 to 7 bytes. */
static bool follows_call(const unsigned char *end)
{
    if (end[-5] == 0xe8)
        return true;
    for (int n = 2; n <= 7; n++)
        if (end[-n] == 0xff && (end[1 - n] & 0x38) == 0x10)
            return true;
    return false;
}

/*
 * The innermost address on the stack that a call in the program has left there. Libraries mostly
 * keep no frame pointers, and unwinding by tables takes locks.
 */
static uint64_t find_caller(const ucontext_t *at)
{
    const uint64_t *stack = (const uint64_t *)at->uc_mcontext.gregs[REG_RSP];

    for (int i = 0; i < MOST_WORDS; i++) {
        if (tern_span_has(&library, stack[i]))
            return stack[i];
        if (stack[i] >= tern_program.code.start + 8 &&
            tern_span_has(&tern_program.code, stack[i]) &&
            follows_call((const unsigned char *)stack[i]))
            return stack[i] - 1;
    }
    return 0;
}

static uint64_t instruction(const ucontext_t *at)
{
    return (uint64_t)at->uc_mcontext.gregs[REG_RIP];
}

#else

/* The link register: it is the program's in functions that call no others. */
static uint64_t find_caller(const ucontext_t *at)
{
    uint64_t link = at->uc_mcontext.regs[30];

    if (tern_span_has(&library, link))
        return link;
    return tern_span_has(&tern_program.code, link) ? link - 1 : 0;
}

static uint64_t instruction(const ucontext_t *at)
{
    return at->uc_mcontext.pc;
}

#endif

/* Whether the address is in OpenSHMEM or the tool: then the time is that of a call. */
static bool is_inside(uint64_t address)
{
    return tern_span_has(&library, address) || tern_span_has(&tool, address);
}

static void add(struct tern_profile *to, uint64_t address, uint64_t in_library, uint32_t n)
{
    struct tern_profile_sample *sample = find(to, address, in_library);

    if (!sample)
        __atomic_fetch_add(&to->head.lost_samples, n, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add(is_main ? &sample->main : &sample->beside, n, __ATOMIC_RELAXED);
    __atomic_fetch_add(is_main ? &to->head.samples_main : &to->head.samples_beside, n,
                       __ATOMIC_RELAXED);
}

static void handle(int number, siginfo_t *info, void *context)
{
    struct tern_profile *to = current();
    uint64_t address, in_library = 0;
    uint32_t n;

    if (!to || info->si_code != SI_TIMER)
        return;
    n = 1 + (uint32_t)info->si_overrun;
    address = instruction(context);
    if (!tern_program_has((const void *)address) && !is_inside(address)) {
        uint64_t caller = find_caller(context);

        in_library = address;
        address = caller ? caller : address;
    }
    if (tern_thread_state == TERN_INSIDE || is_inside(address))
        __atomic_fetch_add(&to->head.samples_inside, n, __ATOMIC_RELAXED);
    else
        add(to, address, in_library, n);
}

/* ---- threads ---- */

/* System calls, because timer_create() is in another library before glibc 2.34. */
static void start_timer(void)
{
    static const struct itimerspec period = {
        .it_interval.tv_nsec = TERN_PROFILE_SAMPLE_NS,
        .it_value.tv_nsec = TERN_PROFILE_SAMPLE_NS,
    };
    struct sigevent event;
    int timer;

    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    if (has_timer || syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0)
        return;
    has_timer = syscall(SYS_timer_settime, timer, 0, &period, NULL) == 0;
}

/* A thread of the program: its function with its argument. */
struct thread {
    void *(*run)(void *);
    void *argument;
};

static void *run_sampled(void *given)
{
    struct thread thread = *(struct thread *)given;

    free(given);
    start_timer();
    return thread.run(thread.argument);
}

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/*
 * Replaces pthread_create() for the program. Threads that the library starts during a call are not
 * sampled.
 */
__attribute__((visibility("default"))) int pthread_create(pthread_t *made,
                                                          const pthread_attr_t *attributes,
                                                          void *(*run)(void *), void *argument)
{
    static create *next;
    struct thread *thread = NULL;
    int r;

    if (!__atomic_load_n(&next, __ATOMIC_RELAXED)) /* several threads find the same */
        __atomic_store_n(&next, (create *)dlsym(RTLD_NEXT, "pthread_create"), __ATOMIC_RELAXED);
    if (current() && tern_thread_state != TERN_INSIDE)
        thread = malloc(sizeof *thread);
    if (!thread)
        return next(made, attributes, run, argument);
    *thread = (struct thread){run, argument};
    r = next(made, attributes, run_sampled, thread);
    if (r)
        free(thread);
    return r;
}

/* ---- the whole ---- */

static bool take_signal(void)
{
    struct sigaction own = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART}, before;

    if (sigaction(SIGPROF, NULL, &before) != 0)
        return false;
    if (before.sa_flags & SA_SIGINFO)
        return before.sa_sigaction == handle;
    return before.sa_handler == SIG_DFL && sigaction(SIGPROF, &own, NULL) == 0;
}

static struct tern_span span_of(const struct tern_profile *to, const void *address)
{
    int i = tern_modules_find(to, (uintptr_t)address);

    if (i < 0)
        return (struct tern_span){0, 0};
    return (struct tern_span){to->modules[i].start, to->modules[i].end - to->modules[i].start};
}

void tern_sampler_start(struct tern_profile *to, const void *in_library)
{
    if (!take_signal())
        return;
    tool = span_of(to, (const void *)(uintptr_t)handle);
    library = span_of(to, in_library);
    __atomic_store_n(&profile, to, __ATOMIC_RELEASE); /* partner: current() */
    is_main = true;
    start_timer();
    to->head.samples_on = has_timer;
}

void tern_sampler_stop(void)
{
    __atomic_store_n(&profile, NULL, __ATOMIC_RELAXED);
}
