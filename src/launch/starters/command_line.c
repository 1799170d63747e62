/* SPDX-License-Identifier: BSD-3-Clause */
/* Says the same to each launcher in its own words. */
#include "launch/starters/command_line.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/log.h"
#include "launch/process/capture.h"

/* Puts a word, which begins as it is written here, onto the command line. */
static void add(FILE *line, const char *fmt, ...) TERN_PRINTF(2, 3);
static void add(FILE *line, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vfprintf(line, fmt, args);
    va_end(args);
    fputc('\0', line);
}

/* Its program and arguments. With several programs what concerns one of them is left to env(1). */
static void add_program(FILE *line, const struct tern_launch_program *program, bool several)
{
    if (several && (program->directory || program->n_settings > 0)) {
        add(line, "env");
        if (program->directory)
            add(line, "--chdir=%s", program->directory);
        for (size_t i = 0; i < program->n_settings; i++)
            add(line, "%s", program->settings[i]);
    }
    add(line, "%s", program->path ? program->path : program->argv[0]);
    for (char **argument = program->argv + 1; *argument; argument++)
        add(line, "%s", *argument);
}

/* ---- hosts ---- */

/* A file without a name, which the launcher inherits: its descriptor, or -errno. */
static int make_file(char *text, size_t bytes)
{
    int fd = memfd_create("hosts", 0), r = 0;

    if (fd < 0)
        return -errno;
    for (size_t done = 0; !r && done < bytes;) {
        ssize_t n = write(fd, text + done, bytes - done);

        r = n < 0 ? -errno : 0;
        done += n < 0 ? 0 : (size_t)n;
    }
    if (r)
        close(fd);
    return r ? r : fd;
}

/* A line for each of the PEs from `first` to before `end`. */
static void list_pes(FILE *out, const struct tern_hosts *hosts, uint64_t first, uint64_t end)
{
    uint64_t pe = 0;

    for (size_t i = 0; i < hosts->n; i++)
        for (uint64_t k = 0; k < hosts->list[i].n_pes; k++, pe++)
            if (pe >= first && pe < end)
                fprintf(out, "%s\n", hosts->list[i].name);
}

static void list_hosts(FILE *out, const struct tern_hosts *hosts)
{
    for (size_t i = 0; i < hosts->n; i++)
        if (hosts->list[i].n_pes > 0)
            fprintf(out, "%s slots=%llu\n", hosts->list[i].name,
                    (unsigned long long)hosts->list[i].n_pes);
}

/* A file of lines for those PEs or, with end 0, for the hosts. */
static int write_hosts(const struct tern_hosts *hosts, uint64_t first, uint64_t end)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    int fd = -ENOMEM;

    if (!out)
        return -ENOMEM;
    if (end > 0)
        list_pes(out, hosts, first, end);
    else
        list_hosts(out, hosts);
    if (fclose(out) == 0)
        fd = make_file(text, bytes);
    free(text);
    return fd;
}

/* "node1:2,joe@node2:1" */
static void add_host_list(FILE *line, const struct tern_hosts *hosts)
{
    const char *comma = "";

    for (size_t i = 0; i < hosts->n; i++) {
        const struct tern_host *host = &hosts->list[i];

        if (host->n_pes > 0)
            fprintf(line, "%s%s:%llu", comma, host->name, (unsigned long long)host->n_pes);
        comma = ",";
    }
    fputc('\0', line);
}

static bool any_name_has(const struct tern_hosts *hosts, char what)
{
    for (size_t i = 0; i < hosts->n; i++)
        if (strchr(hosts->list[i].name, what))
            return true;
    return false;
}

/* 0, or an error of getaddrinfo(). */
static int find_name(const char *address, char *name, size_t bytes)
{
    struct addrinfo hints = {.ai_family = AF_INET6, .ai_flags = AI_NUMERICHOST}, *found;
    int r = getaddrinfo(address, NULL, &hints, &found);

    if (r)
        return r;
    if (IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)found->ai_addr)->sin6_addr))
        snprintf(name, bytes, "localhost"); /* even if no table says so */
    else
        r = getnameinfo(found->ai_addr, found->ai_addrlen, name, (socklen_t)bytes, NULL, 0,
                        NI_NAMEREQD);
    freeaddrinfo(found);
    return r;
}

