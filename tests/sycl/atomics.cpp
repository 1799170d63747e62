// SPDX-License-Identifier: BSD-3-Clause
// atomic_ref, fences and memory: SYCL 2020, 4.8 and 4.15.
#include "expect.hpp"

#include <cstdint>
#include <thread>

template <typename T>
using atomic = sycl::atomic_ref<T, sycl::memory_order::acq_rel, sycl::memory_scope::device,
                                sycl::access::address_space::global_space>;

template <typename T> static void count()
{
    T sum = 0, least = 1000, most = 0;
    auto work = [&] {
        for (int i = 0; i < 10000; ++i) {
            atomic<T>(sum).fetch_add(1);
            atomic<T>(least).fetch_min(static_cast<T>(1000 - i % 700));
            atomic<T>(most).fetch_max(static_cast<T>(i % 500));
        }
    };
    std::thread other(work);
    work();
    other.join();
    expect(sum == 20000 && least == 301 && most == 499, "threads add, and find extremes", sum,
           least, most);
    const atomic<T> ref(sum);
    expect(ref++ == 20000 && --ref == 20000 && (ref += 5) == 20005 && (ref -= 5) == 20000,
           "operators");
    expect(ref.exchange(7) == 20000 && sum == 7, "exchange", sum);
    T expected = 8;
    expect(!ref.compare_exchange_strong(expected, 9) && expected == 7, "compare fails", expected);
    expect(ref.compare_exchange_strong(expected, 9) && ref.load() == 9 && ref == 9, "and succeeds");
    ref = 3;
    expect(sum == 3 && ref.is_lock_free(), "store");
}

static void use_bits_and_pointers()
{
    unsigned bits = 0xf0;
    atomic<unsigned> ref(bits);
    expect(ref.fetch_or(0xf) == 0xf0 && ref.fetch_and(0x3c) == 0xff &&
               ref.fetch_xor(0xff) == 0x3c && bits == 0xc3,
           "bits", bits);
    expect((ref |= 4) == 0xc7 && (ref &= 7) == 7 && (ref ^= 1) == 6, "operators on bits");
    int array[10] = {};
    int *pointer = array;
    atomic<int *> moved(pointer);
    expect(moved.fetch_add(3) == array && moved-- == array + 3 && pointer == array + 2, "pointers");
    static_assert(atomic<int>::default_read_order == sycl::memory_order::acquire);
    static_assert(atomic<int>::default_write_order == sycl::memory_order::release);
    static_assert(atomic<int>::default_scope == sycl::memory_scope::device);
    static_assert(atomic<double>::required_alignment == 8);
}

static void count_in_kernels()
{
    sycl::queue queue;
    int *sum = sycl::malloc_shared<int>(1, queue);
    *sum = 0;
    queue
        .parallel_for(
            sycl::nd_range<1>(1024, 64),
            [=](sycl::nd_item<1>) {
                sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::system>(
                    *sum) += 1;
                sycl::atomic_fence(sycl::memory_order::seq_cst, sycl::memory_scope::system);
            })
        .wait();
    expect(*sum == 1024, "work-items count", *sum);
    sycl::free(sum, queue);
}

static void allocate()
{
    sycl::queue queue;
    const sycl::context context = queue.get_context();
    for (std::size_t alignment : {8, 64, 4096}) {
        void *block = sycl::aligned_alloc_device(alignment, 100, queue);
        expect(reinterpret_cast<std::uintptr_t>(block) % alignment == 0, "alignment", alignment);
        expect(sycl::get_pointer_type(static_cast<char *>(block) + 99, context) ==
                       sycl::usm::alloc::device &&
                   sycl::get_pointer_type(static_cast<char *>(block) + 100, context) ==
                       sycl::usm::alloc::unknown,
               "the end of a block");
        sycl::free(block, queue);
    }
    expect(sycl::malloc_host<int>(SIZE_MAX / 2, queue) == nullptr, "too much memory");
    expect(sycl::malloc<int>(3, queue, sycl::usm::alloc::unknown) == nullptr, "no kind of memory");
    sycl::free(nullptr, queue);
    int on_stack;
    expect_error(sycl::errc::invalid, "free of other memory",
                 [&] { sycl::free(&on_stack, queue); });
    expect_error(sycl::errc::invalid, "no device of other memory",
                 [&] { sycl::get_pointer_device(&on_stack, context); });
    std::vector<int, sycl::usm_allocator<int, sycl::usm::alloc::shared>> shared(
        100, 5, sycl::usm_allocator<int, sycl::usm::alloc::shared>(queue));
    expect(shared[99] == 5 &&
               sycl::get_pointer_type(shared.data(), context) == sycl::usm::alloc::shared,
           "a vector in shared memory");
}

int main()
{
    count<int>();
    count<unsigned long>();
    count<float>();
    count<double>();
    use_bits_and_pointers();
    count_in_kernels();
    allocate();
    return finish();
}
