/* SPDX-License-Identifier: BSD-3-Clause */
/* Start by attributes, end, what the interface says of itself, memory, and its constants. */
#include <cstring>

#include "ishmem/types.h"

/* Intel's values, where its documents or programs rely on them. */
static_assert(ISHMEM_CMP_EQ == 1 && ISHMEM_CMP_NE == 2 && ISHMEM_CMP_GT == 3);
static_assert(ISHMEM_CMP_GE == 4 && ISHMEM_CMP_LT == 5 && ISHMEM_CMP_LE == 6);
static_assert(ISHMEM_THREAD_SINGLE < ISHMEM_THREAD_FUNNELED);
static_assert(ISHMEM_THREAD_FUNNELED < ISHMEM_THREAD_SERIALIZED);
static_assert(ISHMEM_THREAD_SERIALIZED < ISHMEM_THREAD_MULTIPLE);
static_assert(ISHMEM_SIGNAL_SET != ISHMEM_SIGNAL_ADD);
static_assert(ISHMEM_TEAM_INVALID != ISHMEM_TEAM_WORLD);
static_assert(ISHMEM_TEAM_INVALID != ISHMEM_TEAM_SHARED);
static_assert(ISHMEM_MAJOR_VERSION == 1);
static_assert(ISHMEM_PATCH_VERSION >= 0);
static_assert(sizeof ISHMEM_VENDOR_STRING <= ISHMEM_MAX_NAME_LEN);
static_assert(std::is_same_v<ishmem_team_t, int>);
static_assert(ISHMEM_RUNTIME_MPI == ISHMEMX_RUNTIME_MPI);

/* On the host it marks nothing. */
SYCL_EXTERNAL static int marked()
{
    return 3;
}

static int initialized()
{
    int answer = -1;

    ishmemx_query_initialized(&answer);
    return answer;
}

static void test_information()
{
    char name[ISHMEM_MAX_NAME_LEN];
    int major = 0, minor = 0, provided = -1;

    check_case("information");
    ishmem_info_get_version(&major, &minor);
    check_equal(major, ISHMEM_MAJOR_VERSION, "info_get_version");
    check_equal(minor, ISHMEM_MINOR_VERSION, "info_get_version");
    ishmem_info_get_name(name);
    check(strcmp(name, ISHMEM_VENDOR_STRING) == 0, "info_get_name", "it is %s", name);
    check_equal(me, check_pe(), "my_pe");
    check_equal(n_pes, check_n_pes(), "n_pes");
    ishmem_query_thread(&provided);
    check_equal(provided, ISHMEM_THREAD_MULTIPLE, "query_thread");
    check_equal(marked(), 3, "SYCL_EXTERNAL");
    ishmemx_nop();
    ishmemx_nop_no_r();
    ishmemx_debug_test();
}

static void test_memory()
{
    check_case("memory");

    long *block = static_cast<long *>(ishmem_malloc(3 * sizeof(long)));
    long *zeros = static_cast<long *>(ishmem_calloc(4, sizeof(long)));
    void *aligned = ishmem_align(4096, 100);

    check(block && zeros && aligned, "allocation", "NULL");
    check_equal(zeros[0] | zeros[1] | zeros[2] | zeros[3], 0, "calloc");
    check_equal(reinterpret_cast<uintptr_t>(aligned) % 4096, 0u, "align");
    block[0] = me + 10;
    ishmem_barrier_all();
    check_equal(ishmem_g(block, next), next + 10, "malloc");
    check(ishmem_ptr(block, me) == block, "ptr", "another address");

    const long *there = static_cast<const long *>(ishmem_ptr(block, next));
    int shared = ishmem_team_translate_pe(ISHMEM_TEAM_WORLD, next, ISHMEM_TEAM_SHARED);

    check((there != nullptr) == (shared >= 0), "ptr", "it is %p", static_cast<const void *>(there));
    if (there)
        check_equal(there[0], next + 10, "ptr");
    ishmem_free(block);
    ishmem_free(zeros);
    ishmem_free(aligned);
    ishmem_free(nullptr);
}

/* What comes before a fence is there before what comes after it. */
static void test_order()
{
    static int data, ready;

    check_case("order");
    ishmem_sync_all();
    ishmem_put(&data, &me, 1, next);
    ishmem_fence();
    ishmem_p(&ready, 1, next);
    ishmem_wait_until(&ready, ISHMEM_CMP_EQ, 1);
    check_equal(data, before, "fence");
    ishmem_quiet();
    ishmem_barrier_all();
}

/* As shmem_init, it counts: only the last finalize ends what the first init has begun. */
static void test_nested()
{
    int provided = -1;

    check_case("nested");
    ishmem_init();
    check_equal(ishmem_init_thread(ISHMEM_THREAD_SINGLE, &provided), 0, "nested-init");
    check_equal(provided, ISHMEM_THREAD_MULTIPLE, "nested-init");
    check_equal(ishmemx_runtime_get_type(), ISHMEMX_RUNTIME_MPI, "nested-init");
    ishmem_finalize();
    check_equal(initialized(), 1, "nested-finalize");
    ishmem_finalize();
    check_equal(initialized(), 1, "nested-finalize");
    check_equal(ishmemx_runtime_get_type(), ISHMEMX_RUNTIME_MPI, "nested-finalize");
}

int main()
{
    ishmemx_attr_t attributes = {};

    attributes.runtime = ISHMEMX_RUNTIME_MPI;
    bool defaults = attributes.initialize_runtime && attributes.gpu && !attributes.mpi_comm;
    int at_first = initialized(), runtime_at_first = ishmemx_runtime_get_type();

    ishmemx_init_attr(&attributes);
    check_attach("ishmem/setup");
    me = ishmem_my_pe();
    n_pes = ishmem_n_pes();
    next = (me + 1) % n_pes;
    before = (me + n_pes - 1) % n_pes;

    check_case("start");
    check(defaults, "attributes", "they have no defaults");
    check_equal(at_first, 0, "query_initialized");
    check_equal(runtime_at_first, ISHMEMX_RUNTIME_INVALID, "runtime_get_type");
    check_equal(initialized(), 1, "query_initialized");
    check_equal(ishmemx_runtime_get_type(), ISHMEMX_RUNTIME_MPI, "runtime_get_type");
    test_nested();
    test_information();
    test_memory();
    test_order();

    int status = check_report();

    ishmem_finalize();
    check_case("end");
    check_equal(initialized(), 0, "query_initialized");
    check_equal(ishmemx_runtime_get_type(), ISHMEMX_RUNTIME_INVALID, "runtime_get_type");
    return status | check_status();
}
