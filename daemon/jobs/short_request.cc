#include "daemon/jobs/short_request.h"

#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/run_result.h"

namespace astrolabe::jobs {
namespace {

using internal::v1::ToDaemon;
using internal::v1::ToWorker;

constexpr size_t kMaxCanonicalText = 256 << 10;
constexpr size_t kMaxResponse = 1 << 20;

Error Rejected(const google::protobuf::RepeatedPtrField<v1::Violation>& violations) {
  Error error = MakeError(ErrorCode::kInvalidArgument, "INSTANCE_REJECTED", "");
  for (const v1::Violation& violation : violations) {
    const std::string text = Describe(violation);
    error.violations.push_back({violation.field().empty() ? "instance" : violation.field(), text});
    if (!error.message.empty()) error.message += "; ";
    if (error.message.size() < 4096) error.message += text;
  }
  return error;
}

// What all have: the caller, and the three ways in which a worker answers.
template <typename Response>
class Base : public ShortRequest {
 public:
  using Done = std::function<void(Result<Response>)>;
  explicit Base(Done done) : done_(std::move(done)) {}

  void Fail(Error error) override { Tell(std::move(error)); }

 protected:
  // `frame`: ValidateDone, EvaluateDone or CheckPathDone.
  template <typename DoneFrame>
  void TellOf(DoneFrame& frame) {
    if (frame.has_failure()) return Tell(FailedPlugin(frame.failure()));
    if (frame.violations_size() > 0) return Tell(Rejected(frame.violations()));
    Tell(std::move(*frame.mutable_response()));
  }

 private:
  void Tell(Result<Response> result) { std::exchange(done_, nullptr)(std::move(result)); }

  Done done_;
};

class Validation final : public Base<v1::ValidateInstanceResponse> {
 public:
  Validation(v1::InstanceRef instance, Done done) : Base(std::move(done)), instance_(std::move(instance)) {}

  const char* what() const override { return "validation"; }
  const char* timeout_reason() const override { return "VALIDATE_TIMEOUT"; }
  std::chrono::seconds time_limit() const override { return std::chrono::seconds(10); }

  ToWorker Frame(std::span<const workers::PluginFile> files) const override {
    ToWorker frame;
    frame.mutable_validate()->set_request(1);
    *frame.mutable_validate()->mutable_instance() = instance_;
    for (const workers::PluginFile& file : files) *frame.mutable_validate()->add_plugins() = ToProto(file);
    return frame;
  }

  bool IsAnswer(const ToDaemon& message) const override { return message.has_validated(); }

  void Answer(ToDaemon message) override {
    v1::ValidateInstanceResponse* response = message.mutable_validated()->mutable_response();
    if (response->canonical_text().size() > kMaxCanonicalText) response->clear_canonical_text();
    TellOf(*message.mutable_validated());
  }

 private:
  const v1::InstanceRef instance_;
};

class Evaluation final : public Base<v1::EvaluateStatesResponse> {
 public:
  Evaluation(v1::EvaluateStatesRequest request, Done done) : Base(std::move(done)), request_(std::move(request)) {}

  const char* what() const override { return "evaluation"; }
  const char* timeout_reason() const override { return "EVALUATE_TIMEOUT"; }
  // Heuristics are built in it.
  std::chrono::seconds time_limit() const override { return std::chrono::seconds(20); }

  ToWorker Frame(std::span<const workers::PluginFile> files) const override {
    ToWorker frame;
    frame.mutable_evaluate()->set_request(1);
    *frame.mutable_evaluate()->mutable_evaluate() = request_;
    for (const workers::PluginFile& file : files) *frame.mutable_evaluate()->add_plugins() = ToProto(file);
    return frame;
  }

  bool IsAnswer(const ToDaemon& message) const override { return message.has_evaluated(); }

