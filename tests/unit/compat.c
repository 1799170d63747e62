/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that are watched and signalled, signal names, and messages about missing calls. The
 * test runs a second time with the system calls of Linux 4.18.
 */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static void *sleep_for_ever(void *unused)
{
    for (;;)
        pause();
    return NULL;
}

static pid_t start(void (*run)(void))
{
    pid_t pid = fork();

    if (pid == 0) {
        run();
        _exit(0);
    }
    CHECK(pid > 0);
    return pid;
}

static void wait_for_signal(void)
{
    sleep_for_ever(NULL);
}

static void end_at_once(void)
{
}

static void leave_a_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, sleep_for_ever, NULL);
    pthread_exit(NULL);
}

/* Whether the process ends within a second, as has_ended() sees it. */
static bool ends(int fd)
{
    for (int i = 0; i < 1000; i++, usleep(1000))
        if (tern_compat_process_has_ended(fd))
            return true;
    return false;
}

static void test_process_that_is_killed(void)
{
    pid_t pid = start(wait_for_signal);
    int fd = tern_compat_open_process(pid);

    CHECK(fd >= 0);
    CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
    CHECK(!tern_compat_process_has_ended(fd));
    tern_compat_signal_process(fd, pid, SIGKILL);
    CHECK(ends(fd)); /* it is a zombie */
    CHECK(waitpid(pid, NULL, 0) == pid);
    CHECK(tern_compat_process_has_ended(fd));
    tern_compat_signal_process(fd, pid, SIGKILL);
    CHECK(tern_compat_open_process(pid) == -ESRCH);
    close(fd);
}

static void test_zombie(void)
{
    pid_t pid = start(end_at_once);
    siginfo_t info;
    int fd;

    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    fd = tern_compat_open_process(pid);
    CHECK(fd >= 0);
    CHECK(tern_compat_process_has_ended(fd));
    waitpid(pid, NULL, 0);
    close(fd);
}

static void test_process_whose_first_thread_has_ended(void)
{
    pid_t pid = start(leave_a_thread);
    int fd = tern_compat_open_process(pid);

    usleep(200000);
    CHECK(!tern_compat_process_has_ended(fd));
    tern_compat_signal_process(fd, pid, SIGTERM);
    CHECK(ends(fd));
    waitpid(pid, NULL, 0);
    close(fd);
}

static void test_other_descriptors(void)
{
    int ends[2];

    CHECK(pipe(ends) == 0);
    CHECK(tern_compat_poll_fd(ends[0]) == ends[0]);
    CHECK(!tern_compat_process_has_ended(ends[0]));
    close(ends[1]);
    CHECK(tern_compat_process_has_ended(ends[0]));
    close(ends[0]);
    CHECK(tern_compat_open_process(0) == -EINVAL);
    CHECK(tern_compat_open_process(-1) == -EINVAL);
    CHECK(tern_compat_poll_fd(-1) == -1);
    CHECK(!tern_compat_process_has_ended(-1));
}

static void test_zeros(void)
{
    size_t bytes = 1 << 20;
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned char there[256];

    CHECK(p != MAP_FAILED);
    tern_compat_populate_zeros(p, bytes);
    CHECK(mincore(p, bytes, there) == 0);
    for (size_t i = 0; i < bytes / (size_t)sysconf(_SC_PAGESIZE); i++)
        CHECK(there[i] & 1);
    CHECK(p[0] == 0 && p[bytes - 1] == 0);
    munmap(p, bytes);
}

static void test_signal_names(void)
{
    CHECK(strcmp(tern_compat_signal_name(9), "KILL") == 0);
    CHECK(strcmp(tern_compat_signal_name(6), "ABRT") == 0);
    CHECK(strcmp(tern_compat_signal_name(31), "SYS") == 0);
    for (int signal = 1; signal < 32; signal++)
        CHECK(tern_compat_signal_name(signal) != NULL);
    CHECK(tern_compat_signal_name(0) == NULL);
    CHECK(tern_compat_signal_name(32) == NULL);
    CHECK(tern_compat_signal_name(SIGRTMIN) == NULL);
}

static void test_explanation(void)
{
    char text[TERN_COMPAT_BYTES];

    tern_compat_explain("memfd_create", "3.17", EMFILE, text);
    CHECK(strcmp(text, strerror(EMFILE)) == 0);
    tern_compat_explain("memfd_create", "3.17", ENOSYS, text);
    CHECK(strstr(text, "memfd_create") && strstr(text, "3.17") && strstr(text, "needs 4.18"));
}

int main(void)
{
    alarm(60);
    test_process_that_is_killed();
    test_zombie();
    test_process_whose_first_thread_has_ended();
    test_other_descriptors();
    test_zeros();
    test_signal_names();
    test_explanation();
    return 0;
}
