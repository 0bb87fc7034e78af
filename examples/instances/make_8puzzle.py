#!/usr/bin/env python3
"""Writes 8puzzle/depth-NN.txt: boards of the 8-puzzle whose shortest solution has exactly NN moves, one a line.

A breadth-first search from the goal finds the true depth of all 181,440 boards that can be solved. Of each depth
those with the smallest SHA-256 of their text are taken: a choice that looks random and is the same everywhere.
"""

import hashlib
import pathlib
import sys

GOAL = "123456780"
DEPTHS = range(2, 29, 2)
BOARDS_PER_DEPTH = 100


def neighbours(board):
    blank = board.index("0")
    row, column = divmod(blank, 3)
    for to in ([blank - 3] if row > 0 else []) + ([blank + 3] if row < 2 else []) + \
              ([blank - 1] if column > 0 else []) + ([blank + 1] if column < 2 else []):
        cells = list(board)
        cells[blank], cells[to] = cells[to], cells[blank]
        yield "".join(cells)


def layers(goal):
    """Yields the boards at distance 0, 1, 2 ... from the goal."""
    seen = {goal}
    layer = [goal]
    while layer:
        yield layer
        following = []
        for board in layer:
            for child in neighbours(board):
                if child not in seen:
                    seen.add(child)
                    following.append(child)
        layer = following


def text(board):
    return "/".join(" ".join(board[row:row + 3]) for row in (0, 3, 6))


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "8puzzle")
    folder.mkdir(exist_ok=True)
    for depth, layer in enumerate(layers(GOAL)):
        if depth not in DEPTHS:
            continue
        chosen = sorted((text(board) for board in layer), key=lambda line: hashlib.sha256(line.encode()).digest())
        chosen = sorted(chosen[:BOARDS_PER_DEPTH])
        head = f"# {len(chosen)} of the {len(layer)} boards that are {depth} moves from 1 2 3/4 5 6/7 8 0\n"
        (folder / f"depth-{depth:02}.txt").write_text(head + "".join(line + "\n" for line in chosen))


if __name__ == "__main__":
    main()
