# SPDX-License-Identifier: BSD-3-Clause
"""Compile the examples with the build tree's oshcc, run them, and compare with what they should say.

    examples.py CASE EXAMPLES OSHRUN OSHCC OSHCXX
"""
import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SKIPPED = 77


def run(*command, status=0):
    print("$", shlex.join(map(str, command)), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end="", flush=True)
    if done.returncode != status:
        sys.exit(f"FAILED: status {done.returncode}, expected {status}")
    return done.stdout


def expect(truth, what):
    if not truth:
        sys.exit(f"FAILED: {what}")


class Tools:
    def __init__(self, examples, oshrun, oshcc, oshcxx, oshfort):
        self.examples = pathlib.Path(examples)
        self.oshrun = oshrun
        self.oshcc = oshcc
        self.oshcxx = oshcxx
        self.oshfort = oshfort

    def compiled(self, *sources, by=None):
        """The program that is made of these files, without a warning."""
        program = f"./{pathlib.Path(sources[0]).stem}"
        run(*(by or [self.oshcc]), "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
            "-o", program, *[self.examples / s for s in sources], "-lm")
        return program


def hello(tools):
    program = tools.compiled("hello.c")
    for n in [1, 2, 5]:
        lines = run(tools.oshrun, "-n", str(n), program).splitlines()
        expect(sorted(lines) == [f"Hello from PE {i} of {n}" for i in range(n)], "the greetings")


def ring(tools):
    program = tools.compiled("ring.c")
    for n in [1, 2, 5, 8]:
        expect(run(tools.oshrun, "-n", str(n), program) ==
               f"Around {n} PEs: the sum of their numbers is {n * (n - 1) // 2}\n", "the sum")


def primes(tools):
    program = tools.compiled("primes.c")
    for n in [1, 2, 5]:
        expect(run(tools.oshrun, "-n", str(n), program) == "There are 78498 primes below 1000000\n",
               "the number of primes")


def sort(tools):
    program = tools.compiled("sort.c")
    for n, each in (1, 1000000), (2, 1), (3, 100000), (5, 20000), (8, 1000), (3, 0):
        expect(run(tools.oshrun, "-n", str(n), program, str(each)) == f"{n * each} numbers are sorted\n",
               "that they are sorted")


def producer(tools):
    program = tools.compiled("producer.c")
    numbers = 40 * 20000
    for n in [2, 3, 5]:
        expect(run(tools.oshrun, "-n", str(n), program) ==
               f"{n - 1} consumers took 40 blocks: the sum is {numbers * (numbers - 1) // 2}\n",
               "the sum")
    run(tools.oshrun, "-n", "1", program, status=1)


def heat2d(tools):
    cc = shlex.split(os.environ.get("CC", "cc"))
    heat = tools.compiled("heat2d/heat2d.c", "heat2d/plate.c", "heat2d/png.c")
    serial = tools.compiled("heat2d/heat2d_serial.c", "heat2d/plate.c", "heat2d/png.c", by=cc)
    plate = tools.examples / "heat2d/plate.txt"
    for fine, counts in [("1", [1, 2, 3, 5, 6, 8]), ("2", [2, 4])]:
        run(serial, plate, "serial", "200", fine)
        for n in counts:
            output = run(tools.oshrun, "-n", str(n), heat, plate, "parallel", "200", fine)
            expect(re.search(rf"^{n} PEs ", output), "the number of PEs")
            for kind in ["field", "png"]:
                answer = pathlib.Path(f"serial.{kind}").read_bytes()
                expect(len(set(answer)) > 100, "the answer is no constant")
                expect(pathlib.Path(f"parallel.{kind}").read_bytes() == answer,
                       f"{n} PEs give the serial answer")


def heat2d_mistakes(tools):
    heat = tools.compiled("heat2d/heat2d.c", "heat2d/plate.c", "heat2d/png.c")
    expect("usage:" in run(tools.oshrun, "-n", "2", heat, status=2), "the usage")
    expect("nowhere.txt: No such file" in
           run(tools.oshrun, "-n", "2", heat, "nowhere.txt", "x", status=1), "the missing file")
    pathlib.Path("ragged.txt").write_text("...9\n..9\n")
    expect("ragged.txt:2: expected" in
           run(tools.oshrun, "-n", "2", heat, "ragged.txt", "x", status=1), "the ragged plate")
    pathlib.Path("tiny.txt").write_text("9\n")
    expect("too many" in run(tools.oshrun, "-n", "3", heat, "tiny.txt", "x", "1", "1", status=1),
           "the plate of one square")


