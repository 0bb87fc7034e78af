// astrolabe/v1/event.proto <-> astrolabe/client/event.h, and jobs. Node batches have a faster way: node_batch.h.
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_EVENT_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_EVENT_H_

#include "astrolabe/client/event.h"
#include "astrolabe/v1/event.pb.h"
#include "astrolabe/v1/solver.pb.h"

namespace astrolabe::client {

Progress FromProto(const v1::Progress& proto);
void ToProto(const Progress& progress, v1::Progress* proto);

NodeBatch FromProto(const v1::NodeBatch& proto);
void ToProto(const NodeBatch& batch, v1::NodeBatch* proto);

Event FromProto(const v1::Event& proto);
void ToProto(const Event& event, v1::Event* proto);

Job FromProto(const v1::Job& proto);
void ToProto(const Job& job, v1::Job* proto);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_EVENT_H_
