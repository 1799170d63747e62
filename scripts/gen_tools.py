# SPDX-License-Identifier: BSD-3-Clause
"""Write the wrappers that a tool puts around every routine, from tables of interfaces.

    gen_tools.py TABLE... >routines.c

For each routine: its description (tools/call.h), a function that makes a recorded call of it, and the
public symbol, which records the program's call and hands it to the tool. Calls that no tool has to see
(tools/quick.h says which) are made at once, but for the first of each routine.
"""
import re
import sys

import gen_api
from c_text import parameters

MAX_ARGUMENTS = 12    # of struct tern_call

# Parameters that mean the same in all routines.
ROLES = {
    "ctx": "CTX", "team": "TEAM", "parent_team": "TEAM", "dest": "DEST", "source": "SOURCE",
    "nelems": "NELEMS", "nreduce": "NELEMS", "pe": "PE", "dst": "DST", "sst": "SST",
    "bsize": "BSIZE", "nblocks": "NBLOCKS", "sig_addr": "SIG_ADDR", "ivar": "IVAR",
    "ivars": "IVAR", "lock": "IVAR", "PE_start": "PE_START", "logPE_stride": "LOG_PE_STRIDE",
    "PE_size": "PE_SIZE", "indices": "INDICES", "status": "STATUS", "cmp_values": "CMP_VALUES", "ptr": "BLOCK", "size": "SIZE",
    "count": "COUNT",
}

# A routine's kind, by its section of the standard and its name; the first line that fits counts.
KINDS = (
    (r"9\.1\.1", r"", "INIT"), (r"9\.1\.13", r"", "START_PES"), (r"9\.1\.4", r"", "FINALIZE"),
    (r"9\.1\.6", r"", "EXIT"),
    (r"9\.2\.1", r"", "INIT_THREAD"), (r"9\.2\.2", r"", "QUERY_THREAD"), (r"9\.1", r"", "QUERY"),
    (r"9\.3", r"", "ALLOC"), (r"9\.4\.[67]", r"", "TEAM_SPLIT"), (r"9\.4\.8", r"", "TEAM_DESTROY"),
    (r"9\.4", r"", "QUERY"), (r"9\.5\.[12]", r"", "CTX_CREATE"), (r"9\.5\.3", r"", "CTX_DESTROY"),
    (r"9\.5", r"", "QUERY"), (r"9\.6\.1\.[1-4]", r"", "PUT"), (r"9\.6\.1", r"", "GET"),
    (r"9\.6\.2\.1", r"", "PUT_NBI"), (r"9\.6\.2", r"", "GET_NBI"), (r"9\.7\.2", r"", "AMO_NBI"),
    (r"9\.7\.1", r"void", "AMO"), (r"9\.7\.1", r"", "AMO_FETCH"), (r"9\.8\.1", r"", "PUT_SIGNAL"),
    (r"9\.8\.2", r"", "PUT_SIGNAL_NBI"), (r"9\.8\.[35]", r"", "SIGNAL"), (r"9\.8", r"", "TEST"),
    (r"9\.9", r"", "QUERY"), (r"9\.10\.[12]", r"", "BARRIER"), (r"9\.10\.[34]", r"", "SYNC"),
    (r"9\.10", r"", "COLLECTIVE"), (r"9\.11", r".*_wait", "WAIT"), (r"9\.11", r"", "TEST"),
    (r"9\.12\.1", r"", "FENCE"), (r"9\.12\.2", r"", "QUIET"), (r"9\.12\.3", r"", "PE_QUIET"),
    (r"9\.13", r".*set_lock", "WAIT"), (r"9\.13", r".*clear", "LOCK_CLEAR"), (r"9\.13", r"", "TEST"),
    (r"10", r"", "CONTROL"),
)