  void Answer(ToDaemon message) override {
    // A worker keeps to this; but it is not trusted.
    if (message.evaluated().response().ByteSizeLong() > kMaxResponse) {
      return Fail(MakeError(ErrorCode::kInternal, "RESPONSE_TOO_LARGE", "the worker's answer is above 1 MiB"));
    }
    TellOf(*message.mutable_evaluated());
  }

 private:
  const v1::EvaluateStatesRequest request_;
};

class PathValidation final : public Base<v1::ValidatePathResponse> {
 public:
  PathValidation(v1::InstanceRef instance, std::function<void()> wanted, Done done)
      : Base(std::move(done)), instance_(std::move(instance)), wanted_(std::move(wanted)) {}

  const char* what() const override { return "path check"; }
  const char* timeout_reason() const override { return "PATH_TIMEOUT"; }
  // The client sends the path in it.
  std::chrono::seconds time_limit() const override { return std::chrono::seconds(60); }

  ToWorker Frame(std::span<const workers::PluginFile> files) const override {
    ToWorker frame;
    frame.mutable_check_path()->set_request(1);
    *frame.mutable_check_path()->mutable_instance() = instance_;
    for (const workers::PluginFile& file : files) *frame.mutable_check_path()->add_plugins() = ToProto(file);
    return frame;
  }

  bool IsAnswer(const ToDaemon& message) const override { return message.has_path_checked(); }

  bool WaitsForClient(const ToDaemon& message) const override { return message.has_path_wanted(); }

  void OnMessage(const ToDaemon& message) override {
    if (message.has_path_wanted()) wanted_();
  }

  void Answer(ToDaemon message) override {
    // A worker keeps to this; but it is not trusted.
    if (message.path_checked().response().ByteSizeLong() > kMaxResponse) {
      return Fail(MakeError(ErrorCode::kInternal, "RESPONSE_TOO_LARGE", "the worker's answer is above 1 MiB"));
    }
    TellOf(*message.mutable_path_checked());
  }

 private:
  const v1::InstanceRef instance_;
  const std::function<void()> wanted_;
};

}  // namespace

std::shared_ptr<ShortRequest> PathRequest(v1::InstanceRef instance, std::function<void()> wanted,
                                          std::function<void(Result<v1::ValidatePathResponse>)> done) {
  return std::make_shared<PathValidation>(std::move(instance), std::move(wanted), std::move(done));
}

std::shared_ptr<ShortRequest> ValidateRequest(v1::InstanceRef instance,
                                              std::function<void(Result<v1::ValidateInstanceResponse>)> done) {
  return std::make_shared<Validation>(std::move(instance), std::move(done));
}

std::shared_ptr<ShortRequest> EvaluateRequest(v1::EvaluateStatesRequest request,
                                              std::function<void(Result<v1::EvaluateStatesResponse>)> done) {
  return std::make_shared<Evaluation>(std::move(request), std::move(done));
}

Error FailedPlugin(const v1::PluginFailure& failure) {
  Error error = MakeError(ErrorCode::kFailedPrecondition, "PLUGIN_FAILED", Sentence(failure));
  error.metadata = {{"plugin", failure.plugin()}, {"stage", failure.stage()}, {"code", failure.code()}};
  if (failure.signal() != 0) {
    error.metadata["signal"] = std::to_string(failure.signal());
    error.metadata["signal_name"] = failure.signal_name();
  }
  return error;
}

std::string Describe(const v1::Violation& violation) {
  std::string out;
  if (violation.line() > 0) out += "line " + std::to_string(violation.line());
  if (violation.line() > 0 && violation.column() > 0) out += ", column " + std::to_string(violation.column());
  if (!out.empty()) out += ": ";
  out += violation.message();
  std::string more;
  if (!violation.expected().empty()) more = "expected " + violation.expected();
  if (!violation.hint().empty()) more += (more.empty() ? "" : "; ") + violation.hint();
  if (!more.empty()) out += " (" + more + ")";
  return out;
}

}  // namespace astrolabe::jobs
