/* SPDX-License-Identifier: BSD-3-Clause */
/* Every triplet of start, stride and size that a split may be given, good or bad. */
#include "harness/check.h"
#include "harness/oracle.h"

/* The number in the parent of the new team's member i is start + i * stride. */
struct triplet {
    int start, stride, size;
};

static bool is_valid(struct triplet t, int n)
{
    int last = t.start + (t.size - 1) * t.stride;

    if (t.size < 1 || t.start < 0 || t.start >= n || last < 0 || last >= n)
        return false;
    return t.stride != 0 || t.size == 1;
}

static int my_number(struct triplet t, int pe)
{
    for (int i = 0; i < t.size; i++)
        if (t.start + i * t.stride == pe)
            return i;
    return -1;
}

/* Without any synchronization after the split: the team must be usable at once. */
static void use(shmem_team_t team, struct triplet t, int me)
{
    static long mine, everyone;
    long expected = 0;

    for (int i = 0; i < t.size; i++)
        expected += 1 + t.start + i * t.stride;
    mine = 1 + check_pe();
    check_equal(shmem_team_sync(team), 0, "usable-at-once");
    check_equal(shmem_long_sum_reduce(team, &everyone, &mine, 1), 0, "usable-at-once");
    check_equal(everyone, expected, "usable-at-once");
    check_equal(shmem_team_my_pe(team), me, "my-pe");
}

static void test_numbers(shmem_team_t team, struct triplet t, int n)
{
    for (int i = -1; i <= t.size; i++) {
        int world = i < 0 || i >= t.size ? -1 : t.start + i * t.stride;

        check_equal(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD), world, "translate-out");
    }
    for (int pe = -1; pe <= n; pe++)
        check_equal(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, team), my_number(t, pe),
                    "translate-in");
}

static void test_split(struct triplet t)
{
    int n = check_n_pes(), pe = check_pe(), error, me;
    /* Any value that is no handle: the routine must overwrite it. */
    shmem_team_t team = SHMEM_TEAM_WORLD;

    check_case("start %d, stride %d, size %d", t.start, t.stride, t.size);
    error = shmem_team_split_strided(SHMEM_TEAM_WORLD, t.start, t.stride, t.size, NULL, 0, &team);
    if (!is_valid(t, n)) {
        check(error != 0, "bad-triplet-refused", "returned 0");
        check(team == SHMEM_TEAM_INVALID, "bad-triplet-refused", "a valid handle");
        return;
    }
    me = my_number(t, pe);
    check_equal(error, 0, "split-returns-0");
    check((team != SHMEM_TEAM_INVALID) == (me >= 0), "members-only", "member %d has a %s handle",
          me, team == SHMEM_TEAM_INVALID ? "invalid" : "valid");
    check_equal(shmem_team_my_pe(team), me, "my-pe");
    check_equal(shmem_team_n_pes(team), me >= 0 ? t.size : -1, "n-pes");
    if (me >= 0) {
        use(team, t, me);
        test_numbers(team, t, n);
    }
    shmem_team_destroy(team);
}

/* As many as a small job has, a sample of those of a large one. */
static void test_all_triplets(void)
{
    int n = check_n_pes(), longest = n < 4 ? n : 4, seen = 0, every;

    every = 1 + (n + 2) * (2 * longest + 1) * (n + 2) / 800;
    for (int start = -1; start <= n; start++)
        for (int stride = -longest; stride <= longest; stride++)
            for (int size = 0; size <= n + 1; size++)
                if (seen++ % every == 0)
                    test_split((struct triplet){start, stride, size});
}

/* Numbers whose sums do not fit an int must be refused, not wrapped. */
static void test_huge_numbers(void)
{
    static const int huge[] = {INT32_MAX, INT32_MIN, INT32_MAX / 2 + 1, 1 << 16};

    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        check_case("%d", huge[i]);
        for (int what = 0; what < 3; what++) {
            shmem_team_t team = SHMEM_TEAM_WORLD;
            int error = shmem_team_split_strided(SHMEM_TEAM_WORLD, what == 0 ? huge[i] : 0,
                                                 what == 1 ? huge[i] : 1,
                                                 what == 2   ? huge[i]
                                                 : what == 1 ? 3
                                                             : 1,
                                                 NULL, 0, &team);

            check(error != 0 && team == SHMEM_TEAM_INVALID, "bad-triplet-refused",
                  "huge number in place %d: returned %d", what, error);
        }
    }
}

int main(void)
{
    check_init("team/strided");
    test_all_triplets();
    test_huge_numbers();
    return check_finish();
}
