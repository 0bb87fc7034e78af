// What lists of jobs leave out, and that it is nothing else.
#include "daemon/jobs/job_view.h"

#include <gtest/gtest.h>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/util/message_differencer.h"

namespace astrolabe::jobs {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

void Fill(Message* message, int depth = 0);

// One value that is not the default; of a oneof the last field stays.
void FillField(const FieldDescriptor* field, Message* message, int depth) {
  const Reflection* const reflection = message->GetReflection();
  const bool many = field->is_repeated();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return many ? reflection->AddInt32(message, field, 3) : reflection->SetInt32(message, field, 3);
    case FieldDescriptor::CPPTYPE_INT64:
      return many ? reflection->AddInt64(message, field, 4) : reflection->SetInt64(message, field, 4);
    case FieldDescriptor::CPPTYPE_UINT32:
      return many ? reflection->AddUInt32(message, field, 5) : reflection->SetUInt32(message, field, 5);
    case FieldDescriptor::CPPTYPE_UINT64:
      return many ? reflection->AddUInt64(message, field, 6) : reflection->SetUInt64(message, field, 6);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return many ? reflection->AddDouble(message, field, 1.5) : reflection->SetDouble(message, field, 1.5);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return many ? reflection->AddFloat(message, field, 2.5F) : reflection->SetFloat(message, field, 2.5F);
    case FieldDescriptor::CPPTYPE_BOOL:
      return many ? reflection->AddBool(message, field, true) : reflection->SetBool(message, field, true);
    case FieldDescriptor::CPPTYPE_ENUM:
      return many ? reflection->AddEnumValue(message, field, 1) : reflection->SetEnumValue(message, field, 1);
    case FieldDescriptor::CPPTYPE_STRING:
      return many ? reflection->AddString(message, field, "text") : reflection->SetString(message, field, "text");
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return Fill(many ? reflection->AddMessage(message, field) : reflection->MutableMessage(message, field),
                  depth + 1);
  }
}

void Fill(Message* message, int depth) {
  if (depth > 8) return;
  for (int i = 0; i < message->GetDescriptor()->field_count(); ++i) {
    FillField(message->GetDescriptor()->field(i), message, depth);
  }
}

template <typename Proto>
Proto Full() {
  Proto out;
  Fill(&out);
  return out;
}

// Without what differs: empty.
std::string Differences(const Message& found, const Message& expected) {
  google::protobuf::util::MessageDifferencer differencer;
  std::string report;
  differencer.ReportDifferencesToString(&report);
  return differencer.Compare(expected, found) ? "" : report;
}

TEST(JobView, AResultInAListLacksItsPathAlone) {
  const v1::Result full = Full<v1::Result>();
  v1::Result expected = full;
  expected.clear_path();
  EXPECT_EQ(Differences(WithoutPath(full), expected), "");
  EXPECT_EQ(Differences(WithoutPath(v1::Result()), v1::Result()), "") << "nothing becomes present";
}

TEST(JobView, LongStatesAreLeftOutOfLists) {
  v1::Result full = Full<v1::Result>();
  full.set_initial_state(std::string(1025, '1'));
  full.set_final_state(std::string(1024, '1'));
  const v1::Result brief = WithoutPath(full);
  EXPECT_EQ(brief.initial_state(), "");
  EXPECT_EQ(brief.final_state(), full.final_state());
}

TEST(JobView, ASpecInAListLacksItsInstanceAlone) {
  v1::JobSpec full = Full<v1::JobSpec>();
  for (const bool text : {true, false}) {
    if (text) full.set_text("an instance");
    if (!text) full.set_data("an instance");
    v1::JobSpec expected = full;
    expected.clear_instance();
    EXPECT_EQ(Differences(WithoutInstance(full), expected), "");
  }
  EXPECT_EQ(Differences(WithoutInstance(v1::JobSpec()), v1::JobSpec()), "") << "nothing becomes present";
}

}  // namespace
}  // namespace astrolabe::jobs
