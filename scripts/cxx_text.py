# SPDX-License-Identifier: BSD-3-Clause
"""C++ templates that choose a routine by the type of its elements, for the generators of headers."""
import c_text


def function(head, params, call, returns):
    """A definition whose body is one call."""
    callee, arguments = call
    head = c_text.wrapped(head + "(", params or ["void"], ")")
    body = c_text.wrapped(f"    {'return ' if returns else ''}{callee}(", arguments, ");")
    return "\n".join([*head, "{", *body, "}", ""])


def texts(params):
    return [p.text for p in params]


def names(params):
    return [p.name for p in params]


def member(name, routine):
    return f"static constexpr auto {name} = {routine};"


def selection(name, members, specializations):
    """
    A structure for a list of types: its members are about the routines of one element type.

    members: declarations, where the words `prefix` and `type` stand for parts of routines' names, and
    `spelling` for the element type.
    specializations: (prefix, type, spelling).
    """
    macro = name.upper()
    lines = [f"#define {macro}(prefix, type, spelling)", *(f"    {line}" for line in members)]
    return (" \\\n".join(lines) + "\n" +
            "".join(f"template <> struct {name}<{words[-1]}> {{ {macro}({', '.join(words)}) }};\n"
                    for words in specializations) + f"#undef {macro}\n")


def indented(text):
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())
