/* SPDX-License-Identifier: BSD-3-Clause */
/* In C++ the predefined handles are identifiers, macros and constants at once. */
extern "C" { /* as programs include a header of C */
#include <shmemx.h>
}
#include <stdio.h>

#if !defined SHMEM_TEAM_WORLD || !defined SHMEM_TEAM_SHARED || !defined SHMEMX_TEAM_NODE ||        \
    !defined SHMEM_CTX_DEFAULT || !defined SHMEM_TEAM_INVALID || !defined SHMEM_CTX_INVALID
#error "the handles are macros, too"
#endif

#ifdef DECLARE
/* A program that looks handles up by name, or links with them, has declarations of its own. */
namespace theirs {
extern "C" {
extern shmem_team_t SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED, SHMEMX_TEAM_NODE;
}
} // namespace theirs
#endif

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

static const char *const names[] = {TEXT_OF(SHMEM_TEAM_WORLD), TEXT_OF(SHMEM_TEAM_SHARED),
                                    TEXT_OF(SHMEMX_TEAM_NODE), TEXT_OF(SHMEM_CTX_DEFAULT)};

/* Constant initializers: check.py looks for code that initializes at run time. */
static shmem_team_t teams[] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED};
static shmem_ctx_t contexts[] = {SHMEM_CTX_INVALID, SHMEM_CTX_DEFAULT};
shmem_team_t node = SHMEMX_TEAM_NODE;

namespace mine {
struct object {
    shmem_team_t team;
    explicit object(shmem_team_t t = SHMEM_TEAM_WORLD) : team(t) {}
};

template <typename T> inline bool is_world(const T &team)
{
    return team == ::SHMEM_TEAM_WORLD;
}
} // namespace mine

static bool check()
{
    const shmem_team_t *address = &SHMEM_TEAM_WORLD;
    auto deduced = SHMEM_TEAM_WORLD;
    bool ok = teams[0] != teams[1] && teams[1] != teams[2] && contexts[0] != contexts[1];

    for (const char *name : names)
        ok = ok && name[0] == 'S';
    ok = ok && mine::is_world(teams[1]) && mine::is_world(mine::object().team) &&
         !mine::is_world(teams[2]) && *address == deduced && node == SHMEM_TEAM_SHARED;
#ifdef DECLARE
    ok = ok && theirs::SHMEM_TEAM_WORLD == SHMEM_TEAM_WORLD &&
         theirs::SHMEM_TEAM_SHARED == SHMEM_TEAM_SHARED && theirs::SHMEMX_TEAM_NODE == node;
#endif
    return ok;
}

int main()
{
    bool ok = check();

    puts(ok ? "handles: ok" : "handles: wrong");
    return !ok;
}
