/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler of signals that end a crashed program. It uses system calls, memory of its own and an
 * alternate stack, because the heap, locks and the stack of the program may be damaged.
 */
#include "core/backtrace.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/child_output.h"
#include "base/compat.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/os.h"
#include "base/settings.h"
#include "base/text_buffer.h"
#include "core/frames.h"

#define STACK_BYTES ((size_t)128 << 10)

#define TEXT_BYTES 16384

#define DEBUGGER_SECONDS 30

/* How long a PE that has nothing to print, or has printed, waits for the others. */
#define OTHERS_NS UINT64_C(15000000000)

/* PEs that crash for one reason do so within milliseconds: time for all of them to be named. */
#define ALIKE_US 50000

enum mode { OFF, AUTO, ADDRESSES, GDB, GSTACK };

static const char *const words[] = {
    [OFF] = "off", [AUTO] = "auto", [ADDRESSES] = "execinfo", [GDB] = "gdb", [GSTACK] = "gstack"};

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

#define N_SIGNALS (sizeof signals / sizeof signals[0])

static TERN_PE_LOCAL const struct tern_boot *boot;
static TERN_PE_LOCAL enum mode mode;
static TERN_PE_LOCAL int pe_pid;
static TERN_PE_LOCAL char addr2line[PATH_MAX], debugger[PATH_MAX];

/* The thread that prints; others that crash wait until it has ended the process. 0: none yet. */
static TERN_PE_LOCAL int printing_thread;

static TERN_PE_LOCAL struct tern_frames frames;
static TERN_PE_LOCAL char text[TEXT_BYTES];

/* Where a crash during the unwinding of a damaged stack continues. */
static TERN_PE_LOCAL sigjmp_buf damaged;
static TERN_PE_LOCAL volatile sig_atomic_t unwinding;

/* ---- one backtrace for all PEs that crash alike ---- */

/* Claims an entry of the job area. Returns NULL if all are taken by other crashes. */
static struct tern_job_backtrace *claim(uint64_t hash, int *printing_pe)
{
    uint64_t calls = hash & ~TERN_JOB_BACKTRACE_PE, own = calls | ((uint64_t)boot->pe + 1);

    *printing_pe = boot->pe;
    for (int i = 0; boot->area && i < TERN_JOB_BACKTRACES; i++) {
        struct tern_job_backtrace *entry = &boot->area->backtraces[i];
        uint64_t none = 0;

        /* Partner: the same operation of other PEs: one of them finds the entry free. */
        if (__atomic_compare_exchange_n(&entry->claim, &none, own, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return entry;
        if ((none & ~TERN_JOB_BACKTRACE_PE) == calls) {
            *printing_pe = (int)(none & TERN_JOB_BACKTRACE_PE) - 1;
            return entry;
        }
    }
    return NULL;
}

static bool all_are_printed(void)
{
    for (int i = 0; boot->area && i < TERN_JOB_BACKTRACES; i++)
        if (tern_load_acquire(&boot->area->backtraces[i].claim) &&
            !tern_load_acquire(&boot->area->backtraces[i].printed))
            return false;
    return true;
}

/* The launcher kills the other PEs when one has ended: this PE ends after all have printed. */
static void await_others(void)
{
    uint64_t until = tern_os_now_ns() + OTHERS_NS;

    if (boot->area)
        usleep(ALIKE_US);
    while (!all_are_printed() && tern_os_now_ns() < until)
        usleep(2000);
}

/* ---- printing ---- */

static void write_all(const char *from)
{
    size_t n = strlen(from);

    while (n > 0) {
        ssize_t written = write(STDERR_FILENO, from, n);

        if (written <= 0)
            return;
        from += written;
        n -= (size_t)written;
    }
}

static void print_by_debugger(void)
{
    static char program[] = "gdb", batch[] = "-batch", plain[] = "-nx", process[] = "-p",
                execute[] = "-ex", all[] = "thread apply all backtrace", quiet[] = "-iex",
                offline[] = "set debuginfod enabled off";
    char number[16];
    char *gdb[] = {program, batch, plain, quiet, offline, process, number, execute, all, NULL};
    char *gstack[] = {program, number, NULL};
    size_t used = strlen(text);

    snprintf(number, sizeof number, "%d", (int)getpid());
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* where only parents may trace */
    if (tern_child_output_read(debugger, mode == GDB ? gdb : gstack, DEBUGGER_SECONDS, text + used,
                               sizeof text - used) <= 0)
        tern_frames_print(&frames, addr2line, text, sizeof text);
}

/* Adds what the mode asks for to the text. */
static void print_frames(void)
{
    if (mode == GDB || mode == GSTACK)
        print_by_debugger();
    else
        tern_frames_print(&frames, mode == ADDRESSES ? "" : addr2line, text, sizeof text);
}

/* Prints the frames, unless another PE does for the same ones. what: "SIGSEGV at address 0x10". */
static void report(const char *what, uint64_t hash)
{
    int printing_pe;
    struct tern_job_backtrace *entry = claim(hash, &printing_pe);

    text[0] = '\0';
    tern_text_buffer_add(text, sizeof text, "tern: PE %d of %d: ", boot->pe, boot->n_pes);
    if (!entry && boot->area) {
        tern_text_buffer_add(text, sizeof text, "%s; %d other PEs have printed backtraces\n", what,
                             TERN_JOB_BACKTRACES);
    } else if (printing_pe != boot->pe) {
        tern_text_buffer_add(text, sizeof text, "%s; calls as on PE %d\n", what, printing_pe);
    } else {
        tern_text_buffer_add(text, sizeof text, "%s; calls, innermost first:\n", what);
        print_frames();
    }
    write_all(text);
    if (entry && printing_pe == boot->pe)
        tern_store_release(&entry->printed, 1); /* partner: all_are_printed() */
    await_others();
}

/* ---- a signal ---- */

static uintptr_t failed_instruction(const void *context)
{
    const ucontext_t *at = context;

#ifdef __x86_64__
    return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)at->uc_mcontext.pc;
#endif
}

/* After a call through a bad pointer, the frame of the caller is of more use. */
static uintptr_t return_address(const void *context)
{
    const ucontext_t *at = context;

#ifdef __x86_64__
    return *(const uintptr_t *)at->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)at->uc_mcontext.regs[30];
#endif
}

