/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers: short ones against short limits, the largest ones, and invalid texts. */
#include "base/parse_uint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void few_digits(void)
{
    char text[8];

    for (uint64_t most = 0; most < 130; most++)
        for (uint64_t number = 0; number < 1300; number++) {
            uint64_t value = 7777;
            int r;

            snprintf(text, sizeof text, "%" PRIu64, number);
            r = tern_parse_uint(text, most, &value);
            CHECK(number <= most ? r == 0 && value == number : r == -ERANGE && value == 7777);
        }
}

static void largest(void)
{
    static const char *const above[] = {"18446744073709551616", "18446744073709551620",
                                        "28446744073709551615", "184467440737095516150"};
    uint64_t value;

    CHECK(tern_parse_uint("18446744073709551615", UINT64_MAX, &value) == 0 && value == UINT64_MAX);
    CHECK(tern_parse_uint("00000000000000000000000007", 7, &value) == 0 && value == 7);
    for (size_t i = 0; i < sizeof above / sizeof above[0]; i++)
        CHECK(tern_parse_uint(above[i], UINT64_MAX, &value) == -ERANGE);
}

static void none(void)
{
    static const char *const texts[] = {"",  " ",  "-1", "+1",  " 1", "1 ",
                                        "a", "1:", "1.", "0x1", "/",  "99999999999999999999x"};
    uint64_t value;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK(tern_parse_uint(texts[i], UINT64_MAX, &value) == -EINVAL);
}

static void one_after_the_other(void)
{
    const char *text = "12:ff;FF", *at = text;
    uint64_t value;

    CHECK(tern_parse_uint_until(&at, 10, ';', 99, &value) == -EINVAL && at == text);
    CHECK(tern_parse_uint_until(&at, 10, ':', 11, &value) == -ERANGE && at == text);
    CHECK(tern_parse_uint_until(&at, 10, ':', 12, &value) == 0 && value == 12 && at == text + 3);
    CHECK(tern_parse_uint_until(&at, 10, ';', UINT64_MAX, &value) == -EINVAL && at == text + 3);
    CHECK(tern_parse_uint_until(&at, 16, ';', UINT64_MAX, &value) == 0 && value == 255);
    CHECK(tern_parse_uint_until(&at, 16, '\0', UINT64_MAX, &value) == -EINVAL);
    at = "ffffffffffffffff";
    CHECK(tern_parse_uint_until(&at, 16, '\0', UINT64_MAX, &value) == 0 && value == UINT64_MAX);
    CHECK(*at == '\0'); /* and no further */
    at = "10000000000000000";
    CHECK(tern_parse_uint_until(&at, 16, '\0', UINT64_MAX, &value) == -ERANGE);
}

int main(void)
{
    few_digits();
    largest();
    none();
    one_after_the_other();
    return 0;
}
