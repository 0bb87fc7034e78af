// Parameters as the ABI takes them: what the user set, completed by the manifest's defaults.
#ifndef ASTROLABE_DAEMON_WORKER_PARAM_LIST_H_
#define ASTROLABE_DAEMON_WORKER_PARAM_LIST_H_

#include <vector>

#include "astrolabe/abi/types.h"
#include "astrolabe/v1/spec.pb.h"
#include "daemon/worker/manifest.h"

namespace astrolabe::worker {

using ProtoParams = google::protobuf::Map<std::string, v1::ParamValue>;

// Sorted by name; values of no type are left out.
ParamMap ToParamMap(const ProtoParams& params);

class ParamList {
 public:
  ParamList(const ProtoParams& set, const ParamMap& defaults);
  ParamList(const ParamList&) = delete;
  ParamList& operator=(const ParamList&) = delete;

  // Valid as long as this lives.
  const astro_params* abi() const { return &abi_; }

 private:
  ParamMap values_;
  std::vector<astro_param_v1> items_;
  astro_params abi_{};
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PARAM_LIST_H_
