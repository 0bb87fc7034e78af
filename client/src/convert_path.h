// ValidatePath of astrolabe/v1/solver.proto <-> astrolabe/client/path.h
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_PATH_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_PATH_H_

#include "astrolabe/client/path.h"
#include "astrolabe/v1/solver.pb.h"

namespace astrolabe::client {

// Moves the words.
void ToProto(PathPiece piece, v1::ValidatePathRequest* proto);

CheckedPath FromProto(const v1::ValidatePathResponse& proto);
void ToProto(const CheckedPath& path, v1::ValidatePathResponse* proto);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_PATH_H_