# What collective routines do, by their names; the first that fits counts.
MOVEMENTS = (("_fcollect", "FCOLLECT"), ("_collect", "COLLECT"), ("broadcast", "BROADCAST"),
             ("alltoall", "ALLTOALL"), ("scan", "SCAN"), ("_reduce", "REDUCTION"), ("_to_all", "REDUCTION"))

HANDLES = ("shmem_ctx_t", "shmem_team_t", "shmemx_ct_t", "shmemx_request_handle_t")


def kind(family, routine):
    for section, name, found in KINDS:
        if re.fullmatch(section + r"(\..*)?", family.section) and (
                re.match(name, routine.result if name == "void" else routine.name)):
            return found
    return "OTHER"


def movement(family, routine):
    if kind(family, routine) != "COLLECTIVE":
        return "NO_MOVEMENT"
    return next(name for part, name in MOVEMENTS if part in routine.name)


def member(ctype):
    """The member of union tern_hello that holds a value of the type."""
    ctype = ctype.replace("const ", "").strip()
    if "*" in ctype or ctype in HANDLES:
        return "p"
    real = {"float": "f", "double": "d", "long double": "ld"}
    if ctype in real:
        return real[ctype]
    return "u" if ctype.startswith(("unsigned", "uint", "size_t")) else "i"


