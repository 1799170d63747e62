/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages: their format, the settings that enable them, and the end of the process after a fatal
 * one.
 */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "base/log.h"
#include "capture.h"

static char text[8192];

static void says_some(void)
{
    tern_warn("%d is odd", 3);
    tern_log_identify("oshrun");
    tern_warn("%s", "so it is");
    tern_log_identify_pe("PE", 3, 0);
    tern_warn("of how many?");
    tern_log_identify_pe("PE", 3, 8);
    tern_error("no %s", "luck");
    tern_debug("not shown");
    tern_log_set_debug(true);
    tern_debug("shown");
}

static void one_shape(void)
{
    CHECK(!tern_log_debug());
    CHECK(capture(says_some, text, sizeof text) == 0);
    CHECK(strcmp(text, "tern: warning: 3 is odd\n"
                       "tern: oshrun: warning: so it is\n"
                       "tern: PE 3: warning: of how many?\n"
                       "tern: PE 3 of 8: error: no luck\n"
                       "tern: PE 3 of 8: debug: shown\n") == 0);
}

static void says_long(void)
{
    char words[5000];

    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    tern_warn("%s", words);
    tern_warn("after");
}

/* What is too long is cut, and still one line. */
static void long_lines(void)
{
    const char *newline;

    CHECK(capture(says_long, text, sizeof text) == 0);
    newline = strchr(text, '\n');
    CHECK(newline && newline - text > 1000);
    CHECK(strcmp(newline, "\ntern: warning: after\n") == 0);
}

static void hook(void)
{
    (void)!write(STDERR_FILENO, "hook\n", 5);
}

static void dies(void)
{
    tern_log_identify_pe("PE", 3, 8);
    tern_log_on_fatal(hook);
    tern_fatal("shmem_int_put", "PE %d is outside 0..7", 9);
}

static void dies_outside_routines(void)
{
    tern_fatal(NULL, "no reason");
}

static void dies_with_debug(void)
{
    const struct rlimit no_core = {0};

    setrlimit(RLIMIT_CORE, &no_core);
    tern_log_set_debug(true);
    dies();
}

static void fatal(void)
{
    int status = capture(dies, text, sizeof text);

    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    CHECK(strcmp(text, "tern: PE 3 of 8: shmem_int_put: PE 9 is outside 0..7\nhook\n") == 0);
    status = capture(dies_outside_routines, text, sizeof text);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    CHECK(strcmp(text, "tern: no reason\n") == 0);
    status = capture(dies_with_debug, text, sizeof text);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
    one_shape();
    long_lines();
    fatal();
    return 0;
}
