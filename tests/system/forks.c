/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that a PE starts, while its peers work on its variables.
 *
 *     forks HOW WHEN ROUNDS    HOW  fork, thread, nested, exit, _Fork, vfork, spawn, system, popen
 *                              WHEN before, during, after the time between init and finalize
 *     forks crowd ROUNDS       threads that allocate and start threads, and forks among them
 *     forks call WHEN          the child uses OpenSHMEM
 *     forks who [COMMAND]      prints which PE it is, and what COMMAND prints
 */
#include <errno.h>
#include <pthread.h>
#include <shmem.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "system/objects.h"

extern char **environ;

static long counter, added, stop;
static int own = 5, touched[3000] = {1}, untouched[100000];
static long age[20000];

static void pause_for(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

static void expect_child(pid_t pid, const char *what)
{
    int status = -1;

    require(pid > 0, what);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (status != 0) {
        fprintf(stderr, "%s: the child ended with status 0x%x\n", what, status);
        exit(91);
    }
}

static void use_malloc(void)
{
    char *blocks[50];

    for (int i = 0; i < 50; i++) {
        blocks[i] = malloc(16u << (i % 14));
        memset(blocks[i], i, 16u << (i % 14));
    }
    for (int i = 0; i < 50; i++)
        free(blocks[i]);
}

/* The child has the variables as they were at the fork, however soon its parent changes them. */
static void grow_older(long to)
{
    for (size_t i = sizeof age / sizeof age[0]; i-- > 0;)
        age[i] = to;
}

static bool is_aged(long expected)
{
    for (size_t i = 0; i < sizeof age / sizeof age[0]; i++)
        if (age[i] != expected)
            return false;
    return true;
}

/* The child has its parent's variables as they were, and nobody else has them. */
static void be_child(void)
{
    volatile long *count = &counter;
    long before = *count;

    if (own != 5 || touched[0] != 1 || touched[2999] != 2 || untouched[50000] != 0)
        _exit(80);
    pause_for(300);
    if (*count != before)
        _exit(81);
    *count = -1;
    own = 6;
    untouched[50000] = 1;
    memset(touched, 0, sizeof touched);
    use_malloc();
    if (*count != -1 || own != 6)
        _exit(82);
}

static void check_parent(void)
{
    require(own == 5 && touched[0] == 1 && touched[2999] == 2 && untouched[50000] == 0,
            "the parent's variables");
    use_malloc();
}

static void by_fork(void)
{
    static long rounds;
    long round = ++rounds;
    pid_t pid;

    grow_older(round);
    pid = fork();
    if (pid == 0) {
        be_child();
        _exit(is_aged(round) ? 0 : 85);
    }
    grow_older(-1);
    expect_child(pid, "fork");
}

static void by_bare_fork(void)
{
#if __GLIBC_PREREQ(2, 34)
    pid_t pid = _Fork();

    if (pid == 0)
        _exit(0);
    expect_child(pid, "_Fork");
#endif
}

/* With what the program and libc do at exit. */
static void by_exit(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        be_child();
        exit(0);
    }
    expect_child(pid, "fork and exit");
}

/* A child of the child has the child's variables. */
static void by_nested_fork(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        own = 7;
        pid = fork();
        if (pid == 0) {
            int seen = own;

            own = 8;
            use_malloc();
            _exit(seen == 7 && touched[2999] == 2 ? 0 : 83);
        }
        expect_child(pid, "fork in a fork");
        _exit(own == 7 ? 0 : 84);
    }
    expect_child(pid, "fork");
}

static void *fork_in_thread(void *unused)
{
    by_fork();
    return unused;
}

static void by_thread(void)
{
    pthread_t thread;

    require(pthread_create(&thread, NULL, fork_in_thread, NULL) == 0, "a thread");
    pthread_join(thread, NULL);
}

static void by_vfork(void)
{
    pid_t pid = vfork();

    if (pid == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(127);
    }
    expect_child(pid, "vfork");
}

static void by_spawn(void)
{
    char *argv[] = {"sh", "-c", "exit 0", NULL};
    pid_t pid = 0;

    require(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0, "posix_spawn");
    expect_child(pid, "posix_spawn");
}

static void by_system(void)
{
    require(system("exit 3") == 3 << 8, "system");
}

