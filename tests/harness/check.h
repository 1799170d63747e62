/* SPDX-License-Identifier: BSD-3-Clause */
/* Named checks for test programs that use nothing but the standard OpenSHMEM interface. */
#ifndef HARNESS_CHECK_H
#define HARNESS_CHECK_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* True if the library's header is of this version or newer; also for #if. */
#define SHMEM_AT_LEAST(major, minor)                                                               \
    (SHMEM_MAJOR_VERSION > (major) ||                                                              \
     (SHMEM_MAJOR_VERSION == (major) && SHMEM_MINOR_VERSION >= (minor)))

/*
 * A program is
 *
 *     int main(void)
 *     {
 *         check_init("rma/put");
 *         check_case("%s, %zu elements", "int", nelems);
 *         check(x == 3, "put-lands", "x is %d, expected 3", x);
 *         return check_finish();
 *     }
 *
 * Every check carries a name, which tests/rules refers to. A failure is printed with the PE, the
 * program, the name and the case; the program goes on, so that all PEs reach check_finish(), and
 * exits with 1. A program that hangs says in which case it did after CHECK_TIMEOUT seconds
 * (default 20; 0 for no limit) and exits with 1.
 */

/* shmem_init, and the start of counting. `program` is the folder and file: "rma/put". */
void check_init(const char *program);

/* The same for a program that has its own way of initializing, or has not yet initialized. */
void check_attach(const char *program);

/* Collective: PE 0 prints the closing line if no PE failed. The program's exit status. */
int check_report(void);

/* check_report and shmem_finalize. */
int check_finish(void);

/* This PE's exit status so far, without communication: for what comes after shmem_finalize. */
int check_status(void);

/* The PE and the number of PEs, as the launcher's library said in check_init or check_attach. */
int check_pe(void);
int check_n_pes(void);

/* Says what the checks that follow are about; for one thread of a PE. */
void check_case(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Safe from several threads at once. */
#define check(condition, name, ...)                                                                \
    ((condition) ? check_passed() : check_failed(__FILE__, __LINE__, name, __VA_ARGS__))

/* For calls that must do nothing but return: a check that holds by being reached. */
#define check_reached(name) ((void)sizeof(name), check_passed())

/* Arithmetic values of one type; what is printed is exact for every integer. */
#define check_equal(got, expected, name)                                                           \
    ((void)check((got) == (expected), name, "%s is %.20Lg, expected %.20Lg", #got,                 \
                 (long double)(got), (long double)(expected)))

/* Arrays of one arithmetic type, element by element; one failure for the first that differs. */
#define check_array(got, expected, nelems, name)                                                   \
    do {                                                                                           \
        size_t check_i = 0;                                                                        \
        while (check_i < (size_t)(nelems) && (got)[check_i] == (expected)[check_i])                \
            check_i++;                                                                             \
        check(check_i == (size_t)(nelems), name, "%s[%zu] is %.20Lg, expected %.20Lg", #got,       \
              check_i, (long double)(got)[check_i], (long double)(expected)[check_i]);             \
    } while (0)

/* For the macros above. check_passed and check_failed return whether the check held. */
bool check_passed(void);
bool check_failed(const char *file, int line, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#ifdef __cplusplus
}
#endif

#endif
