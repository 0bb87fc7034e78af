#ifndef ASTROLABE_DAEMON_JOBS_COPY_WITHOUT_H_
#define ASTROLABE_DAEMON_JOBS_COPY_WITHOUT_H_

#include <algorithm>
#include <initializer_list>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/util/field_mask_util.h"

namespace astrolabe::jobs {

// A copy that lacks the fields of these numbers; they may be megabytes and are not copied first. Fields that are added
// to the message later are copied without anybody having to think of it here.
template <typename Message>
Message CopyWithout(const Message& message, std::initializer_list<int> left_out) {
  const google::protobuf::Descriptor* const descriptor = Message::descriptor();
  google::protobuf::FieldMask rest;
  for (int i = 0; i < descriptor->field_count(); ++i) {
    if (std::ranges::count(left_out, descriptor->field(i)->number()) == 0) rest.add_paths(descriptor->field(i)->name());
  }
  Message copy;
  google::protobuf::util::FieldMaskUtil::MergeMessageTo(message, rest, {}, &copy);
  return copy;
}

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_COPY_WITHOUT_H_
