# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's settings for the HTML site and the manual pages of routines and messages. scripts/build_docs.py calls
Sphinx with the root of the sources in TERN_SOURCE."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["TERN_SOURCE"])
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "docs/sphinx")]

import pages    # noqa: E402

project = "Tern"
author = "The authors of Tern"
copyright = author
today_fmt = "%B %d, %Y"
release = version = re.search(r"^ +version: '(.*)'", (ROOT / "meson.build").read_text(), re.M)[1]

extensions = ["myst_parser", "manual"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
highlight_language = "none"
smartquotes = False
pygments_style = "default"
pygments_dark_style = "monokai"
nitpicky = True

html_theme = os.environ.get("TERN_THEME", "furo")
html_title = f"Tern {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_domain_indices = False

man_pages = [(f"reference/{page.path.stem}", page.name, page.summary[:1].lower() + page.summary[1:-1],
              [], 3) for page in map(pages.Page, pages.all_paths(ROOT))]
man_pages.append(("messages", "tern-messages", "what Tern's messages mean, and what to do", [], 7))
man_make_section_directory = True
