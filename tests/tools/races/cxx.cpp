// SPDX-License-Identifier: BSD-3-Clause
// C++: containers, threads and atomic objects of its library, and code in templates.
#include "collection.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

static long a[N], b[N];

template <typename T> static T total(const T *values, int count)
{
    T sum = 0;

    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

WRONG(template_reads)
{
    shmem_p(&a[1], long(me), next);
    use(total(a, N));
}

RIGHT(template_reads)
{
    shmem_p(&a[1], long(me), next);
    meet();
    use(total(a, N));
}

WRONG(vector_to_symmetric)
{
    std::vector<long> own(N, me);

    std::copy(own.begin(), own.end(), a);
    use(shmem_g(&a[2], next));
}

RIGHT(vector_to_symmetric)
{
    std::vector<long> own(N, me);

    std::copy(own.begin(), own.end(), a);
    meet();
    use(shmem_g(&a[2], next));
}

WRONG(vector_as_source)
{
    std::vector<long> own(N, me);

    shmem_put_nbi(a, own.data(), N, next);
    own[4] = 1;
    use(own[4]);
    shmem_quiet();
}

RIGHT(vector_as_source)
{
    std::vector<long> own(N, me);

    shmem_put_nbi(a, own.data(), N, next);
    shmem_quiet();
    own[4] = 1;
    use(own[4]);
}

class counter
{
  public:
    void add(long value)
    {
        sum += value;
    }
    long sum = 0;
};

static counter shared;
static std::mutex guard;

WRONG(member_function)
{
    std::thread thread([] { shared.add(1); });

    shared.add(2);
    thread.join();
}

RIGHT(member_function)
{
    std::thread thread([] {
        std::lock_guard<std::mutex> hold(guard);
        shared.add(1);
    });

    {
        std::lock_guard<std::mutex> hold(guard);
        shared.add(2);
    }
    thread.join();
}

static std::atomic<bool> is_ready;

RIGHT(atomic_object)
{
    is_ready.store(false);
    std::thread thread([] {
        b[3] = 1;
        is_ready.store(true, std::memory_order_release);
    });

    while (!is_ready.load(std::memory_order_acquire))
        std::this_thread::yield();
    use(b[3]);
    thread.join();
}

WRONG(sorted_while_read)
{
    std::sort(b, b + N);
    use(shmem_g(&b[1], next));
    b[0] = me;
    std::fill(b, b + N, 3);
}

RIGHT(sorted_then_read)
{
    std::fill(b, b + N, 3);
    std::sort(b, b + N);
    meet();
    use(shmem_g(&b[1], next));
}
