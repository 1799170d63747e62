/* SPDX-License-Identifier: BSD-3-Clause */
/* Environment words, numbers, and bytes as base64. */
#include "boot/text.h"

#include <string.h>

#include "unit/unit.h"

static void environment(void)
{
    char *const envp[] = {"PMI_FDS=9", "PMI_FD", "PMI_FD=7", "PMI_FD=8", "EMPTY=", "A=b=c", NULL};

    CHECK(strcmp(tern_text_find(envp, "PMI_FD"), "7") == 0);
    CHECK(strcmp(tern_text_find(envp, "EMPTY"), "") == 0);
    CHECK(strcmp(tern_text_find(envp, "A"), "b=c") == 0);
    CHECK(!tern_text_find(envp, "PMI"));
    CHECK(!tern_text_find(NULL, "PMI_FD"));
}

static bool is_number(const char *text, int most, int wanted)
{
    int number = -1;

    return tern_text_number(text, most, &number) && number == wanted;
}

static void numbers(void)
{
    static const char *const wrong[] = {
        "", " 1", "1 ", "-1", "+1", "0x1", "1.", "a", "99999999999999999999", "2147483648"};
    int number;

    CHECK(is_number("0", 0, 0));
    CHECK(is_number("007", 7, 7));
    CHECK(is_number("2147483647", 2147483647, 2147483647));
    CHECK(!tern_text_number("8", 7, &number));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!tern_text_number(wrong[i], 2147483647, &number));
}

/* The examples of RFC 4648, without padding. */
static void known_packings(void)
{
    static const char *const pairs[][2] = {
        {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
        {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xff\xef\xbe", "_---"}};
    char text[16];

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        tern_text_pack(pairs[i][0], strlen(pairs[i][0]), text);
        CHECK(strcmp(text, pairs[i][1]) == 0);
    }
}

static void packing(void)
{
    unsigned char bytes[256], back[256];
    char text[400];
    uint64_t seed = 1;

    for (size_t n = 0; n <= sizeof bytes; n++) {
        for (size_t i = 0; i < n; i++)
            bytes[i] = (unsigned char)next_random(&seed);
        memset(text, '?', sizeof text);
        tern_text_pack(bytes, n, text);
        CHECK(strlen(text) == tern_text_packed(n));
        memset(back, 0xa5, sizeof back);
        CHECK(tern_text_unpack(text, back, n) == 0);
        CHECK(memcmp(bytes, back, n) == 0);
        CHECK(n == sizeof bytes || back[n] == 0xa5);
        CHECK(tern_text_unpack(text, back, n + 1) != 0);
        if (n > 0) {
            CHECK(tern_text_unpack(text, back, n - 1) != 0);
            text[below(&seed, strlen(text))] = "=+/ \n\xff"[below(&seed, 6)];
            CHECK(tern_text_unpack(text, back, n) != 0);
        }
    }
}

static void hashes(void)
{
    CHECK(tern_text_hash(0, "a") == tern_text_hash(0, "a"));
    CHECK(tern_text_hash(0, "a") != tern_text_hash(0, "b"));
    CHECK(tern_text_hash(0, "a") != tern_text_hash(1, "a"));
    CHECK(tern_text_hash(tern_text_hash(0, "a"), "bc") !=
          tern_text_hash(tern_text_hash(0, "ab"), "c"));
}

int main(void)
{
    environment();
    numbers();
    known_packings();
    packing();
    hashes();
    return 0;
}
