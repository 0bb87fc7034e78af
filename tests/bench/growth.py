#!/usr/bin/env python3
"""Cost as the work grows: ns a node and bytes a stored state against the size of the search, plotted to two SVGs.

    tests/bench/growth.py BUILD_BIN_DIR OUT_DIR

Starts a daemon of its own on a socket in a temporary folder, solves 15-puzzle boards of growing difficulty (Korf's
instances and random walks with fixed seeds) three times each, takes the median, and writes OUT_DIR/growth.csv,
growth-time.svg and growth-memory.svg. Python's standard library only. Figures are of the machine it runs on.
"""

import csv
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

GOAL = list(range(16))
WALKS = [(20, 1), (30, 2), (40, 3), (50, 4), (60, 5), (80, 6), (100, 7)]
SERIES = [  # label, colour, CLI arguments
    ("A*", "#d9730d", ["--algorithm", "astar"]),
    ("bidirectional (NBS)", "#7a5af8", ["--algorithm", "bidirectional"]),
    ("anytime A*", "#c11574", ["--algorithm", "anytime_astar"]),
    ("IDA*, table", "#067647", ["--algorithm", "idastar"]),
    ("IDA*, eval_ops", "#1570cd", ["--algorithm", "idastar", "--tier", "kernel"]),
    ("IDA*, the engine's loop", "#667085", ["--algorithm", "idastar", "--tier", "generic"]),
]
KEEPS_STATES = {"A*", "bidirectional (NBS)", "anytime A*"}
REPEATS = 3


def walk(steps, seed):
    """A board some random moves away from the goal; a move is never taken back at once."""
    rng = random.Random(seed)
    board, last = GOAL[:], None
    for _ in range(steps):
        blank = board.index(0)
        row, col = divmod(blank, 4)
        targets = [r * 4 + c for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
                   if 0 <= r < 4 and 0 <= c < 4 and r * 4 + c != last]
        target = rng.choice(targets)
        board[blank], board[target] = board[target], 0
        last = blank
    return board


