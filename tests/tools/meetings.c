/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers that the profile's tool gives to collective calls: separate for each team, as long as
 * there is room.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/profile/teams.h"
#include "unit/unit.h"

enum { ROOM = 64 };

/* Active sets need nothing of a library. */
void *tern_real(const char *name)
{
    fprintf(stderr, "%s is not expected to be called\n", name);
    abort();
}

bool tern_has(const char *name)
{
    return false;
}

/* Of the set of so many PEs. */
static bool meet(int size, uint64_t *key, uint64_t *number)
{
    static const struct tern_routine sync = {
        .name = "shmem_sync",
        .place = {[TERN_PE_START] = 1, [TERN_LOG_PE_STRIDE] = 2, [TERN_PE_SIZE] = 3},
    };
    struct tern_call call = {.routine = &sync, .arg = {{.i = 0}, {.i = 0}, {.i = size}}};
    struct tern_profile_meeting meeting;

    if (!tern_teams_meeting(&call, &meeting))
        return false;
    CHECK(meeting.members == (uint64_t)size);
    *key = meeting.team;
    *number = meeting.number;
    return true;
}

int main(void)
{
    uint64_t keys[ROOM + 2] = {0}, number;

    for (int round = 0; round < 3; round++)
        for (int i = 0; i < ROOM; i++) {
            uint64_t before = keys[i];

            CHECK(meet(i + 1, &keys[i], &number));
            CHECK(number == (uint64_t)round);
            CHECK(round == 0 || keys[i] == before);
        }
    for (int i = 0; i < ROOM; i++)
        for (int j = 0; j < i; j++)
            CHECK(keys[i] != keys[j]);

    /* Those without room have no number, however often; the others go on with theirs. */
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 2; i++)
            CHECK(!meet(ROOM + 1 + i, &keys[ROOM + i], &number));
    CHECK(meet(1, &keys[0], &number) && number == 3);
    CHECK(meet(ROOM, &keys[ROOM - 1], &number) && number == 3);
    return 0;
}