def element(family, routine, table):
    """What an element's size is, as C."""
    if routine.typename:
        return f"sizeof({table.ctype[routine.typename]})"
    bits = re.search(r"(?:put|get)(8|16|32|64|128)", routine.name)
    if not bits:
        bits = re.search(r"(?:alltoalls?|broadcast|collect)(32|64)$", routine.name)
    return str(int(bits[1]) // 8) if bits else "1"


def alignment(family, routine, table):
    """How elements have to lie. What is 128 bits wide is mostly a pair of 64."""
    if routine.typename:
        return f"_Alignof({table.ctype[routine.typename]})"
    size = int(element(family, routine, table))
    return str(min(size, 8))


def arguments(routine):
    """What messages call the arguments: for each the member that holds it, then its name."""
    return ",".join(f"{member(p.type)} {p.name}" for p in parameters(routine.params))


def steps(routine, indices):
    """What waits for one after the other, where the routine waits for all of several variables."""
    match = re.fullmatch(r"(\w+_wait_until_)all(_vector)?", routine.name)
    return f"&tern_routines[{indices[match[1] + 'some' + (match[2] or '')]}]" if match else "NULL"


def description(index, family, routine, table, indices):
    places = "".join(f", [TERN_{ROLES[p.name]}] = {place}"
                     for place, p in enumerate(parameters(routine.params), 1) if p.name in ROLES)
    return (f'    {{"{routine.name}", run_{index}, TERN_KIND_{kind(family, routine)}, '
            f"TERN_{movement(family, routine)}, "
            f"{element(family, routine, table)}, {alignment(family, routine, table)}, "
            f"{{0{places}}}, {steps(routine, indices)}, \"{arguments(routine)}\"}},\n")


def typed(routine, pointer):
    """A pointer to the library's routine, with its type."""
    types = ", ".join(p.type for p in parameters(routine.params)) or "void"
    if "..." in routine.params:
        types += ", ..."
    return f"(({routine.result} (*)({types})){pointer})"


def runner(index, routine):
    values = ", ".join(f"call->arg[{i}].{member(p.type)}"
                       for i, p in enumerate(parameters(routine.params)))
    back = "" if routine.result == "void" else f"call->result.{member(routine.result)} = "
    return (f"static void run_{index}(struct tern_call *call)\n{{\n"
            f"    {back}{typed(routine, f'next_of({index})')}({values});\n}}\n")


# Kinds whose calls may need no look at them, with their arguments in symmetric and in private memory.
QUICK = {"PUT": ("dest", "source"), "PUT_NBI": ("dest", "source"), "GET": ("source", "dest"),
         "GET_NBI": ("source", "dest"), "AMO": ("dest", None), "AMO_FETCH": ("dest", None),
         "FENCE": (None, None), "QUIET": (None, None), "QUERY": (None, None)}
SIMPLE = {"ctx", "dest", "source", "nelems", "pe", "value", "cond"}


def quick_symmetric(family, routine):
    """The symmetric argument of such a call, or None; atomic operations that only fetch have a source."""
    symmetric, _ = QUICK[kind(family, routine)]
    given = {p.name for p in parameters(routine.params)}
    return "source" if symmetric and symmetric not in given else symmetric


def quick_condition(index, family, routine, table):
    """When a call needs no look at it, as C; None if every call does."""
    given = {p.name for p in parameters(routine.params)}
    found = kind(family, routine)
    if found not in QUICK or given - SIMPLE or (found == "QUERY" and given):
        return None
    symmetric, local = quick_symmetric(family, routine), QUICK[found][1]
    parts = ["ctx == SHMEM_CTX_DEFAULT"] if "ctx" in given else []
    if not symmetric:
        state = {"QUERY": "tern_thread_state == TERN_QUICK", "FENCE": "tern_quick_orders(false)",
                 "QUIET": "tern_quick_orders(true)"}[found]
        return " && ".join(parts + [state])
    aligned, size = alignment(family, routine, table), element(family, routine, table)
    n = "nelems" if "nelems" in given else 1
    parts.append(f"tern_quick_reaches({symmetric}, {n}, {size}, {aligned}, pe)")
    if local in given:
        parts.append(f"tern_quick_is_private({local}, {n} * {size}, {aligned})")
    parts.append(f"tern_quick_enters(&tern_routines[{index}], {symmetric}, {n} * {size}, pe,\n"
                 "                          site)")
    return " &&\n        ".join(parts)


def straight_call(index, family, routine):
    """The lines that make a call without a condition, if the tool has given the thread a number of calls:
    the last thing that the wrapper does. The first call of a routine is for others to make."""
    names = ", ".join(p.name for p in parameters(routine.params))
    count = [] if kind(family, routine) == "QUERY" else ["        tern_quick_left--;"]
    given = f"{typed(routine, 'next')}({names});"
    straight = [f"        {given}", "        return;"] if routine.result == "void" else [
        f"        return {given}"]
    return [f"    void *next = __atomic_load_n(&known[{index}], __ATOMIC_RELAXED);\n",
            "    if (__builtin_expect(tern_quick_left && next, 1)) {", *count, *straight, "    }"]


def quick_call(index, family, routine, table):
    """The lines that make a call which needs no look at it; none if every call does."""
    condition = quick_condition(index, family, routine, table)
    if not condition:
        return []
    names = ", ".join(p.name for p in parameters(routine.params))
    back = "" if routine.result == "void" else f"{routine.result} result = "
    leave = [f"        tern_quick_leaves({quick_symmetric(family, routine)}, "
             f"{element(family, routine, table)}, pe);"] if kind(family, routine) == "AMO_FETCH" else []
    return [f"    void *next = __atomic_load_n(&known[{index}], __ATOMIC_RELAXED);\n",
            f"    if (__builtin_expect(next && {condition}, 1)) {{",
            "        tern_thread_state = TERN_INSIDE;",
            f"        {back}{typed(routine, 'next')}({names});",
            "        tern_thread_state = TERN_QUICK;", *leave,
            "        return result;" if back else "        return;", "    }"]


def variadic(routine):
    """The lines that record the optional argument of shmem_pcontrol(), which is a name from level 3 on.
    The call itself continues without it."""
    assert routine.name in ("shmem_pcontrol", "pshmem_pcontrol"), routine.name
    return ["    call.arg[1].p = NULL;",
            "    if (level == 3) {",
            "        va_list further;",
            "        va_start(further, level);",
            "        call.arg[1].p = va_arg(further, void *);",
            "        va_end(further);", "    }"]


def recorded(index, family, routine):
    """The lines that record a call, and hand it to the tool."""
    lines = [f"    call.routine = &tern_routines[{index}];", "    call.site = site;"]
    for i, p in enumerate(parameters(routine.params)):
        cast = "(void *)" if member(p.type) == "p" else ""
        lines.append(f"    call.arg[{i}].{member(p.type)} = {cast}{p.name};")
    if "..." in routine.params:
        lines += variadic(routine)
    lines.append("    tern_call(&call);")
    if routine.result != "void":
        lines.append(f"    return ({routine.result})call.result.{member(routine.result)};")
    elif "noreturn" in family.flags:
        lines.append("    __builtin_unreachable();")
    return lines


def wrapper(index, family, routine, table):
    """The public symbol. Where calls may bypass the tool, each way to make one is a function of its own: the
    variables of one way would cost the others time."""
    quick = quick_call(index, family, routine, table)
    record = ["    struct tern_call call;\n", *recorded(index, family, routine)]
    head = f"{routine.result} ({routine.name})({routine.params})\n{{\n"
    if not quick:
        return head + "\n".join(["    const void *site = __builtin_return_address(0);", *record]) + "\n}\n"
    given = ", ".join([p.type + " " + p.name for p in parameters(routine.params)] + ["const void *site"])
    names = "".join(p.name + ", " for p in parameters(routine.params))
    back = "" if routine.result == "void" else "return "
    part = f"static {routine.result} __attribute__((noinline)) "
    return (f"{part}record_{index}({given})\n{{\n" + "\n".join(record) + "\n}\n\n" +
            f"{part}quick_{index}({given})\n{{\n" +
            "\n".join([*quick, f"    {back}record_{index}({names}site);"]) + "\n}\n\n" +
            head + "\n".join([*straight_call(index, family, routine),
                              f"    {back}quick_{index}({names}__builtin_return_address(0));"]) + "\n}\n")


def main():
    table = gen_api.Table("", *sys.argv[1:])
    known = {}
    for family in table.families():
        for routine in family.routines:
            if "(*" not in routine.params:    # takes a function: nothing for a tool to see
                known.setdefault(routine.name, (family, routine))
    routines = list(known.values())
    indices = {routine.name: i for i, (_, routine) in enumerate(routines)}
    assert all(len(parameters(routine.params)) <= MAX_ARGUMENTS for _, routine in routines)
    print("/* Made by scripts/gen_tools.py. */\n"
          "#pragma GCC visibility push(default)\n#define SHMEM_CLASSIC\n"
          "#include <stdarg.h>\n#include <shmem.h>\n#include <shmemx.h>\n#pragma GCC visibility pop\n\n"
          '#include "tools/call.h"\n#include "tools/quick.h"\n')
    print(f"static void *known[{len(routines)}];\n\n"
          "static void *__attribute__((noinline, cold)) find(unsigned index)\n{\n"
          "    void *next = tern_real(tern_routines[index].name);\n\n"
          "    __atomic_store_n(&known[index], next, __ATOMIC_RELAXED);\n"
          "    return next;\n}\n\n"
          "/* The library's routine of this index. */\n"
          "static inline void *next_of(unsigned index)\n{\n"
          "    void *next = __atomic_load_n(&known[index], __ATOMIC_RELAXED);\n\n"
          "    return __builtin_expect(!next, 0) ? find(index) : next;\n}\n")
    print("\n".join(runner(i, routine) for i, (_, routine) in enumerate(routines)))
    print("const struct tern_routine tern_routines[] = {\n" +
          "".join(description(i, family, routine, table, indices)
                  for i, (family, routine) in enumerate(routines)) + "};\n")
    print('_Static_assert(sizeof tern_routines / sizeof tern_routines[0] <= TERN_MOST_ROUTINES,\n'
          '               "TERN_MOST_ROUTINES has to be raised");\n')
    print("\n".join(wrapper(i, family, routine, table) for i, (family, routine) in enumerate(routines)))


if __name__ == "__main__":
    main()