/* No launcher takes IPv6 addresses: puts [USER@]NAME in the place of one. */
static int name_address(struct tern_host *host)
{
    char *at = strrchr(host->name, '@'), *address = at ? at + 1 : host->name, *full;
    char name[NI_MAXHOST];
    int r;

    if (!strchr(address, ':'))
        return 0;
    r = find_name(address, name, sizeof name);
    if (r) {
        tern_error("launchers take no IPv6 addresses, and \"%s\" has no name: %s", address,
                   gai_strerror(r));
        return -EINVAL;
    }
    if (asprintf(&full, "%.*s%s", (int)(address - host->name), host->name, name) < 0)
        return -ENOMEM;
    free(host->name);
    host->name = full;
    return 0;
}

/* ---- Slurm ---- */

/* Which of the protocols that Tern speaks this Slurm has; NULL: whatever is configured. */
static const char *slurm_protocol(const char *srun)
{
    char *const argv[] = {(char *)srun, (char *)"--mpi=list", NULL};
    char answer[4096];

    if (getenv("SLURM_MPI_TYPE"))
        return NULL;
    tern_capture(argv, answer, sizeof answer);
    return strstr(answer, "pmi2") ? "pmi2" : strstr(answer, "pmix") ? "pmix" : NULL;
}

static int compose_srun(FILE *line, const char *path, const struct tern_options *options)
{
    const char *protocol = slurm_protocol(path);
    int fd;

    if (options->n_programs > 1) {
        tern_error("srun starts a single program: --launcher mpirun or --launcher hydra may serve");
        return -EINVAL;
    }
    if (any_name_has(&options->hosts, '@')) {
        tern_error("Slurm starts PEs under your own name: leave \"user@\" out of the hosts");
        return -EINVAL;
    }
    add(line, "%s", path);
    if (protocol)
        add(line, "--mpi=%s", protocol);
    if (options->n_pes > 0)
        add(line, "--ntasks=%llu", (unsigned long long)options->n_pes);
    if (options->hosts.n > 0) {
        fd = write_hosts(&options->hosts, 0, options->n_pes);
        if (fd < 0)
            return fd;
        add(line, "--distribution=arbitrary");
        add(line, "--nodelist=/proc/self/fd/%d", fd); /* with a slash it is a file */
    } else if (options->per_host > 0) {
        add(line, "--ntasks-per-node=%llu", (unsigned long long)options->per_host);
    }
    add(line, "--overcommit"); /* more PEs than cores are fine */
    add(line, "--kill-on-bad-exit=1");
    add(line, "--quit-on-interrupt");
    add(line, "--input=0");
    add(line, "--export=ALL");
    if (options->bind)
        add(line, "--cpu-bind=cores");
    if (options->tag_output)
        add(line, "--label");
    add_program(line, options->programs, false);
    return 0;
}

/* ---- Open MPI ---- */

/* Others are mpirun's own affair, or it can't pass them on. */
static bool is_passed_on(const char *variable)
{
    static const char *const own[] = {"OMPI_", "ORTE_", "PMIX_", "PRTE_"};

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strncmp(variable, own[i], strlen(own[i])) == 0)
            return false;
    return variable[strcspn(variable, "=*,;")] == '=';
}

static void add_environment(FILE *line)
{
    for (char **variable = environ; *variable; variable++)
        if (is_passed_on(*variable)) {
            add(line, "-x");
            add(line, "%.*s", (int)strcspn(*variable, "="), *variable);
        }
}

