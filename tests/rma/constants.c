/* SPDX-License-Identifier: BSD-3-Clause */
/* Read-only data of the program as the source of gets, from each PE in all forms. */
#include "harness/check.h"

#include <string.h>

enum { NELEMS = 3000 };

#define TEN(x) x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, x + 8, x + 9
static const long table[NELEMS] = {TEN(1), TEN(11), TEN(21), [100] = 100, [NELEMS - 1] = -7};
static const double pi = 3.141592653589793;
static const char word[] = "a string of some length";

/* The compiler does not see what they point to, and copies nothing by itself. */
static const long *volatile the_table = table;
static const double *volatile the_pi = &pi;
static const char *volatile the_word = word;

static void get_elements(int pe)
{
    static double got_pi;
    long one = 0, two[2] = {0};

    check_equal(shmem_long_g(&the_table[100], pe), 100, "g-of-a-constant");
    check_equal(shmem_double_g(the_pi, pe), pi, "g-of-a-constant");
    shmem_double_get(&got_pi, the_pi, 1, pe);
    check_equal(got_pi, pi, "get-of-a-constant");
    shmem_ctx_long_get(SHMEM_CTX_DEFAULT, &one, &the_table[4], 1, pe);
    check_equal(one, 5, "get-of-a-constant");
    shmem_long_iget(two, the_table, 1, 100, 2, pe);
    check(two[0] == 1 && two[1] == 100, "iget-of-a-constant", "%ld, %ld", two[0], two[1]);
    shmem_long_ibget(two, &the_table[5], 1, 2, 1, 2, pe);
    check(two[0] == 6 && two[1] == 8, "ibget-of-a-constant", "%ld, %ld", two[0], two[1]);
}

static void get_arrays(int pe)
{
    static long got[NELEMS];
    char text[sizeof word] = "";

    shmem_getmem(text, the_word, sizeof word, pe);
    check(strcmp(text, word) == 0, "get-of-a-constant", "\"%s\"", text);
    shmem_long_get(got, the_table, NELEMS, pe);
    check_array(got, table, NELEMS, "get-of-a-constant");
    memset(got, 0, sizeof got);
    shmem_get64_nbi(got, the_table, NELEMS, pe);
    shmem_quiet();
    check_array(got, table, NELEMS, "get-nbi-of-a-constant");
}

int main(void)
{
    check_init("rma/constants");
    for (int pe = 0; pe < check_n_pes(); pe++) {
        check_case("from PE %d", pe);
        get_elements(pe);
        get_arrays(pe);
    }
    return check_finish();
}
