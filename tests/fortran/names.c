/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls Fortran routines from C under all names that compilers give them, and checks that a
 * profiling library sees the C routines that they call.
 */
#include "harness/check.h"

#include <pshmem.h>
#include <string.h>

#define FORMS(result, name, NAME, params)                                                          \
    result name##_ params;                                                                         \
    result name##__ params;                                                                        \
    result NAME params

typedef void put(void *dest, const void *source, const int *nelems, const int *pe);
typedef void put_text(void *dest, const void *source, const int *nelems, const int *pe,
                      size_t dest_length, size_t source_length);

FORMS(void, shmem_init, SHMEM_INIT, (void));
FORMS(int, shmem_my_pe, SHMEM_MY_PE, (void));
FORMS(void, shmem_info_get_name, SHMEM_INFO_GET_NAME, (char *, size_t));
FORMS(double, shmem_real8_swap, SHMEM_REAL8_SWAP, (double *, const double *, const int *));
FORMS(void, shpalloc, SHPALLOC, (void **, const int *, int *, const int *));
FORMS(void, shpdeallc, SHPDEALLC, (void **, int *, const int *));
put shmem_integer_put_, shmem_integer_put__, SHMEM_INTEGER_PUT;
put_text shmem_character_put_, shmem_character_put__, SHMEM_CHARACTER_PUT;

static int puts_seen;

/* As a profiling library has it, for calls by the Fortran library. */
__attribute__((visibility("default"))) void shmem_int_put(int *dest, const int *source,
                                                          size_t nelems, int pe)
{
    puts_seen++;
    pshmem_int_put(dest, source, nelems, pe);
}

static void check_put(put *form, const char *name)
{
    static int there[3];
    int mine[1] = {1000 + check_pe()}, one = 1;
    int next = (check_pe() + 1) % check_n_pes();
    int before = (check_pe() + check_n_pes() - 1) % check_n_pes();

    check_case("%s", name);
    memset(there, 0, sizeof there);
    puts_seen = 0;
    shmem_barrier_all();
    form(&there[1], mine, &one, &next);
    shmem_barrier_all();
    check_equal(there[0], 0, "fortran-form");
    check_equal(there[1], 1000 + before, "fortran-form");
    check_equal(there[2], 0, "fortran-form");
    check_equal(puts_seen, 1, "fortran-profiling");
}

/* Characters are counted by nelems; the lengths that come last are those of the declarations. */
static void check_put_text(put_text *form, const char *name)
{
    static char there[8];
    int three = 3, next = (check_pe() + 1) % check_n_pes();

    check_case("%s", name);
    memset(there, '.', sizeof there);
    shmem_barrier_all();
    form(there + 1, "abcdefg", &three, &next, 1, 1);
    shmem_barrier_all();
    check(memcmp(there, ".abc....", sizeof there) == 0, "fortran-form", "it is %.8s", there);
}

static void check_info(void (*form)(char *, size_t), const char *name)
{
    char text[SHMEM_MAX_NAME_LEN], plain[SHMEM_MAX_NAME_LEN];

    check_case("%s", name);
    memset(text, '#', sizeof text);
    form(text, 100);
    shmem_info_get_name(plain);
    check(memcmp(text, plain, strlen(plain)) == 0 && text[99] == ' ' && text[100] == '#',
          "fortran-form", "it is %.100s", text);
}

static void check_swap(double (*form)(double *, const double *, const int *), const char *name)
{
    static double word;
    double value = 2.5;
    int me = check_pe();

    check_case("%s", name);
    word = 1.25;
    check_equal(form(&word, &value, &me), 1.25, "fortran-form");
    check_equal(word, 2.5, "fortran-form");
}

static void check_memory(void (*alloc)(void **, const int *, int *, const int *),
                         void (*dealloc)(void **, int *, const int *), const char *name)
{
    int length = 10, code = 99, abort = 0;
    void *block = NULL;

    check_case("%s", name);
    alloc(&block, &length, &code, &abort);
    check_equal(code, 0, "fortran-form");
    check(block != NULL, "fortran-form", "no block");
    code = 99;
    dealloc(&block, &code, &abort);
    check_equal(code, 0, "fortran-form");
    dealloc(&block, &code, &abort);
    check_equal(code, -4, "fortran-form");
}

int main(void)
{
    shmem_init_();
    shmem_init__();
    SHMEM_INIT();
    check_attach("fortran/names");
    check_equal(shmem_my_pe_(), check_pe(), "fortran-form");
    check_equal(shmem_my_pe__(), check_pe(), "fortran-form");
    check_equal(SHMEM_MY_PE(), check_pe(), "fortran-form");
    check_put(shmem_integer_put_, "name_");
    check_put(shmem_integer_put__, "name__");
    check_put(SHMEM_INTEGER_PUT, "NAME");
    check_put_text(shmem_character_put_, "name_");
    check_put_text(shmem_character_put__, "name__");
    check_put_text(SHMEM_CHARACTER_PUT, "NAME");
    check_info(shmem_info_get_name_, "name_");
    check_info(shmem_info_get_name__, "name__");
    check_info(SHMEM_INFO_GET_NAME, "NAME");
    check_swap(shmem_real8_swap_, "name_");
    check_swap(shmem_real8_swap__, "name__");
    check_swap(SHMEM_REAL8_SWAP, "NAME");
    check_memory(shpalloc_, shpdeallc_, "name_");
    check_memory(shpalloc__, shpdeallc__, "name__");
    check_memory(SHPALLOC, SHPDEALLC, "NAME");
    shmem_finalize();
    shmem_finalize();
    return check_finish();
}