/* Whether the kernel raised it for an instruction of this thread, and not kill() or abort(). */
static bool is_fault(const siginfo_t *info)
{
    return info->si_code > 0 && info->si_signo != SIGABRT;
}

static void collect(const siginfo_t *info, const void *context)
{
    uintptr_t pc = failed_instruction(context);

    unwinding = 1;
    if (sigsetjmp(damaged, 1) == 0) {
        tern_frames_collect_from(&frames, pc);
        if (is_fault(info) && !frames.code[0].file[0]) {
            frames.code[1].address = return_address(context);
            tern_code_address_find(&frames.code[1], 1);
            frames.n = frames.code[1].file[0] ? 2 : 1;
        }
    } else { /* the stack is damaged: the instruction is all that is known */
        frames.n = 1;
        frames.first_is_exact = true;
        frames.code[0].address = pc;
        tern_code_address_find(frames.code, 1);
    }
    unwinding = 0;
}

static void describe(const siginfo_t *info, char *what, size_t bytes)
{
    const char *name = tern_compat_signal_name(info->si_signo);

    if (is_fault(info) && (info->si_signo == SIGSEGV || info->si_signo == SIGBUS))
        snprintf(what, bytes, "SIG%s at address 0x%llx", name,
                 (unsigned long long)(uintptr_t)info->si_addr);
    else
        snprintf(what, bytes, "SIG%s", name);
}

/*
 * Gives the signal its default action. A fault then happens again when the handler returns, with
 * the registers as they were; abort() raises its signal again by itself.
 */
static void let_it_end(const siginfo_t *info)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};

    sigaction(info->si_signo, &by_default, NULL);
    if (!is_fault(info) && info->si_signo != SIGABRT)
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), info->si_signo);
}

static bool begin_printing(void)
{
    int none = 0;

    /* Partner: the same operation of other threads: one of them prints. */
    return __atomic_compare_exchange_n(&printing_thread, &none, (int)syscall(SYS_gettid), false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static bool is_printing_thread(void)
{
    return tern_load_relaxed(&printing_thread) == (int)syscall(SYS_gettid);
}

static void handle(int number, siginfo_t *info, void *context)
{
    char what[64];

    if (getpid() == pe_pid && begin_printing()) {
        collect(info, context);
        describe(info, what, sizeof what);
        report(what, tern_hash_add(tern_frames_hash(&frames), (uint64_t)number));
    } else if (getpid() == pe_pid && is_printing_thread() && unwinding) {
        siglongjmp(damaged, 1);
    } else if (getpid() == pe_pid && !is_printing_thread()) {
        for (;;)
            pause(); /* until the thread that prints has ended this process */
    }
    let_it_end(info);
}

/* ---- a fatal mistake ---- */

static void print_mistake(void)
{
    if (!mode || getpid() != pe_pid || !begin_printing())
        return;
    tern_frames_collect_callers(&frames);
    report("backtrace of this mistake", tern_frames_hash(&frames));
}

/* ---- installing ---- */

/* An overflow of the stack is handled on another one. Threads that the program starts have none. */
static void provide_stack(void)
{
    stack_t stack;

    if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
        return;
    stack = (stack_t){.ss_size = STACK_BYTES};
    stack.ss_sp =
        mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED)
        sigaltstack(&stack, NULL);
}

static void install_handlers(void)
{
    struct sigaction own = {.sa_sigaction = handle,
                            .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER},
                     before;

    sigfillset(&own.sa_mask);
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigdelset(&own.sa_mask, signals[i]);
    for (size_t i = 0; i < N_SIGNALS; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
            before.sa_handler == SIG_DFL)
            sigaction(signals[i], &own, NULL);
}

/* Reads the setting. */
static int find_mode(enum mode *found)
{
    const char *word = tern_settings()->backtrace;
    bool on;

    *found = tern_settings()->debug ? AUTO : OFF;
    if (!word)
        return 0;
    if (tern_settings_parse_bool(word, &on) == 0) {
        *found = on ? AUTO : OFF;
        return 0;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(word, words[i]) == 0) {
            *found = (enum mode)i;
            return 0;
        }
    tern_error("SHMEM_BACKTRACE is \"%.100s\": expected auto, execinfo, gdb, gstack, on or off",
               word);
    return -EINVAL;
}

int tern_backtrace_install(const struct tern_boot *own)
{
    int r = find_mode(&mode);

    if (r || !mode || own->object || pe_pid)
        return r;
    boot = own;
    pe_pid = getpid();
    tern_frames_prepare();
    tern_child_output_find("addr2line", addr2line);
    if ((mode == GDB || mode == GSTACK) && !tern_child_output_find(words[mode], debugger))
        tern_warn("there is no %s for SHMEM_BACKTRACE: backtraces are this library's own",
                  words[mode]);
    provide_stack();
    install_handlers();
    tern_log_on_mistake(print_mistake);
    return 0;
}
