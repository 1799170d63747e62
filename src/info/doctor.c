/* SPDX-License-Identifier: BSD-3-Clause */
/* tern-info --doctor: prints this process's limits, the launchers, and the networks. */
#include "info/doctor.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/boot_id.h"
#include "base/settings.h"
#include "info/machine.h"
#include "info/place.h"
#include "launch/starters/starter.h"
#include "net/engines.h"

/* ---- limits ---- */

static void print_limit(FILE *out, const char *name, int which, const char *unit, rlim_t divisor,
                        const char *how)
{
    struct rlimit limit;

    getrlimit(which, &limit);
    fprintf(out, "  %-15s ", name);
    if (limit.rlim_cur == RLIM_INFINITY)
        fprintf(out, "no limit\n");
    else
        fprintf(out, "%llu%s (%s)\n", (unsigned long long)(limit.rlim_cur / divisor), unit, how);
}

static void print_container(FILE *out)
{
    static const struct {
        const char *file, *name;
    } signs[] = {{"/.dockerenv", "Docker"}, {"/run/.containerenv", "Podman"}};
    const char *name = getenv("container");

    for (size_t i = 0; !name && i < sizeof signs / sizeof signs[0]; i++)
        if (access(signs[i].file, F_OK) == 0)
            name = signs[i].name;
    fprintf(out, "  container       %s\n", name ? name : "none that shows");
}

static void print_limits(FILE *out)
{
    print_limit(out, "locked memory", RLIMIT_MEMLOCK, " KiB", 1024,
                "ulimit -l: adapters other than Ethernet need more");
    print_limit(out, "processes", RLIMIT_NPROC, "", 1, "ulimit -u");
    print_limit(out, "descriptors", RLIMIT_NOFILE, "", 1, "ulimit -n");
    print_container(out);
}

/* ---- nodes ---- */

static void print_node(FILE *out)
{
    long split = tern_settings()->nodes;
    char host[256] = "", boot[TERN_BOOT_ID_BYTES];
    struct stat net;

    gethostname(host, sizeof host - 1);
    tern_boot_id_read(boot);
    if (stat("/proc/self/ns/net", &net) != 0)
        net.st_ino = 0;
    fprintf(out,
            "\nThis node: PEs that agree on boot, network namespace and user share memory\n"
            "  host            %s\n"
            "  boot            %s\n"
            "  namespace       %llu\n"
            "  user            %u\n",
            host, boot[0] ? boot : "unknown: there is no /proc", (unsigned long long)net.st_ino,
            (unsigned)geteuid());
    if (split > 1)
        fprintf(out, "  split           into %ld nodes (SHMEM_NODES)\n", split);
}

/* ---- launchers ---- */

/* Environment variables that launchers set for the processes that they start. */
static const struct {
    const char *variable, *launcher;
} started_by[] = {
    {"TERN_BOOT", "oshrun"},
    {"PMI_FD", "PMI, as Hydra and srun --mpi=pmi2 speak it"},
    {"PMIX_NAMESPACE", "PMIx, as mpirun and srun --mpi=pmix speak it"},
};

static void print_started_by(FILE *out)
{
    fprintf(out, "  started by      ");
    for (size_t i = 0; i < sizeof started_by / sizeof started_by[0]; i++)
        if (getenv(started_by[i].variable)) {
            fprintf(out, "%s (%s is set)\n", started_by[i].launcher, started_by[i].variable);
            return;
        }
    fprintf(out, "no launcher: a program would be a job of one PE\n");
}

static void print_installed(FILE *out)
{
    struct tern_found_starter found;
    bool chosen = false, any = false;

    for (size_t at = 0; tern_starter_next(&at, &found); free(found.path)) {
        const struct tern_starter *starter = found.starter;
        bool works = tern_starter_works(starter);

        fprintf(out, "  %-15s %s (%s)", any ? "" : "installed", found.path, starter->title);
        if (!works)
            fprintf(out, ": not in %s (%s)", starter->allocation, starter->variable);
        else if (!chosen)
            fprintf(out, ": oshrun -H would use it");
        fputc('\n', out);
        chosen |= works;
        any = true;
    }
    if (!any)
        fprintf(out, "  installed       none: for oshrun -H, install mpich or openmpi-bin\n");
}

static void print_launchers(FILE *out)
{
    fprintf(out, "\nLaunchers\n");
    print_started_by(out);
    print_installed(out);
}

/* ---- network ---- */

static void print_line(void *out, const char *text)
{
    fprintf(out, "  %s\n", text);
}

static void say(const char *text)
{
    fprintf(stderr, "%s\n", text);
}

static void keep_quiet(const char *text)
{
}

static void print_engine(FILE *out, const struct tern_engine *engine, const char *library)
{
    const struct tern_net_host host = {
        .n_pes = 1,
        .provider = tern_settings()->provider,
        .interface = tern_settings()->interface,
        .error = say,
        .debug = keep_quiet,
    };
    const struct tern_net_ops *ops;
    char problem[TERN_ENGINES_PROBLEM];

    if (tern_engines_load(engine, library, &ops, problem, sizeof problem) != 0) {
        fprintf(out, "  none: %s\n", problem);
        return;
    }
    if (host.provider)
        fprintf(out, "  SHMEM_PROVIDER asks for %s\n", host.provider);
    if (host.interface)
        fprintf(out, "  SHMEM_INTERFACE asks for %s\n", host.interface);
    ops->survey(&host, print_line, out);
}

static void print_network(FILE *out, const char *library)
{
    struct tern_engines engines;
    char problem[TERN_ENGINES_PROBLEM];

    fprintf(out, "\nNetwork between nodes\n");
    if (tern_engines_select(&tern_engines, tern_settings()->network, &engines, problem,
                            sizeof problem) != 0) {
        fprintf(out, "  none: %s\n", problem);
        return;
    }
    for (size_t i = 0; i < engines.n; i++)
        print_engine(out, &engines.list[i], library);
}

void tern_doctor_print(FILE *out)
{
    struct tern_installation installation;

    tern_place_find(&installation);
    fprintf(out, "This machine\n");
    tern_machine_print(out);
    print_limits(out);
    print_node(out);
    print_launchers(out);
    print_network(out, installation.library);
}
