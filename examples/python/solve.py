"""Streams a solve from a running daemon: expanded nodes as they come, the path at the end.

Usage: solve.py unix:/path/to/astrolabed.sock FILE   (run.sh makes the stubs and finds both)
"""
import sys

import grpc
from astrolabe.v1 import result_pb2, solver_pb2, solver_pb2_grpc, spec_pb2


def main(address, path):
    spec = spec_pb2.JobSpec(problem="sliding_tile", text=open(path, encoding="utf-8").read())
    spec.algorithm.id = "astar"
    spec.heuristics.add(id="manhattan")
    spec.events.kinds.append(spec_pb2.NODE_KIND_EXPANDING)
    spec.events.detail = spec_pb2.NODE_DETAIL_TEXT

    with grpc.insecure_channel(address) as channel:
        stub = solver_pb2_grpc.SolverServiceStub(channel)
        for response in stub.Solve(solver_pb2.SolveRequest(spec=spec)):
            event = response.event
            for node in event.nodes.nodes:
                print(f"expanded {node.text.split()} g={node.g} h={node.h}")
            if event.WhichOneof("event") == "result":
                result = event.result
                print(result_pb2.Outcome.Name(result.outcome), result.explanation)
                print("path:", " ".join(result.path.op_names))
                return 0 if result.outcome == result_pb2.OUTCOME_SOLVED else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
