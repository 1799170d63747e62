/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries that are allowed at any time: initialization, thread level, number of the PE. */
#include "harness/check.h"

#include <pthread.h>
#include <string.h>

static int initialized(void)
{
    int answer = -1;

    shmem_query_initialized(&answer);
    return answer;
}

static int level(void)
{
    int answer = -1;

    shmem_query_thread(&answer);
    return answer;
}

static void *ask_in_thread(void *answer)
{
    *(int *)answer = initialized();
    return NULL;
}

/* From any thread at any thread level, before init and after finalize too. */
static int initialized_in_thread(void)
{
    pthread_t thread;
    int answer = -1;

    pthread_create(&thread, NULL, ask_in_thread, &answer);
    pthread_join(thread, NULL);
    return answer;
}

static void test_constants(void)
{
    int major = -1, minor = -1;
    /* Exactly as long as promised: the byte behind must stay. */
    char name[SHMEM_MAX_NAME_LEN + 1];

    check_case("version and name");
    shmem_info_get_version(&major, &minor);
    check_equal(major, SHMEM_MAJOR_VERSION, "info-version");
    check_equal(minor, SHMEM_MINOR_VERSION, "info-version");
    memset(name, 'x', sizeof name);
    shmem_info_get_name(name);
    check(memchr(name, 0, SHMEM_MAX_NAME_LEN) != NULL, "info-name-fits", "no NUL in the buffer");
    check_equal(name[SHMEM_MAX_NAME_LEN], 'x', "info-name-fits");
    check(strncmp(name, SHMEM_VENDOR_STRING, sizeof name) == 0, "info-name", "%s is not %s", name,
          SHMEM_VENDOR_STRING);
}

static void test_pcontrol(void)
{
    int unchanged = 5;

    check_case("pcontrol");
    shmem_pcontrol(0);
    shmem_pcontrol(1);
    shmem_pcontrol(2, "flush");
    shmem_pcontrol(-1, 3.5, &unchanged);
    shmem_pcontrol(1000, &unchanged, unchanged, 2L);
    check_equal(unchanged, 5, "pcontrol-does-nothing");
}

int main(void)
{
    static const int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED,
                                 SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE};
    int before_init = initialized(), in_thread = initialized_in_thread(), early_level = level();

    for (int i = 0; i < 4; i++) {
        int provided = -1, error = shmem_init_thread(levels[i], &provided);

        check_attach("setup/query");
        check_case("level %d", levels[i]);
        check_equal(before_init, 0, "not-initialized-before-init");
        check_equal(in_thread, 0, "query-initialized-in-thread");
        check_equal(early_level, SHMEM_THREAD_SINGLE, "query-thread-early");
        check_equal(error, 0, "init-thread-returns-0");
        check(provided >= levels[i], "level-provided", "level %d", provided);
        check_equal(level(), provided, "query-thread");
        check(initialized() != 0, "initialized-after-init", "not initialized");
        check(initialized_in_thread() != 0, "query-initialized-in-thread", "not initialized");
        check_equal(shmem_my_pe(), shmem_team_my_pe(SHMEM_TEAM_WORLD), "my-pe");
        check_equal(shmem_n_pes(), shmem_team_n_pes(SHMEM_TEAM_WORLD), "my-pe");
        check(i == 0 || levels[i] > levels[i - 1], "levels-ordered", "%d after %d", levels[i],
              levels[i - 1]);
        if (i == 3) {
            test_constants();
            test_pcontrol();
            check_report();
        }
        shmem_finalize();
        check_case("after finalize");
        check_equal(initialized(), 0, "not-initialized-after-last");
        check_equal(initialized_in_thread(), 0, "query-initialized-in-thread");
    }
    return check_status();
}