def spread(rows, columns, steps):
    """What halo.cpp computes: the temperature in the middle, and the last step's largest change."""
    old = [[100.0] * columns] + [[0.0] * columns for _ in range(rows + 1)]
    most = 0
    for _ in range(steps):
        now = [row[:] for row in old]
        for i in range(1, rows + 1):
            for j in range(1, columns - 1):
                now[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1])
        most = max(abs(a - b) for x, y in zip(now, old) for a, b in zip(x, y))
        old = now
    return old[rows // 2 + 1][columns // 2], most


def halo(tools):
    program = tools.compiled("halo.cpp", by=[tools.oshcxx, "-std=c++17"])
    middle, most = spread(40, 30, 300)
    for n in [1, 2, 3, 5, 7]:
        expect(run(tools.oshrun, "-n", str(n), program) ==
               f"{n} PEs: after 300 steps the middle is at {middle:.9f} degrees; "
               f"the last step changed no point by more than {most:.9f}\n", "the temperature")


def with_kernels(tools, source):
    return tools.compiled(source, by=[tools.oshcxx, "-std=c++17", "--tern-sycl"])


def mean_temperature(rows, columns, steps):
    """What halo_kernel.cpp computes."""
    now = [[100.0] * columns] + [[0.0] * columns for _ in range(rows + 1)]
    for _ in range(steps):
        then = [row[:] for row in now]
        for i in range(1, rows + 1):
            for k in range(1, columns - 1):
                then[i][k] = (now[i - 1][k] + now[i + 1][k] + now[i][k - 1] + now[i][k + 1]) / 4
        now = then
    return sum(map(sum, now[1:rows + 1])) / (rows * columns)


def halo_kernel(tools):
    program = with_kernels(tools, "halo_kernel.cpp")
    for n in [1, 2, 4]:
        expect(run(tools.oshrun, "-n", str(n), program) ==
               f"{12 * n} rows: the mean is {mean_temperature(12 * n, 32, 200):.4f}\n", "the temperature")
    expect("no mistake" in run(tools.oshrun, "-n", "3", "--check=races", program), "nothing to find")


def pipeline(tools):
    program = with_kernels(tools, "pipeline.cpp")
    for n in [1, 2, 4]:
        total = sum((i + b) * (pe + 1) for i in range(1000) for b in range(6) for pe in range(n))
        expect(run(tools.oshrun, "-n", str(n), program) ==
               f"6 blocks through {n} PEs: {total}, expected {total}\n", "the sum")
    expect("no mistake" in run(tools.oshrun, "-n", "3", "--check=races", program), "nothing to find")


def allreduce(tools):
    program = with_kernels(tools, "allreduce.cpp")
    for n in [1, 2, 4]:
        expect(run(tools.oshrun, "-n", str(n), program) == f"{32 * n} rows: solved\n", "the solution")
    expect("no mistake" in run(tools.oshrun, "-n", "3", "--check=races", program), "nothing to find")


def array(tools):
    if not importlib.util.find_spec("numpy"):
        print("no numpy")
        sys.exit(SKIPPED)
    for n in [1, 2, 4]:
        total = [float(sum(range(0, 10 * n, 10)) + n * i) for i in range(5)]
        expect(run(tools.oshrun, "-n", str(n), sys.executable, tools.examples / "array.py") ==
               f"The sum of {n} arrays is {total}\n", "the sum")


def cg(tools):
    program = tools.compiled("cg.f90", by=[tools.oshfort])
    for n in [1, 2, 3, 5, 8]:
        output = run(tools.oshrun, "-n", str(n), program)
        match = re.fullmatch(r"120 by 120 points, (\d+) PEs: (\d+) steps, error +(\S+)\n", output)
        expect(match and match[1] == str(n), "one line")
        expect(100 < int(match[2]) < 1000 and float(match[3]) < 1e-9, "the solution")
    expect("more PEs than" in run(tools.oshrun, "-n", "121", program, status=1), "too many PEs")


CASES = [hello, ring, primes, sort, producer, array, cg, halo, halo_kernel, pipeline, allreduce, heat2d,
         heat2d_mistakes]


def main():
    case, *tools = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        {c.__name__: c for c in CASES}[case](Tools(*tools))


main()
