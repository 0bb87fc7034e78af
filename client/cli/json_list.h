#ifndef ASTROLABE_CLIENT_CLI_JSON_LIST_H_
#define ASTROLABE_CLIENT_CLI_JSON_LIST_H_

#include <string>
#include <vector>

#include "astrolabe/client/json.h"
#include "client/cli/session.h"

namespace astrolabe::cli {

// A list in the session's JSON form: an array, or with ndjson one object a line.
template <typename Item>
void PrintJsonList(const Session& session, const std::vector<Item>& items) {
  const bool lines = session.form == OutputForm::kNdjson;
  std::string text = lines ? "" : "[";
  for (const Item& item : items) {
    if (!lines && &item != &items.front()) text += ",";
    text += client::ToJson(item);
    if (lines) text += "\n";
  }
  Print(text + (lines ? "" : "]\n"));
}

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_JSON_LIST_H_
