# SPDX-License-Identifier: BSD-3-Clause
"""Write a text file as a C string. Usage: embed.py FILE NAME >HEADER"""
import json
import sys

with open(sys.argv[1]) as file:
    lines = [json.dumps(line, ensure_ascii=False) for line in file]
print("/* Made by embed.py. */\nstatic const char " + sys.argv[2] + "[] =\n    " +
      "\n    ".join(lines) + ";")