static void by_popen(void)
{
    char line[64] = "";
    FILE *f = popen("echo $((6 * 7))", "r");

    require(f != NULL && fgets(line, sizeof line, f) != NULL, "popen");
    require(pclose(f) == 0 && strcmp(line, "42\n") == 0, "popen");
}

static void (*find_way(const char *name))(void)
{
    static const struct {
        const char *name;
        void (*call)(void);
    } ways[] = {
        {"fork", by_fork},   {"thread", by_thread},   {"nested", by_nested_fork},
        {"exit", by_exit},   {"_Fork", by_bare_fork}, {"vfork", by_vfork},
        {"spawn", by_spawn}, {"system", by_system},   {"popen", by_popen},
    };

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(ways[i].name, name) == 0)
            return ways[i].call;
    exit(95);
}

static void repeat(void (*call)(void), int rounds)
{
    for (int i = 0; i < rounds; i++) {
        call();
        check_parent();
    }
}

/* PE 0 starts processes; the others add to its counter all the while. */
static void under_fire(void (*call)(void), int rounds)
{
    if (shmem_my_pe() == 0) {
        repeat(call, rounds);
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            shmem_long_atomic_set(&stop, 1, pe);
    } else {
        do {
            shmem_long_atomic_inc(&counter, 0);
            added++;
        } while (!shmem_long_test(&stop, SHMEM_CMP_EQ, 1));
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        long sum = 0;

        for (int pe = 1; pe < shmem_n_pes(); pe++)
            sum += shmem_long_g(&added, pe);
        require(counter == sum && (sum > 0 || shmem_n_pes() == 1), "no addition is lost");
    }
    shmem_barrier_all();
}

static bool crowd_ends;

static void *idle(void *unused)
{
    return unused;
}

static void *bustle(void *unused)
{
    pthread_t thread;

    while (!__atomic_load_n(&crowd_ends, __ATOMIC_RELAXED)) {
        use_malloc();
        require(pthread_create(&thread, NULL, idle, NULL) == 0, "a thread");
        pthread_join(thread, NULL);
    }
    return unused;
}

static void in_a_crowd(int rounds)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        require(pthread_create(&threads[i], NULL, bustle, NULL) == 0, "a thread");
    repeat(by_thread, rounds);
    repeat(by_fork, rounds);
    __atomic_store_n(&crowd_ends, true, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    bustle(NULL);
}

/* In the child of a fork. The parent tells how it ended and goes on. */
static void call_in_child(void (*call)(void))
{
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        call();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    dprintf(STDOUT_FILENO, "child: %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void put(void)
{
    shmem_int_p(&own, 1, 0);
}

/* WHEN is the time before init, between or after; "never" is for programs without any. */
static void call(const char *when)
{
    if (strcmp(when, "before") == 0) {
        call_in_child(shmem_init);
        call_in_child(put);
    }
    shmem_init();
    if (strcmp(when, "during") == 0 && shmem_my_pe() == 0) {
        call_in_child(put);
        call_in_child(shmem_barrier_all);
        call_in_child(shmem_init);
        call_in_child(shmem_finalize);
    }
    shmem_barrier_all();
    shmem_finalize();
    if (strcmp(when, "after") == 0)
        call_in_child(shmem_init);
}

static void tell_who(const char *command)
{
    shmem_init();
    dprintf(STDOUT_FILENO, "PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
    shmem_barrier_all();
    if (command && shmem_my_pe() == 0)
        require(system(command) == 0, command);
    shmem_barrier_all();
    shmem_finalize();
}

int main(int argc, char **argv)
{
    const char *how = argv[1], *when = argc > 2 ? argv[2] : "";
    int rounds = argc > 3 ? atoi(argv[3]) : 1;

    touched[2999] = 2;
    if (strcmp(how, "call") == 0) {
        call(when);
    } else if (strcmp(how, "who") == 0) {
        tell_who(argv[2]);
    } else if (strcmp(how, "crowd") == 0) {
        shmem_init();
        in_a_crowd(atoi(when));
        shmem_barrier_all();
        shmem_finalize();
    } else {
        if (strcmp(when, "before") == 0)
            repeat(find_way(how), rounds);
        shmem_init();
        if (strcmp(when, "during") == 0)
            under_fire(find_way(how), rounds);
        shmem_finalize();
        if (strcmp(when, "after") == 0)
            repeat(find_way(how), rounds);
    }
    return 0;
}
