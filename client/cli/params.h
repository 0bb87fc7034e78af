// Parameters as they are typed on the command line: ID[@WEIGHT][:name=value,...] and name=value.
#ifndef ASTROLABE_CLIENT_CLI_PARAMS_H_
#define ASTROLABE_CLIENT_CLI_PARAMS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "astrolabe/client/catalog.h"
#include "astrolabe/client/job.h"

namespace astrolabe::cli {

using RawParams = std::vector<std::pair<std::string, std::string>>;

// An id with its parameters before their types are known.
struct RawUse {
  std::string id;
  std::optional<client::Rational> weight;
  RawParams params;
};

// "pdb@1/2:pattern=1-5,cache=true". A comma or backslash inside a value is written \, or \\.
// The weight is a ratio or a decimal number, taken exactly. INVALID_ARGUMENT says what was expected.
absl::StatusOr<RawUse> ParseUse(std::string_view text);

// "name=value" of --param.
absl::StatusOr<std::pair<std::string, std::string>> ParseParam(std::string_view text);

// A word --NAME or --NAME=VALUE that is no option of the command: perhaps a parameter of the problem.
struct ParamFlag {
  std::string name;
  std::optional<std::string> value;
  std::string near_option;  // the option that it may be a slip of; empty: none
};

// "--symmetric", "--start=0 1 2". Empty: not of that form.
std::optional<ParamFlag> ParseParamFlag(std::string_view word);

// The parameters that are meant, as they would stand after --param. A dash may stand for _; what is on or off needs no
// value, and is off with no- before its name. A usage fault when there is none of that name, INVALID_ARGUMENT when it
// needs a value. `owner` is what messages name.
absl::StatusOr<RawParams> ResolveFlags(const std::vector<ParamFlag>& flags, const std::vector<client::ParamSpec>& specs,
                                       const std::string& owner);

// How a parameter may be given as a flag: "--symmetric, --no-symmetric", "--start=VALUE".
std::string FlagForm(const client::ParamSpec& spec);

// Gives each value the type that its ParamSpec declares; what is on or off may be true or false as well, and yes or no.
// All faults in one INVALID_ARGUMENT: unknown names (with the
// known ones), values of the wrong type, outside min..max or not among the choices. `owner` is what messages name.
absl::StatusOr<client::Params> TypeParams(const RawParams& raw, const std::vector<client::ParamSpec>& specs,
                                          const std::string& owner);

// "a whole number from 1 to 8", "one of max, sum": what a value must be, for messages and `describe`.
std::string Expectation(const client::ParamSpec& spec);

// As it would be typed.
std::string FormatParam(const client::ParamValue& value);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_PARAMS_H_
