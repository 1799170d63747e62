/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of C++ with static storage: those with constructors, those made on first use, templates.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "system/objects.h"

struct Counter {
    int value;
    std::vector<int> privately; // what it points to is not symmetric, the vector itself is
    explicit Counter(int start) : value(start), privately(1000, start)
    {
    }
};

struct Word {
    int value = 11;
};

template <typename T> struct Shared {
    static T value;
};
template <typename T> T Shared<T>::value = 12;

static Counter constructed(std::atoi("9"));
namespace
{
int in_anonymous_namespace = static_cast<int>(std::strlen("four"));
std::string text(100, 'x');
} // namespace

static Word &made_on_first_use()
{
    static Word word;
    return word;
}

struct Member {
    static int value;
};
int Member::value = 13;

int main()
{
    shmem_init();
    require(constructed.value == 9 && constructed.privately[999] == 9, "constructors have run");
    require(in_anonymous_namespace == 4 && text == std::string(100, 'x'), "initializers have run");
    require(made_on_first_use().value == 11, "made on first use");
    require(Shared<int>::value == 12 && Member::value == 13, "members");
    shmem_barrier_all();
    check_object("an object with a constructor", &constructed.value, sizeof(int));
    check_object("a variable with an initializer", &in_anonymous_namespace, sizeof(int));
    check_object("an object made on first use", &made_on_first_use(), sizeof(Word));
    check_object("a template's member", &Shared<int>::value, sizeof(int));
    check_object("a class's member", &Member::value, sizeof(int));
    require(constructed.privately[999] == 9 && text == std::string(100, 'x'), "what is private");
    if (shmem_my_pe() == 0)
        std::puts("statics: fine");
    shmem_finalize();
    return 0;
}
