// SPDX-License-Identifier: BSD-3-Clause
// Fibers: functions with stacks of their own, which one thread runs in turn.
//
// TERN_SYCL_UCONTEXT, if defined, makes fibers switch by swapcontext() on x86-64 and arm64, too, as
// they do on other machines. It costs two system calls a switch, and keeps shadow stacks intact.
#ifndef SYCL_FIBER_HPP
#define SYCL_FIBER_HPP

#include "sycl/exception.hpp"

#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#if !defined TERN_SYCL_UCONTEXT && !defined __x86_64__ && !defined __aarch64__
#define TERN_SYCL_UCONTEXT
#endif
#ifdef TERN_SYCL_UCONTEXT
#include <ucontext.h>
#endif

#if defined __SANITIZE_ADDRESS__
#define TERN_SYCL_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define TERN_SYCL_ASAN 1
#endif
#endif
#if defined __SANITIZE_THREAD__
#define TERN_SYCL_TSAN 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define TERN_SYCL_TSAN 1
#endif
#endif

#ifdef TERN_SYCL_ASAN
extern "C" void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
extern "C" void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom,
                                                size_t *size);
#endif
#ifdef TERN_SYCL_TSAN
extern "C" void *__tsan_get_current_fiber(void);
extern "C" void *__tsan_create_fiber(unsigned flags);
extern "C" void __tsan_destroy_fiber(void *fiber);
extern "C" void __tsan_switch_to_fiber(void *fiber, unsigned flags);
#endif

namespace sycl::detail
{

// The memory of a fiber's stack. A guard page below it turns an overflow into a fault.
class stack
{
  public:
    static constexpr std::size_t bytes = 256 * 1024; // of address space; pages come when touched

