/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the file of a program, once for all of its PEs. */
#include "launch/plan/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"
#include "launch/process/exit_codes.h"

/* Returns 0 if the file can be executed, else the reason as an errno. */
static int check_file(int directory, const char *path)
{
    struct stat st;

    if (fstatat(directory, path, &st, 0) != 0)
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    if (!S_ISREG(st.st_mode) || faccessat(directory, path, X_OK, AT_EACCESS) != 0)
        return EACCES;
    return 0;
}

/*
 * Reads what kind of file the program is. One that cannot be read is a binary: no shell could
 * interpret it.
 */
static void inspect(struct tern_launch_program *program, int directory)
{
    int fd = openat(directory, program->path, O_RDONLY | O_CLOEXEC);
    char magic[SELFMAG];

    program->is_elf = fd < 0;
    if (fd < 0)
        return;
    if (pread(fd, magic, sizeof magic, 0) == sizeof magic &&
        memcmp(magic, ELFMAG, sizeof magic) == 0) {
        program->is_elf = true;
        tern_linked_libraries_read(&program->libraries, fd);
        program->is_static = !program->libraries.interpreter;
    }
    close(fd);
}

/* Searches PATH for an executable file. Returns 0, or the first reason against one as an errno. */
static int search_path(int directory, const char *name, char **path)
{
    const char *dirs = getenv("PATH");
    int reason = ENOENT;

    if (!dirs)
        dirs = "/usr/local/bin:/usr/bin:/bin";
    for (;;) {
        int length = (int)strcspn(dirs, ":"), r;
        char *candidate;

        if (asprintf(&candidate, "%.*s%s%s", length, dirs, length ? "/" : "./", name) < 0)
            return ENOMEM;
        r = check_file(directory, candidate);
        if (r == 0) {
            *path = candidate;
            return 0;
        }
        /* In a directory that this user can't enter, it is as good as not there. */
        if (r == EACCES && faccessat(directory, candidate, F_OK, AT_EACCESS) == 0)
            reason = r;
        free(candidate);
        if (!dirs[length])
            return reason;
        dirs += length + 1;
    }
}

int tern_program_search(const char *name, char **path)
{
    int r;

    if (!strchr(name, '/'))
        return *name ? search_path(AT_FDCWD, name, path) : ENOENT;
    r = check_file(AT_FDCWD, name);
    *path = r ? NULL : strdup(name);
    return r || *path ? r : ENOMEM;
}

static int refuse(const struct tern_launch_program *program, int directory, int reason)
{
    const char *name = program->argv[0];

    if (reason != ENOENT && reason != ENOTDIR) {
        tern_limit_report(reason, "the program \"%s\" can't be executed", name);
        return TERN_EXIT_NOT_EXECUTABLE;
    }
    if (strchr(name, '/'))
        tern_error("there is no program \"%s\": %s", name, strerror(reason));
    else if (check_file(directory, name) == 0)
        tern_error("there is no program \"%s\" in PATH; the one in this directory is ./%s", name,
                   name);
    else
        tern_error("there is no program \"%s\" in PATH", name);
    return TERN_EXIT_NOT_FOUND;
}

int tern_program_find(struct tern_launch_program *program)
{
    const char *name = program->argv[0];
    int directory = AT_FDCWD, r;

    if (program->directory) {
        directory = open(program->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0) {
            tern_error("PEs can't run in the directory \"%s\": %s", program->directory,
                       strerror(errno));
            return TERN_EXIT_NOT_EXECUTABLE;
        }
    }
    if (strchr(name, '/')) {
        r = check_file(directory, name);
        program->path = r ? NULL : strdup(name);
        if (!r && !program->path)
            r = ENOMEM;
    } else {
        r = *name ? search_path(directory, name, &program->path) : ENOENT;
    }
    if (r)
        r = refuse(program, directory, r);
    else
        inspect(program, directory);
    if (directory != AT_FDCWD)
        close(directory);
    return r;
}

int tern_program_check_libraries(const struct tern_options *options)
{
    for (size_t i = 0; i < options->n_programs && options->n_pes > 1; i++) {
        const struct tern_launch_program *program = &options->programs[i];
        const char *library = program->libraries.other,
                   *project = tern_linked_libraries_project(library);

        if (!*library || program->libraries.tern)
            continue;
        tern_error("the program \"%s\" was linked with %s%s%s, not with Tern: each of its PEs "
                   "would be a job of its own; recompile it with oshcc" TERN_SEE("One PE each"),
                   program->argv[0], library, project ? " of " : ", another OpenSHMEM library",
                   project ? project : "");
        return TERN_EXIT_NOT_EXECUTABLE;
    }
    return 0;
}
