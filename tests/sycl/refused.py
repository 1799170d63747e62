# SPDX-License-Identifier: BSD-3-Clause
"""Check that what the small SYCL leaves out does not compile, and that the message says so.

    refused.py FOLDER_OF_sycl DOCUMENT COMPILER...
"""
import pathlib
import re
import subprocess
import sys

PROGRAM = """
#include <sycl/sycl.hpp>
int main()
{
    sycl::queue queue;
    sycl::buffer<int> buffer(sycl::range<1>(1));
    (void)buffer;
    LINE;
}
"""

# What is left out: a line that uses it, and words of the message.
REFUSED = {
    "sycl::sampled_image<2> image(nullptr)": "there are no images",
    "sycl::unsampled_image<1> image(nullptr)": "there are no images",
    "sycl::kernel_bundle<sycl::bundle_state::executable> bundle": "kernels are functions of the program",
    "sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context())":
        "kernels are functions of the program",
    "sycl::kernel<> kernel": "kernels are functions of the program",
    "sycl::half<> number(1)": "the device does not have aspect::fp16",
    "sycl::atomic<int> counter": "use atomic_ref",
    "sycl::get_native<sycl::backend::host>(queue)": "no objects of a backend",
    "queue.submit([&](sycl::handler &group) { group.parallel_for_work_group(sycl::range<1>(1), [=](sycl::group<1>) {}); })":
        "hierarchical kernels are left out",
    "queue.submit([&](sycl::handler &group) { group.parallel_for(sycl::range<1>(1), sycl::id<1>(1), [=](sycl::id<1>) {}); })":
        "an offset is deprecated and left out",
    "queue.submit([&](sycl::handler &group) { group.set_arg(0, 1); })": "set_arg",
    "queue.submit([&](sycl::handler &group) { sycl::accessor<int, 1, sycl::access_mode::atomic> a(buffer, group); })":
        "use atomic_ref",
    "queue.submit([&](sycl::handler &group) { sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::constant_buffer> a(buffer, group); })":
        "is deprecated and left out",
    "queue.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1> item) { item.async_work_group_copy(1, 2, 3); })":
        "async_work_group_copy() is left out",
    "sycl::multi_ptr<int, sycl::access::address_space::global_space> pointer": "decorated::legacy is left out",
}
ACCEPTED = ["queue.wait()", "sycl::accessor a(buffer)"]


def compile_line(compiler, folder, line):
    return subprocess.run([*compiler, "-std=c++17", "-fsyntax-only", f"-I{folder}", "-x", "c++", "-"],
                          input=PROGRAM.replace("LINE", line), stderr=subprocess.PIPE, text=True)


def main():
    folder, document, *compiler = sys.argv[1:]
    wrong = []
    for line in ACCEPTED:
        run = compile_line(compiler, folder, line)
        if run.returncode:
            wrong.append(f"{line}: does not compile:\n{run.stderr}")
    for line, words in REFUSED.items():
        run = compile_line(compiler, folder, line)
        if not run.returncode:
            wrong.append(f"{line}: compiles")
        elif words not in run.stderr:
            wrong.append(f"{line}: the message does not say '{words}':\n{run.stderr}")
    # The document lists each name that the header refuses.
    header = (pathlib.Path(folder) / "sycl/refused.hpp").read_text()
    text = pathlib.Path(document).read_text()
    for name in re.findall(r"^TERN_SYCL_REFUSED_\w+\((\w+),", header, re.M):
        if not re.search(rf"\b{name}\b", text):
            wrong.append(f"{document} does not say that {name} is left out")
    print(*wrong, f"{len(REFUSED)} lines refused", sep="\n")
    sys.exit(1 if wrong else 0)


main()