    stack()
    {
        void *mapped = mmap(nullptr, guard() + bytes, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (mapped == MAP_FAILED)
            throw exception(errc::memory_allocation, "no memory for the stack of a work-item");
        mapping_ = static_cast<char *>(mapped);
        if (mprotect(bottom(), bytes, PROT_READ | PROT_WRITE)) {
            munmap(mapping_, guard() + bytes);
            throw exception(errc::memory_allocation, "no memory for the stack of a work-item");
        }
    }

    stack(const stack &) = delete;
    stack &operator=(const stack &) = delete;

    ~stack()
    {
        munmap(mapping_, guard() + bytes);
    }

    char *bottom() const
    {
        return mapping_ + guard();
    }

    // Where the stack begins. Stacks that began at equal distances would compete for few lines of
    // the caches, so the addresses differ in their lower bits.
    char *top() const
    {
        std::uintptr_t number = reinterpret_cast<std::uintptr_t>(mapping_) / (guard() + bytes);
        return bottom() + bytes - number % 61 * 64;
    }

  private:
    static std::size_t guard()
    {
        static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        return page;
    }

    char *mapping_;
};

// A suspended flow of control: where its registers are.
struct context_switch {
#ifdef TERN_SYCL_UCONTEXT
    ucontext_t registers;
#else
    void *stack_pointer = nullptr;
#endif
#ifdef TERN_SYCL_ASAN
    void *fake_stack = nullptr;
    const void *bottom = nullptr;
    std::size_t size = 0;
#endif
#ifdef TERN_SYCL_TSAN
    void *tsan_fiber = nullptr;
#endif
};

// The compiler must not look into the function that switches: its callers save registers of which
// it could see that the function leaves them alone.
#ifdef __clang__
#define TERN_SYCL_OPAQUE __attribute__((noinline))
#else
#define TERN_SYCL_OPAQUE __attribute__((noipa))
#endif

#if !defined TERN_SYCL_UCONTEXT && defined __x86_64__
// Stores the caller's stack pointer in *from and continues where the stack `to` was left. The
// compiler saves the registers that are named as overwritten. The 128 bytes below the stack pointer
// belong to the function as well, by the calling convention.
TERN_SYCL_OPAQUE inline void swap_stacks(void **from, void *to)
{
    asm volatile("leaq -128(%%rsp), %%rsp\n\t"
                 "leaq 1f(%%rip), %%rax\n\t"
                 "pushq %%rax\n\t"
                 "pushq %%rbp\n\t"
                 "movq %%rsp, (%%rdi)\n\t"
                 "movq %%rsi, %%rsp\n\t"
                 "popq %%rbp\n\t"
                 "popq %%rax\n\t"
                 "jmpq *%%rax\n"
                 "1:\n\t"
                 "endbr64\n\t"
                 "leaq 128(%%rsp), %%rsp"
                 : "+D"(from), "+S"(to)
                 :
                 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                   "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                   "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}

// The stack pointer of a fiber that has yet to call `entry`, as swap_stacks() would have left it.
// A function finds its return address at an address 8 bytes below a multiple of 16.
inline void *prepare_stack(char *top, void (*entry)())
{
    void **words = reinterpret_cast<void **>(top);
    words[-1] = nullptr; // the return address of entry, at which debuggers stop
    words[-2] = reinterpret_cast<void *>(entry);
    words[-3] = nullptr; // the frame pointer
    return &words[-3];
}
#elif !defined TERN_SYCL_UCONTEXT
TERN_SYCL_OPAQUE inline void swap_stacks(void **from, void *to)
{
    register void **saved asm("x0") = from;
    register void *next asm("x1") = to;
    asm volatile("adr x9, 1f\n\t"
                 "stp x29, x9, [sp, #-16]!\n\t"
                 "mov x10, sp\n\t"
                 "str x10, [x0]\n\t"
                 "mov sp, x1\n\t"
                 "ldp x29, x9, [sp], #16\n\t"
                 "br x9\n"
                 "1:\n\t"
                 "hint #36" // a landing pad for indirect jumps
                 : "+r"(saved), "+r"(next)
                 :
                 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
                   "x14", "x15", "x16", "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25",
                   "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
                   "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
                   "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30",
                   "v31", "memory", "cc");
}

inline void *prepare_stack(char *top, void (*entry)())
{
    void **words = reinterpret_cast<void **>(top);
    words[-1] = reinterpret_cast<void *>(entry);
    words[-2] = nullptr; // the frame pointer
    return &words[-2];
}
#endif

#undef TERN_SYCL_OPAQUE

// Makes the flow of control `to` begin with entry(), which never returns, on a stack of its own.
inline void begin_context(context_switch &to, const stack &memory, void (*entry)())
{
#ifdef TERN_SYCL_UCONTEXT
    getcontext(&to.registers);
    to.registers.uc_stack.ss_sp = memory.bottom();
    to.registers.uc_stack.ss_size = static_cast<std::size_t>(memory.top() - memory.bottom());
    to.registers.uc_link = nullptr;
    makecontext(&to.registers, entry, 0);
#else
    to.stack_pointer = prepare_stack(memory.top(), entry);
#endif
#ifdef TERN_SYCL_ASAN
    to.bottom = memory.bottom();
    to.size = stack::bytes;
#endif
}

// Stores the caller's flow of control in `from` and continues `to`. Returns when something switches
// back to `from`.
inline void switch_context(context_switch &from, context_switch &to)
{
#ifdef TERN_SYCL_ASAN
    __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.size);
#endif
#ifdef TERN_SYCL_TSAN
    __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
#ifdef TERN_SYCL_UCONTEXT
    swapcontext(&from.registers, &to.registers);
#else
    swap_stacks(&from.stack_pointer, to.stack_pointer);
#endif
#ifdef TERN_SYCL_ASAN
    __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

// The first thing that a fiber calls.
inline void note_first_switch()
{
#ifdef TERN_SYCL_ASAN
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

// Describes the stack that the caller runs on to the sanitizers, before the caller's first switch:
// the stack of the fiber `outer`, or that of the thread if this is null.
inline void describe_caller([[maybe_unused]] context_switch &caller,
                            [[maybe_unused]] const context_switch *outer)
{
#ifdef TERN_SYCL_ASAN
    if (outer) {
        caller.bottom = outer->bottom;
        caller.size = outer->size;
    } else {
        pthread_attr_t attributes;
        void *bottom = nullptr;
        pthread_getattr_np(pthread_self(), &attributes);
        pthread_attr_getstack(&attributes, &bottom, &caller.size);
        pthread_attr_destroy(&attributes);
        caller.bottom = bottom;
    }
#endif
#ifdef TERN_SYCL_TSAN
    caller.tsan_fiber = __tsan_get_current_fiber();
#endif
}

} // namespace sycl::detail

#endif
