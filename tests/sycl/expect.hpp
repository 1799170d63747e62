// SPDX-License-Identifier: BSD-3-Clause
// Checks for the tests of the small SYCL, which use nothing of Tern.
//
//     int main()
//     {
//         expect(sum == 10, "sum", sum);
//         return finish();
//     }
//
// A failure is printed with the check's name and values; the program goes on, and fails at its end.
#ifndef TESTS_SYCL_EXPECT_HPP
#define TESTS_SYCL_EXPECT_HPP

#include <sycl/sycl.hpp>

#include <atomic>
#include <cstdio>
#include <iostream>

inline std::atomic<int> checks{0};
inline std::atomic<int> failures{0};

template <typename... Values> void expect(bool is_right, const char *name, const Values &...values)
{
    ++checks;
    if (is_right || ++failures > 20)
        return;
    std::cerr << "FAILED: " << name;
    ((std::cerr << ' ' << values), ...);
    std::cerr << '\n';
}

// Calls the function, and checks that it throws a sycl::exception of this code.
template <typename Function>
void expect_error(sycl::errc code, const char *name, const Function &function)
{
    try {
        function();
        expect(false, name, "throws nothing");
    } catch (const sycl::exception &error) {
        expect(error.code() == code, name, error.code().value(), error.what());
    }
}

inline int finish()
{
    if (!checks)
        std::cerr << "FAILED: no checks were made\n";
    std::printf("%d checks, %d failures\n", checks.load(), failures.load());
    return failures || !checks;
}

#endif
