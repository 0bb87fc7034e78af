#include "astrolabe/sdk/json_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"

namespace {

using astro::Word;
using astro::testing::Faults;

// Reads {"name": text, "rows": [[..], ..]}; "name(row row)", or the faults.
std::string Read(std::string_view text) {
  Faults faults;
  std::string name;
  std::string rows;
  bool read = false;
  {
    astro::Diagnostics diagnostics(faults.get());
    astro::JsonReader json(text, "instance", diagnostics);
    read = json.Object("an object", "name or rows",
                       [&](const Word& key) {
                         if (key.text == "name") {
                           Word word;
                           if (!json.Scalar(word, "a name")) return false;
                           name = word.text;
                           return true;
                         }
                         if (key.text != "rows") json.Fault(key, "unknown member", "name or rows", "look");
                         return json.List("a list of rows", [&] {
                           rows += rows.empty() ? "" : " ";
                           return json.List("a row", [&] {
                             Word word;
                             if (!json.Scalar(word, "a number")) return false;
                             rows += word.text;
                             return true;
                           });
                         });
                       }) &&
           json.End() && json.ok();
    EXPECT_EQ(read, diagnostics.errors() == 0);
  }
  return read ? name + "(" + rows + ")" : faults.Text();
}

TEST(JsonReader, ReadsAsTheCallerSays) {
  EXPECT_EQ(Read(R"({"name": "x", "rows": [[1, 2], [], [30]]})"), "x(12  30)");
  EXPECT_EQ(Read(R"({})"), "()");
  EXPECT_EQ(Read("\xEF\xBB\xBF # first\n{ # the name\r\n\"name\"\t:\nnull # last\n,\"rows\":[[-1.5e3]]}\n"),
            "null(-1.5e3)");
}

TEST(JsonReader, SaysWhereTheSyntaxIsWrong) {
  EXPECT_EQ(Read(""), "1:1 the JSON ends early\n");
  EXPECT_EQ(Read("[]"), "1:1 '[' in JSON\n");
  EXPECT_EQ(Read("{\"rows\": [[1,\n2"), "2:2 the JSON ends early\n");
  EXPECT_EQ(Read("{\"rows\": [[1,\r2"), "2:2 the JSON ends early\n");
  EXPECT_EQ(Read("{\"rows\": [[1 2]]}"), "1:14 '2' in JSON\n");
  EXPECT_EQ(Read("{\"rows\": [[1],]}"), "1:15 ']' in JSON\n");
  EXPECT_EQ(Read("{\"rows\" [[1]]}"), "1:9 '[' in JSON\n");
  EXPECT_EQ(Read("{rows: [[1]]}"), "1:2 'r' in JSON\n");
  EXPECT_EQ(Read("{\"name\": \"a\nb\"}"), "1:12 '\\x0A' in JSON\n");
  EXPECT_EQ(Read("{\"name\": \"a\\n\"}"), "1:12 '\\' in JSON\n");
  EXPECT_EQ(Read("{} {}"), "1:4 text after the end of the JSON\n");
}

TEST(JsonReader, GoesOnAfterAFaultThatIsNoneOfSyntax) {
  EXPECT_EQ(Read(R"({"row": [[1]], "col": [[2]])"
                 "\n x"),
            "1:2 unknown member\n1:16 unknown member\n2:2 'x' in JSON\n");
}

TEST(LooksLikeJson, IsDecidedByTheFirstCharacterThatCounts) {
  EXPECT_TRUE(astro::LooksLikeJson("\xEF\xBB\xBF\r\n \t[1]"));
  EXPECT_TRUE(astro::LooksLikeJson("# not [ this\n{\"a\": 1}"));
  EXPECT_FALSE(astro::LooksLikeJson("1 [2]"));
  EXPECT_FALSE(astro::LooksLikeJson("# [1]\n"));
  EXPECT_FALSE(astro::LooksLikeJson(""));
}

}  // namespace
