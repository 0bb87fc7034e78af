#!/usr/bin/env python3
"""Do the tests that tests/pitfalls.md names exist?

    check_pitfalls.py TESTS_FOLDER      checks its pitfalls.md
    check_pitfalls.py --planted         checks that this program sees what is wrong in a table made for it

In the last cell of a row each piece in backquotes is a file (it has a slash or an ending), relative to the folder, or a
test of the file named before it: Suite.Name, for one instance of a parametrised test Suite.Name/instance. A file that
holds no such tests (a fuzz target, a script) may stand alone. A row whose last cell has no file must say "not built" or
"not tested" there. Numbers in the first cell of a table must follow each other.
"""

import os
import re
import sys
import tempfile

TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)")


def rows(text):
    """(line number, cells) of every table row below its head."""
    body = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            body = False
            continue
        if re.fullmatch(r"\|[-:| ]+\|", line.strip()):
            body = True
        elif body:
            yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]


def is_built(root, path):
    """Some CMake file in the source's folder, or above, names it: x_test.cc, x_test or, in a loop, x."""
    base = os.path.basename(path)
    stem = base.rsplit(".", 1)[0]
    names = {base, stem, stem.removesuffix("_test")}
    folder = os.path.join(root, os.path.dirname(path))
    while True:
        for name in os.listdir(folder):
            if name == "CMakeLists.txt" or name.endswith(".cmake"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    if names & set(re.split(r"[^\w.]+", file.read())):
                        return True
        if os.path.samefile(folder, root):
            return False
        folder = os.path.dirname(folder)


def faults_of_row(root, cells):
    """What is wrong with the last cell."""
    spans = re.findall(r"`([^`]+)`", cells[-1])
    path, source, tests = None, "", set()
    files = 0
    named = True  # no file yet, or a test of the last one was named
    for span in spans:
        if "/" in span.split(".")[0] or re.search(r"\.(cc|py|sh|c)$", span):
            if not named and tests:
                yield f"{path} has tests: name one"
            path, files, named = span, files + 1, False
            full = os.path.join(root, path)
            if not os.path.isfile(full):
                yield f"no file {path}"
                source, tests = "", set()
                continue
            with open(full, encoding="utf-8") as file:
                source = file.read()
            tests = {".".join(pair) for pair in TEST.findall(source)}
            if path.endswith((".cc", ".c")) and not is_built(root, path):
                yield f"no CMake file builds {path}"
        elif path is None:
            yield f"`{span}` stands before any file"
        else:
            named = True
            name, _, instance = span.partition("/")
            if name not in tests or "DISABLED_" in name:
                yield f"{path} has no test {name}"
            elif instance and not re.search(rf'"{re.escape(instance)}"', source):
                yield f"{path} has no instance {instance} of {name}"
    if not named and tests:
        yield f"{path} has tests: name one"
    if files == 0 and not re.search(r"not (built|tested)", cells[-1]):
        yield "no test is named"


def check(root, text):
    """Prints what is wrong; how much it is."""
    faults, last, count = 0, 0, 0
    for number, cells in rows(text):
        found = list(faults_of_row(root, cells))
        if cells[0].isdigit():
            if int(cells[0]) not in (1, last + 1):
                found.append(f"number {cells[0]} follows {last}")
            last = int(cells[0])
        count += 1
        for fault in found:
            print(f"pitfalls.md:{number}: {fault}")
        faults += len(found)
    if count == 0:
        print("pitfalls.md has no table")
        faults += 1
    print(f"{count} rows, {faults} faults")
    return faults


PLANTED = """
| # | what | tests |
|---|---|---|
| 1 | good | `x_test.cc`: `Suite.Good`, `Suite.Each/one` |
| 2 | not there | `x_test.cc`: `Suite.Gone` |
| 4 | number 3 is missing | `x_test.cc`: `Suite.Good` |
| 5 | no such instance | `x_test.cc`: `Suite.Each/two` |
| 6 | no such file | `y_test.cc`: `Suite.Good` |
| 7 | no test | |
| 8 | none of the file is named | `x_test.cc` |
| 9 | nobody builds it | `z_test.cc`: `Suite.Other` |
| 10 | known to be missing | not tested |
"""


def planted():
    with tempfile.TemporaryDirectory() as root:
        for name, text in {
            "CMakeLists.txt": "add_executable(x_test x_test.cc)\n",
            "x_test.cc": 'TEST(Suite, Good) {}\nTEST_P(Suite, Each) {}\nValues(Case{"one"})\n',
            "z_test.cc": "TEST(Suite, Other) {}\n",
        }.items():
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(text)
        # One each but for row 6, where the test of a missing file is missing too.
        return 0 if check(root, PLANTED) == 8 else 1


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--planted":
        sys.exit(planted())
    with open(os.path.join(sys.argv[1], "pitfalls.md"), encoding="utf-8") as file:
        sys.exit(1 if check(sys.argv[1], file.read()) else 0)


if __name__ == "__main__":
    main()