/* What versions have different options for they have variables for, and ignore others'. */
static void set_open_mpi_variables(const struct tern_hosts *hosts)
{
    setenv("OMPI_MCA_orte_keep_fqdn_hostnames", "1", 0); /* node1.site is not node1 */
    if (any_name_has(hosts, '_'))
        setenv("OMPI_MCA_regx", "naive", 0); /* the others refuse such names */
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
        setenv("PRTE_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
}

/*
 * Where the PEs of a program go. Of hosts with slots mpirun takes its own first, whatever their
 * order; of a sequence of hosts it does not understand users.
 */
static int add_open_mpi_hosts(FILE *line, const struct tern_hosts *hosts, uint64_t first,
                              uint64_t end)
{
    bool users = any_name_has(hosts, '@');
    int fd = write_hosts(hosts, first, users ? 0 : end);

    if (fd < 0)
        return fd;
    add(line, "--hostfile");
    add(line, "/proc/self/fd/%d", fd);
    add(line, "--map-by");
    add(line, "%s", users ? "slot" : "seq");
    return 0;
}

static int compose_open_mpi(FILE *line, const char *path, const struct tern_options *options)
{
    uint64_t first = 0;
    int r = 0;

    set_open_mpi_variables(&options->hosts);
    add(line, "%s", path);
    if (options->tag_output)
        add(line, "--tag-output");
    for (size_t i = 0; !r && i < options->n_programs; i++) {
        const struct tern_launch_program *program = &options->programs[i];

        if (i > 0)
            add(line, ":");
        r = add_open_mpi_hosts(line, &options->hosts, first, first + program->n_pes);
        first += program->n_pes;
        add(line, "--bind-to");
        add(line, "%s", options->bind ? "core" : "none");
        add_environment(line);
        add(line, "-n");
        add(line, "%llu", (unsigned long long)program->n_pes);
        add_program(line, program, options->n_programs > 1);
    }
    return r;
}

/* ---- Hydra ---- */

static int compose_hydra(FILE *line, const char *path, const struct tern_options *options)
{
    add(line, "%s", path);
    add(line, "-hosts");
    add_host_list(line, &options->hosts);
    add(line, "-genvall");
    if (options->bind) {
        add(line, "-bind-to");
        add(line, "core");
    }
    if (options->tag_output) {
        add(line, "-prepend-pattern");
        add(line, "[%%r] ");
    }
    for (size_t i = 0; i < options->n_programs; i++) {
        if (i > 0)
            add(line, ":");
        add(line, "-n");
        add(line, "%llu", (unsigned long long)options->programs[i].n_pes);
        add_program(line, &options->programs[i], options->n_programs > 1);
    }
    return 0;
}

/* ---- */

/* To the launcher a colon begins the next program, wherever it stands. */
static int check_colons(const struct tern_remote *launcher, const struct tern_options *options)
{
    for (size_t i = 0; i < options->n_programs; i++)
        for (char **word = options->programs[i].argv; *word; word++)
            if (strcmp(*word, ":") == 0 && launcher->kind != TERN_SRUN) {
                tern_error("%s can't pass on an argument that is a colon", launcher->title);
                return -EINVAL;
            }
    return 0;
}

/* Makes the vector from words that end with a zero byte each. */
static int cut(struct tern_command_line *command, size_t bytes)
{
    size_t n = 0, i = 0;

    for (size_t at = 0; at < bytes; at++)
        n += command->text[at] == '\0';
    command->words = calloc(n + 1, sizeof *command->words);
    if (!command->words)
        return -ENOMEM;
    for (size_t at = 0; i < n; at += strlen(command->text + at) + 1)
        command->words[i++] = command->text + at;
    return 0;
}

int tern_command_line_compose(struct tern_command_line *command, const struct tern_remote *launcher,
                              const struct tern_options *options)
{
    static int (*const compose[])(FILE * line, const char *path, const struct tern_options *) = {
        [TERN_SRUN] = compose_srun,
        [TERN_OPEN_MPI] = compose_open_mpi,
        [TERN_HYDRA] = compose_hydra,
    };
    size_t bytes = 0;
    FILE *line;
    int r;

    *command = (struct tern_command_line){.words = NULL};
    r = check_colons(launcher, options);
    for (size_t i = 0; !r && i < options->hosts.n; i++)
        r = name_address(&options->hosts.list[i]);
    if (r)
        return r;
    line = open_memstream(&command->text, &bytes);
    if (!line)
        return -ENOMEM;
    r = compose[launcher->kind](line, launcher->path, options);
    if (fclose(line) != 0 && !r)
        r = -ENOMEM;
    return r ? r : cut(command, bytes);
}

static void show_word(FILE *out, const char *word)
{
    if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789@%+=:,./_-")]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

char *tern_command_line_quote(const struct tern_command_line *command)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    for (size_t i = 0; command->words[i]; i++) {
        if (i > 0)
            fputc(' ', out);
        show_word(out, command->words[i]);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void tern_command_line_free(struct tern_command_line *command)
{
    free(command->words);
    free(command->text);
}