def korf(root, numbers):
    """Instances of Korf's hundred from the file of the benchmark that solves them all."""
    boards = {}
    with open(os.path.join(root, "tests/bench/korf100/korf100.txt"), encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            if len(fields) == 20 and fields[0].isdigit() and int(fields[0]) in numbers:
                boards[int(fields[0])] = [int(field) for field in fields[4:]]
    missing = set(numbers) - set(boards)
    if missing:
        sys.exit(f"growth.py: korf100.txt has no instance {sorted(missing)}")
    return [boards[number] for number in numbers]


class Daemon:
    def __init__(self, bin_dir, folder):
        self.cli = os.path.join(bin_dir, "astrolabe")
        self.address = "unix:" + os.path.join(folder, "d.sock")
        self.process = subprocess.Popen(
            [os.path.join(bin_dir, "astrolabed"), "--address", self.address, "--cache-dir", folder + "/cache",
             "--state-dir", folder + "/state", "--log-file", folder + "/log"])
        self.log = os.path.join(folder, "log")

    def wait(self):
        deadline = time.monotonic() + 60
        while self.run(["server", "health"]).returncode != 0:
            if self.process.poll() is not None or time.monotonic() > deadline:
                with open(self.log, encoding="utf-8") as log:
                    sys.exit("growth.py: the daemon did not start; its log:\n" + log.read())

    def run(self, args, text=""):
        return subprocess.run([self.cli, *args, "--server", self.address], input=text, text=True, capture_output=True,
                              check=False)

    def solve(self, board, args):
        text = "4 " + " ".join(map(str, board)) + "\n"
        done = self.run(["solve", "-", "--goal", "blank-first", "--heuristic", "manhattan", "-o", "json", *args], text)
        if done.returncode != 0:
            sys.exit(f"growth.py: a solve failed ({done.returncode}): {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def seconds(duration):
    return float(duration.rstrip("s"))


def measure(daemon, boards):
    rows = []
    for label, _, args in SERIES:
        for board in boards:
            results = [daemon.solve(board, args)["statistics"] for _ in range(REPEATS)]
            stats = results[0]
            expanded = int(stats.get("expanded", 0))
            if any(int(result["generated"]) != int(stats["generated"]) for result in results):
                sys.exit(f"growth.py: {label} counted differently when it was run again")
            if expanded < 200:
                continue  # start-up is all there is
            took = statistics.median(seconds(result["searchTime"]) for result in results)
            stored = int(stats.get("stored", 0))
            rows.append({
                "series": label,
                "expanded": expanded,
                "generated": int(stats["generated"]),
                "stored": stored if label in KEEPS_STATES else 0,
                "ns_per_generated": took * 1e9 / int(stats["generated"]),
                "bytes_per_state": int(stats["peakMemoryBytes"]) / stored if label in KEEPS_STATES and stored else 0,
            })
    return rows


def decades(low, high):
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def plot(path, title, x_label, y_label, series):
    """series: (label, colour, [(x, y)]). Both axes logarithmic."""
    width, height, left, right, top, bottom = 860, 480, 80, 230, 50, 60
    xs = [x for _, _, points in series for x, _ in points]
    ys = [y for _, _, points in series for _, y in points]
    x_range, y_range = decades(min(xs), max(xs)), decades(min(ys), max(ys))
    x_low, x_high, y_low, y_high = x_range[0], x_range[-1], y_range[0], y_range[-1]

    def at(x, y):
        return (left + (math.log10(x) - x_low) / (x_high - x_low) * (width - left - right),
                height - bottom - (math.log10(y) - y_low) / (y_high - y_low) * (height - top - bottom))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           'font-size="13" role="img">', f"<title>{title}</title>",
           "<style>text{fill:#475467}line{stroke:#98a2b3;stroke-width:.6}"
           "@media(prefers-color-scheme:dark){text{fill:#cdd5df}}</style>",
           f'<text x="{left}" y="28" font-size="16">{title}</text>']
    for power in x_range:
        x, y = at(10.0**power, 10.0**y_low)
        out += [f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{y:.1f}"/>',
                f'<text x="{x:.1f}" y="{y + 20:.1f}" text-anchor="middle">{tick(power)}</text>']
    for power in y_range:
        x, y = at(10.0**x_low, 10.0**power)
        out += [f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}"/>',
                f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{tick(power)}</text>']
    out += [f'<text x="{(left + width - right) / 2}" y="{height - 16}" text-anchor="middle">{x_label}</text>',
            f'<text x="20" y="{(top + height - bottom) / 2}" text-anchor="middle" '
            f'transform="rotate(-90 20 {(top + height - bottom) / 2})">{y_label}</text>']
    for row, (label, colour, points) in enumerate(series):
        placed = [at(x, y) for x, y in sorted(points)]
        path_text = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        out.append(f'<polyline points="{path_text}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
        y = top + 14 + 22 * row
        out += [f'<circle cx="{width - right + 22}" cy="{y - 4}" r="5" fill="{colour}"/>',
                f'<text x="{width - right + 34}" y="{y}">{label}</text>']
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out + ["</svg>"]) + "\n")


def tick(power):
    names = {0: "1", 1: "10", 2: "100", 3: "1,000", 4: "10,000", 5: "100,000", 6: "1 M", 7: "10 M", 8: "100 M", 9: "1 G"}
    return names.get(power, f"{10.0**power:g}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    bin_dir, out_dir = sys.argv[1:]
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    boards = [walk(*spec) for spec in WALKS] + korf(root, [79, 12, 42, 55, 47, 97, 38])
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(bin_dir, folder)
        try:
            daemon.wait()
            rows = measure(daemon, boards)
        finally:
            daemon.stop()
    with open(os.path.join(out_dir, "growth.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: f"{value:.2f}" if isinstance(value, float) else value for key, value in row.items()})

    def lines(x, y):
        found = []
        for label, colour, _ in SERIES:
            points = [(row[x], row[y]) for row in rows if row["series"] == label and row[y] > 0]
            if points:
                found.append((label, colour, points))
        return found

    plot(os.path.join(out_dir, "growth-time.svg"), "Time a generated node, 15-puzzle, Manhattan distance",
         "nodes generated", "ns a generated node", lines("generated", "ns_per_generated"))
    plot(os.path.join(out_dir, "growth-memory.svg"), "Memory a stored state, 15-puzzle, 8-byte states",
         "states stored", "bytes a stored state", lines("stored", "bytes_per_state"))


if __name__ == "__main__":
    main()
