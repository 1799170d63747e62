/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several engines is used: by its name, or the first that can be loaded. */
#include "net/engines.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed;

#define CHECK(condition, text)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            failed = 1;                                                                            \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, text);              \
        }                                                                                          \
    } while (0)

static const struct tern_engine list[] = {
    {"missing", "no network", "libtern-missing.so"},
    {"older", "networks of last year", "libtern-older.so"},
    {"first", "wires", "libtern-first.so"},
    {"second", "pigeons", "libtern-second.so"},
};
static const struct tern_engines all = {list, sizeof list / sizeof *list};

/* As if the library were installed there, and built there. */
static char folder[] = "/tmp/tern-choice-XXXXXX", library[PATH_MAX];

static char problem[TERN_ENGINES_PROBLEM];

/* What a plug-in of the build tree is called in the folder. */
static void install(const char *plug_ins, const char *name, const char *place)
{
    char from[PATH_MAX], to[PATH_MAX];

    snprintf(from, sizeof from, "%s/libtern-%s.so", plug_ins, name);
    snprintf(to, sizeof to, "%s/%s/libtern-%s.so", folder, place, name);
    CHECK(symlink(from, to) == 0, to);
}

static void make_folders(void)
{
    static const char *const names[] = {"tern", "net", "net/second"};

    CHECK(mkdtemp(folder), folder);
    snprintf(library, sizeof library, "%s/libtern.so", folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        CHECK(mkdir(path, 0700) == 0, path);
    }
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    return remove(path);
}

static int load(const char *name, const struct tern_net_ops **ops)
{
    struct tern_engines selected;
    int r = tern_engines_select(&all, name, &selected, problem, sizeof problem);

    return r ? r : tern_engines_load_first(&selected, library, ops, problem, sizeof problem);
}

static void expect(const char *name, const char *engine)
{
    const struct tern_net_ops *ops = NULL;
    int r = load(name, &ops);

    CHECK(r == 0, problem);
    CHECK(ops && !strcmp(ops->name, engine), ops ? ops->name : "none");
}

static void refuse(const char *name, int error, const char *expected)
{
    const struct tern_net_ops *ops = NULL;

    CHECK(load(name, &ops) == error, name);
    CHECK(!ops, "an engine was loaded");
    CHECK(strstr(problem, expected), problem);
}

static void test_unknown_name(void)
{
    refuse("third", -EINVAL,
           "SHMEM_NETWORK is third, but the network engines are: missing (no network), older "
           "(networks of last year), first (wires), second (pigeons)");
    refuse("", -EINVAL, "SHMEM_NETWORK is , but");
    refuse("firs", -EINVAL, "SHMEM_NETWORK is firs, but");
}

static void test_all_missing(void)
{
    const struct tern_engines two = {list, 2};
    const struct tern_net_ops *ops;
    int r = tern_engines_load_first(&two, library, &ops, problem, sizeof problem);

    CHECK(r == -EPROTO, problem);
    CHECK(strstr(problem, "libtern-missing.so: "), problem);
    CHECK(strstr(problem, "; libtern-older.so is of another version of Tern"), problem);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    make_folders();
    install(argv[1], "older", "tern");
    install(argv[1], "first", "tern");
    install(argv[1], "second", "net/second");
    expect(NULL, "first"); /* those before it can't be loaded */
    expect("first", "first");
    expect("second", "second");
    refuse("missing", -ENETUNREACH, "libtern-missing.so: ");
    refuse("older", -EPROTO, "libtern-older.so is of another version of Tern");
    test_unknown_name();
    test_all_missing();
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}
