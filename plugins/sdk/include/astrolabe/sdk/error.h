// What plugin code throws on purpose. Anything else that is thrown is a fault of the plugin.
#ifndef ASTROLABE_SDK_ERROR_H_
#define ASTROLABE_SDK_ERROR_H_

#include <exception>
#include <string>
#include <utility>

namespace astro {

// From a heuristic's constructor or Build: this instance is right, but cannot be handled.
// `hint` says what to use instead.
class Refused : public std::exception {
 public:
  explicit Refused(std::string message, std::string hint = "") : message_(std::move(message)), hint_(std::move(hint)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& hint() const { return hint_; }

 private:
  std::string message_;
  std::string hint_;
};

// From long work: the host said that the job should stop.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace astro

#endif  // ASTROLABE_SDK_ERROR_H_
