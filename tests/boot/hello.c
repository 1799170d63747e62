/* SPDX-License-Identifier: BSD-3-Clause */
/* Hello records: packed as text, and compared. */
#include "boot/external/hello.h"

#include <string.h>

#include "unit/unit.h"

#define MIB (UINT64_C(1) << 20)
#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)
#define PROTOCOL AS_TEXT(TERN_HELLO_PROTOCOL)

static struct tern_hello sample(void)
{
    return (struct tern_hello){
        .protocol = TERN_HELLO_PROTOCOL,
        .version = "1.2.3-rc4",
        .place = {UINT64_MAX, {64, true}},
        .system = UINT64_MAX - 4,
        .nonce = UINT64_MAX - 1,
        .heap = UINT64_MAX - 2,
        .memory = UINT64_MAX - 3,
    };
}

static void there_and_back(void)
{
    struct tern_hello v = sample(), back;
    char text[TERN_HELLO_BYTES];

    tern_hello_write(&v, text);
    CHECK(strlen(text) < 128);
    CHECK(!strpbrk(text, " =;\n"));
    CHECK(tern_hello_read(text, &back) == 0);
    CHECK(back.protocol == v.protocol && strcmp(back.version, v.version) == 0);
    CHECK(back.place.machine == v.place.machine && back.place.split.parts == 64);
    CHECK(back.place.split.cyclic && back.nonce == v.nonce && back.system == v.system);
    CHECK(back.heap == v.heap && back.memory == v.memory);
}

static void nonsense(void)
{
    static const char *const wrong[] = {"",
                                        ",",
                                        "x,1.0,0,0,0,0,0,0,0",
                                        "2",
                                        PROTOCOL ",",
                                        PROTOCOL ",0.1",
                                        PROTOCOL ",0.1,0,0,0,0,0,0",
                                        PROTOCOL ",0.1,0,0,0,0,0,0,0,0",
                                        PROTOCOL ",0.1,g,0,0,0,0,0,0"};
    struct tern_hello v;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(tern_hello_read(wrong[i], &v) != 0);
}

/* Of another protocol no more is understood than which version of Tern it is. */
static void another_protocol(void)
{
    struct tern_hello v;

    CHECK(tern_hello_read("99,7.0,all,is,new", &v) == 0);
    CHECK(v.protocol == 99 && strcmp(v.version, "7.0") == 0);
}

static void comparisons(void)
{
    struct tern_hello hellos[3] = {sample(), sample(), sample()};
    char text[300] = "";

    CHECK(tern_hello_compare(hellos, 3, 0, text, sizeof text) == 0);
    strcpy(hellos[2].version, "2.0");
    CHECK(tern_hello_compare(hellos, 3, 1, text, sizeof text) != 0);
    CHECK(strstr(text, "PE 1 has Tern 1.2.3-rc4 but PE 2 has Tern 2.0"));
    hellos[2] = hellos[0];
    hellos[2].protocol++;
    CHECK(tern_hello_compare(hellos, 3, 1, text, sizeof text) != 0);
    hellos[2] = hellos[0];
    hellos[0].heap = 4096;
    CHECK(tern_hello_compare(hellos, 3, 2, text, sizeof text) != 0);
    CHECK(strstr(text, "4096 bytes on PE 0") && strstr(text, "on PE 2"));
    CHECK(strstr(text, "SHMEM_SYMMETRIC_SIZE"));
}

/* Each machine gives what the most modest of its PEs allows, to as many as it has. */
static void shares(void)
{
    struct tern_hello hellos[5] = {sample(), sample(), sample(), sample(), sample()};

    for (int pe = 0; pe < 5; pe++) {
        hellos[pe].place.machine = pe % 2 ? 17 : 4;
        hellos[pe].memory = 600 * MIB;
    }
    CHECK(tern_hello_share(hellos, 5) == 200 * MIB);
    CHECK(tern_hello_share(hellos, 1) == 600 * MIB);
    hellos[4].memory = 90 * MIB;
    CHECK(tern_hello_share(hellos, 5) == 30 * MIB);
    hellos[1].memory = 40 * MIB;
    CHECK(tern_hello_share(hellos, 5) == 20 * MIB);
}

int main(void)
{
    there_and_back();
    nonsense();
    another_protocol();
    comparisons();
    shares();
    return 0;
}
