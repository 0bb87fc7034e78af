// HDA*: hash-distributed A* (Kishimoto, Fukunaga and Botea, ICAPS 2009; Artificial Intelligence 195, 2013).
//
// Each thread owns the states whose hash falls to it: it alone keeps them, opens them and expands them, best first by
// f, and sends the children to their owners, in batches. So no store is ever locked. Threads keep near one f
// (hda_pace.h), but a goal that one of them expands is a candidate only: the cheapest is the incumbent, and nodes with
// f at or above its cost are dropped.
//
// Paths. Where operators can be undone no parents are kept (LineShare): the way back asks the owners of a state's
// neighbours what they cost. Else nodes have numbers, and a parent is named by its number and its owner (NodeShare).
//
// Bounds. At every moment, if h is admissible and there is a solution cheaper than the incumbent, some node of it lies
// open with its least g in an open list, or in a message, or in a batch in hand (the argument of A*, whoever owns the
// node), so f of that node is at most its cost. Thus the least of all those f, and of the incumbent, is a lower bound
// at any time, and when there is none below the incumbent, that is optimal. Closed nodes that are reached more cheaply
// are opened again, so no order among threads is needed for it.
//
// End. `pending` counts the threads that are at work and the batches that were sent and are not yet stored. A thread is
// counted until its open list has nothing below the incumbent, all it had to send is sent and its box is empty; a batch
// is counted before it is put into a box, and until its receiver, itself counted by then, has stored it. A thread that
// is not counted gets work through a batch alone, since the incumbent never rises. So pending = 0 means that no thread
// has work and none will ever come, and whoever counts down to 0 ends the search.
//
// Numbers of expansions differ from run to run with several threads; never the cost. On one thread this is A*.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_STAR_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_STAR_H_

#include <memory>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

// Events have one order, so a search that records them is A* on one thread.
std::unique_ptr<Algorithm> MakeHdaStar(const Task& task);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_STAR_H_
