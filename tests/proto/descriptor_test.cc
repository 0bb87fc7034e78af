// The public API compared with its golden descriptors. A change of the API shows up as a diff of
// golden/*.txt; regenerate them with ASTROLABE_UPDATE_GOLDEN=1 in a commit that says so.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "astrolabe/rpc/v1/error_details.pb.h"
#include "astrolabe/v1/cache.pb.h"
#include "astrolabe/v1/catalog.pb.h"
#include "astrolabe/v1/event.pb.h"
#include "astrolabe/v1/plugin.pb.h"
#include "astrolabe/v1/result.pb.h"
#include "astrolabe/v1/server.pb.h"
#include "astrolabe/v1/solver.pb.h"
#include "astrolabe/v1/spec.pb.h"

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FileDescriptor;

const std::vector<const FileDescriptor*>& PublicFiles() {
  static const auto* files = new std::vector<const FileDescriptor*>{
      astrolabe::v1::JobSpec::descriptor()->file(),        astrolabe::v1::Result::descriptor()->file(),
      astrolabe::v1::Event::descriptor()->file(),          astrolabe::v1::Job::descriptor()->file(),
      astrolabe::v1::ProblemInfo::descriptor()->file(),    astrolabe::v1::Plugin::descriptor()->file(),
      astrolabe::v1::CacheFile::descriptor()->file(),      astrolabe::v1::ServerLoad::descriptor()->file(),
      astrolabe::rpc::v1::ErrorInfo::descriptor()->file(),
  };
  return *files;
}

std::string Stem(const FileDescriptor* file) {
  std::string name = file->name();
  for (char& c : name) {
    if (c == '/') c = '.';
  }
  return name.substr(0, name.size() - 6);
}

class DescriptorTest : public testing::TestWithParam<const FileDescriptor*> {};

TEST_P(DescriptorTest, EqualsItsGoldenFile) {
  google::protobuf::FileDescriptorProto proto;
  GetParam()->CopyTo(&proto);
  std::string text;
  ASSERT_TRUE(google::protobuf::TextFormat::PrintToString(proto, &text));
  const std::string path = std::string(GOLDEN_DIR) + "/" + Stem(GetParam()) + ".txt";
  if (std::getenv("ASTROLABE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
  }
  std::ifstream in(path);
  ASSERT_TRUE(in) << "no golden file " << path;
  std::ostringstream golden;
  golden << in.rdbuf();
  EXPECT_EQ(text, golden.str()) << "the public API changed; if that is wanted, regenerate the golden files";
}

TEST_P(DescriptorTest, EveryEnumStartsWithAnUnspecifiedZeroAndIsPrefixed) {
  auto check = [](const google::protobuf::EnumDescriptor* e) {
    ASSERT_EQ(e->value(0)->number(), 0);
    std::string prefix;
    for (size_t i = 0; i < e->name().size(); ++i) {
      const char c = e->name()[i];
      if (i > 0 && std::isupper(static_cast<unsigned char>(c))) prefix += '_';
      prefix += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    EXPECT_EQ(e->value(0)->name(), prefix + "_UNSPECIFIED");
    for (int i = 0; i < e->value_count(); ++i) {
      EXPECT_EQ(e->value(i)->name().rfind(prefix + "_", 0), 0u) << e->value(i)->name();
    }
  };
  for (int i = 0; i < GetParam()->enum_type_count(); ++i) check(GetParam()->enum_type(i));
}

TEST_P(DescriptorTest, EveryRpcHasARequestAndAResponseOfItsOwn) {
  std::set<const Descriptor*> seen;
  for (int s = 0; s < GetParam()->service_count(); ++s) {
    const auto* service = GetParam()->service(s);
    for (int m = 0; m < service->method_count(); ++m) {
      const auto* method = service->method(m);
      EXPECT_EQ(method->input_type()->name(), method->name() + "Request");
      EXPECT_EQ(method->output_type()->name(), method->name() + "Response");
      EXPECT_TRUE(seen.insert(method->input_type()).second);
      EXPECT_TRUE(seen.insert(method->output_type()).second);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PublicApi, DescriptorTest, testing::ValuesIn(PublicFiles()), [](const auto& info) {
  std::string name = Stem(info.param);
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
});

TEST(StreamResponses, CarryTheSameEventInFieldOne) {
  const auto* solve = astrolabe::v1::SolveResponse::descriptor()->FindFieldByNumber(1);
  const auto* watch = astrolabe::v1::WatchJobResponse::descriptor()->FindFieldByNumber(1);
  ASSERT_NE(solve, nullptr);
  ASSERT_NE(watch, nullptr);
  EXPECT_EQ(solve->message_type(), astrolabe::v1::Event::descriptor());
  EXPECT_EQ(watch->message_type(), astrolabe::v1::Event::descriptor());
}

}  // namespace
