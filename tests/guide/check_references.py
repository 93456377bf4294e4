#!/usr/bin/env python3
"""Documents that sources and pages refer to exist, and so do their headings.

usage: check_references.py SOURCE_FOLDER

Sources name documents as `docs/guide/results.md, "Frames"` or `docs/theory/solver.md, sec. 5`; pages have links, with or without an
anchor.
"""

import os
import re
import sys

MENTION = re.compile(r"(docs/[\w/-]+\.md)(?:, (?:\"([^\"]{1,60})\"|sec\. (\d+)))?")
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)]*))?\)")


def headings(page):
    return re.findall(r"^#+ (.*)$", open(page, encoding="utf-8").read(), re.M)


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def mentions(file, text):
    # A reference may go on in the next line of a comment.
    for page, heading, section in MENTION.findall(re.sub(r"\n\s*(?:///?|#) ?", " ", text)):
        if not os.path.exists(page):
            yield f"{file}: there is no {page}"
        elif heading and heading not in headings(page):
            yield f'{file}: {page} has no heading "{heading}"'
        elif section and not any(h.startswith(f"{section}.") or h.startswith(f"{section} ") for h in headings(page)):
            yield f"{file}: {page} has no section {section}"


def links(file, text):
    for target, place in LINK.findall(text):
        page = os.path.normpath(os.path.join(os.path.dirname(file), target)) if target else file
        if re.match(r"\w+:", target):
            continue
        if not os.path.exists(page):
            yield f"{file}: there is no {target}"
        elif place and page.endswith(".md") and place not in map(anchor, headings(page)):
            yield f"{file}: {target or file} has no heading for #{place}"


def main(folder):
    os.chdir(folder)
    found = [os.path.relpath(os.path.join(where, name), ".") for where, folders, names in os.walk(".") if not where.startswith("./build") for name in names]
    wrong = []
    for file in sorted(found):
        if re.search(r"\.(hpp|cpp|ts|mjs|py|md|toml|cmake|sh|c|h)$", file) and not re.search(r"(^|/)(\.git|node_modules|results)/", file):
            text = open(file, encoding="utf-8", errors="replace").read()  # some inputs of tests are damaged on purpose
            wrong += mentions(file, text)
            wrong += links(file, text) if file.endswith(".md") else []
    print("\n".join(wrong) or f"{len(found)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
