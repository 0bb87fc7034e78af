#!/usr/bin/env python3
"""Counts the instructions a node of fixed searches costs and compares them with a reference.

    check_instructions.py PROGRAM [--reference FILE] [--update]

PROGRAM is instruction_run. Each search runs twice under valgrind, once without searching; the difference, divided by
the nodes it generated, is what a node costs. Unlike times it does not depend on the machine's load, so it is a test.

It depends on the compiler, the C library and the kernels the processor can run: where these are not those of the
reference nothing can be said, and the test is skipped (exit code 77). Exit code 1: some search costs more than the
reference and its tolerance allow (a regression), or less (an improvement: run it again with --update, so that it is
not lost later), or generates another number of nodes.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
TOLERANCE = 0.03


def fail(message):
    sys.exit(f"check_instructions: {message}")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def instructions(command):
    """Instructions of one run, and what it printed. Cachegrind without a cache is the fastest tool that counts them."""
    done = run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--vgdb=no",
                *command])
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if not found:
        fail(f"valgrind printed no number of instructions:\n{done.stderr}")
    return int(found.group(1).replace(",", "")), done.stdout


def measure(program, name):
    before, _ = instructions([program, name, "--prepare"])
    whole, printed = instructions([program, name])
    generated = json.loads(printed)["generated"]
    return {"generated": generated, "instructions_per_node": round((whole - before) / generated, 2)}


def judge(measured, reference, tolerance):
    """What is wrong; None: nothing."""
    if reference is None:
        return "is not in the reference; run with --update"
    if measured["generated"] != reference["generated"]:
        return (f"generated {measured['generated']} nodes, the reference says {reference['generated']}: the search "
                "itself changed; if that is meant, run with --update")
    ratio = measured["instructions_per_node"] / reference["instructions_per_node"]
    if ratio > 1 + tolerance:
        return f"a node costs {ratio - 1:.1%} more instructions than the reference: a regression"
    if ratio < 1 - tolerance:
        return f"a node costs {1 - ratio:.1%} fewer instructions: well done; run with --update to keep it"
    return None


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--reference", type=pathlib.Path, default=here / "reference.json")
    parser.add_argument("--update", action="store_true", help="write what is measured to the reference")
    options = parser.parse_args()

    if not shutil.which("valgrind"):
        fail("there is no valgrind; ./bootstrap.sh --tests installs it")
    build = json.loads(instructions([options.program, "--build"])[1])
    reference = json.loads(options.reference.read_text()) if options.reference.exists() else {}
    if not options.update and not reference:
        fail(f"there is no {options.reference}; --update makes one")
    if not options.update and reference["build"] != build:
        print(f"skipped: the reference was made with {reference['build']}, this build is {build}; "
              "--update makes a reference of it")
        return SKIPPED

    tolerance = reference.get("tolerance", TOLERANCE)
    names = run([options.program, "--list"]).stdout.split()
    # The counts do not depend on what else runs.
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        searches = dict(zip(names, pool.map(lambda name: measure(options.program, name), names)))
    faults = 0
    print(f"{'':<28} {'generated':>12} {'instr/node':>11} {'reference':>11}")
    for name, measured in searches.items():
        old = reference.get("searches", {}).get(name)
        fault = None if options.update else judge(measured, old, tolerance)
        was = f"{old['instructions_per_node']:.2f}" if old else "-"
        print(f"{name:<28} {measured['generated']:>12} {measured['instructions_per_node']:>11.2f} {was:>11}"
              f"{'  ' + fault if fault else ''}")
        faults += fault is not None
    if options.update:
        text = json.dumps({"build": build, "tolerance": tolerance, "searches": searches}, indent=2)
        options.reference.write_text(text + "\n")
        print(f"wrote {options.reference}")
        return 0
    for name in reference["searches"].keys() - searches.keys():
        print(f"{name}: is in the reference but no longer run; run with --update")
        faults += 1
    print(f"FAILED: {faults} differ" if faults else f"all within {tolerance:.0%} of the reference")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
