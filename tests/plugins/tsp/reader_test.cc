// TSPLIB text to cities: every spelling, every fault with its place, and the rounding.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "functions.h"

namespace tsp {
namespace {

using astro::testing::FakeHost;
using astro::testing::Fault;
using astro::testing::ProblemUnderTest;

constexpr std::string_view kThree =
    "TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 1.5 2\n3 10 -2.5\nEOF\n";

std::string Canonical(std::string_view text) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, text);
  return problem.ok() ? problem.CanonicalText() : problem.faults.Text();
}

std::vector<Fault> FaultsOf(std::string_view text) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, text);
  EXPECT_EQ(problem.status(), ASTRO_INVALID) << text;
  return problem.faults.list;
}

std::string Faults(std::string_view text) {
  std::string faults;
  for (const Fault& fault : FaultsOf(text)) {
    EXPECT_FALSE(fault.expected.empty()) << fault.message;
    faults += std::to_string(fault.line) + ":" + std::to_string(fault.column) + " " + fault.message + "\n";
  }
  return faults;
}

// The text with one piece replaced.
std::string With(std::string_view piece, std::string_view other) {
  std::string text(kThree);
  const size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), other);
}

TEST(TsplibReader, ReadsEverySpelling) {
  for (const std::string& text : {
           std::string(kThree),
           With("EOF\n", ""),
           With("TYPE : TSP\n",
                "NAME : three\nCOMMENT : 3 cities (nobody: 2026)\nNODE_COORD_TYPE : TWOD_COORDS\n"
                "DISPLAY_DATA_TYPE : COORD_DISPLAY\n"),
           With("DIMENSION : 3", "DIMENSION: 3"),
           With("DIMENSION : 3", "DIMENSION 3"),
           With("1 0 0\n2 1.5 2\n", " 2 +1.5e0 2.0\r\n\n1 0.0 0e5  # the first\n"),
       }) {
    EXPECT_EQ(Canonical(text), kThree) << text;
  }
  EXPECT_EQ(Canonical(With("NODE_COORD_SECTION\n", "NODE_COORD_SECTION ")), kThree);
  EXPECT_EQ(Canonical(With("NODE_COORD_SECTION\n", "NODE_COORD_SECTION : ")), kThree);
  EXPECT_EQ(Canonical(With("TYPE : TSP", "TYPE : TSP (somebody)")), kThree);
  const std::string tour = With("EOF", "TOUR_SECTION\n1 2 3\n-1\nEOF");
  EXPECT_EQ(Canonical(tour), tour);
  EXPECT_EQ(Canonical(With("EOF", "TOUR_SECTION\n3\n2\n1\nEOF")), tour);
  EXPECT_EQ(Canonical(With("EOF", "TOUR_SECTION\n1 2 3\n-1\n-1\nEOF")), tour);
  EXPECT_EQ(Canonical(With("EOF", "TOUR_SECTION 1 2\n3 -1\nEOF")), tour);
}

TEST(TsplibReader, RoundsToTheNearestHalvesUp) {
  const std::vector<int32_t> distances = Distances({{0, 0}, {1.5, 2}, {10, -2.5}, {1, 1}});
  // 2.5, 10.31, 1.41; 9.62, 1.12; 9.66
  EXPECT_EQ(distances, (std::vector<int32_t>{0, 3, 10, 1, 3, 0, 10, 1, 10, 10, 0, 10, 1, 1, 10, 0}));
  EXPECT_EQ(Distances({{-1e8, -1e8}, {1e8, 1e8}, {0, 0}})[1], 282842712);
}

TEST(TsplibReader, NamesWhatItDoesNotSupport) {
  EXPECT_EQ(Faults(With("EUC_2D", "GEO")), "3:20 EDGE_WEIGHT_TYPE 'GEO' is not supported\n");
  EXPECT_EQ(FaultsOf(With("EUC_2D", "GEO"))[0].expected, "EUC_2D");
  EXPECT_EQ(Faults(With("TYPE : TSP", "TYPE : ATSP")), "1:8 TYPE 'ATSP' is not supported\n");
  EXPECT_EQ(Faults(With("TYPE : TSP", "CAPACITY : 3")), "1:1 CAPACITY is not supported\n");
  EXPECT_EQ(Faults(With("TYPE : TSP", "EDGE_WEIGHT_FORMAT : FULL_MATRIX")),
            "1:1 EDGE_WEIGHT_FORMAT is not supported\n");
  EXPECT_EQ(Faults(With("TYPE : TSP", "NODE_COORD_TYPE : THREED_COORDS")),
            "1:19 NODE_COORD_TYPE 'THREED_COORDS' is not supported\n");
}

TEST(TsplibReader, NamesWhatIsMissing) {
  EXPECT_EQ(Faults(""), "0:0 the instance is empty\n");
  EXPECT_EQ(Faults("NAME : x\n"),
            "1:1 there is no EDGE_WEIGHT_TYPE\n1:1 there is no DIMENSION\n1:1 there is no NODE_COORD_SECTION\n");
  EXPECT_EQ(Faults(With("DIMENSION : 3", "DIMENSION :")), "2:1 DIMENSION has no value\n8:1 there is no DIMENSION\n");
  EXPECT_EQ(Faults(With("3 10 -2.5\n", "")), "4:1 2 cities, and DIMENSION says 3\n");
  EXPECT_EQ(Faults(With("EOF", "TOUR_SECTION\n1 2\n-1")), "8:1 a tour of 2 of 3 cities\n");
}

TEST(TsplibReader, NamesWhatIsWrong) {
  EXPECT_EQ(Faults(With("DIMENSION : 3", "DIMENSION : 2")), "2:13 2 cities\n");
  EXPECT_EQ(Faults(With("DIMENSION : 3", "DIMENSION : 1")), "2:13 1 city\n");
  EXPECT_EQ(Faults(With("DIMENSION : 3", "DIMENSION : 501")), "2:13 501 cities\n");
  EXPECT_EQ(Faults(With("DIMENSION : 3", "DIMENSION : three")), "2:13 'three' is no number\n");
  EXPECT_EQ(Faults(With("DIMENSION : 3", "DIMENSION : 3\nDIMENSION : 3")), "3:1 DIMENSION twice\n");
  EXPECT_EQ(Faults(With("DIMENSION : 3", "DIMENSION : 3 4")), "2:15 a second value, '4', for DIMENSION\n");
  EXPECT_EQ(Faults(With("EUC_2D", "EUC_2D GEO")), "3:27 a second value, 'GEO', for EDGE_WEIGHT_TYPE\n");
  EXPECT_EQ(Faults(With("DIMENSION : 3", "DIMENSION : 99999999999999999999")),
            "2:13 '99999999999999999999' is out of range\n");
  EXPECT_EQ(Faults(With("1 0 0", "1 0 1e400")), "5:5 '1e400' is out of range\n");
  EXPECT_EQ(Faults(With("1 0 0", "1 0 +-5")), "5:5 '+-5' is no number\n");
  EXPECT_EQ(Faults(With("NODE_COORD_SECTION", "NODE_COORD_SECTION 1 0")),
            "4:20 a city has a number and two coordinates\n");
  EXPECT_EQ(Faults(With("EOF", "EOF more")), "8:5 text after EOF\n");
  EXPECT_EQ(Faults(With("1 0 0", "1 0")), "5:1 a city has a number and two coordinates\n");
  EXPECT_EQ(Faults(With("1 0 0", "1 0 0 0")), "5:1 a city has a number and two coordinates\n");
  EXPECT_EQ(Faults(With("1 0 0", "1 0 1e9")), "5:5 '1e9' is too far away\n");
  EXPECT_EQ(Faults(With("1 0 0", "1 0 nan")), "5:5 'nan' is no number\n");
  EXPECT_EQ(Faults(With("1 0 0", "1 0 0x")), "5:5 '0x' is no number\n");
  EXPECT_EQ(Faults(With("1 0 0", "1.5 0 0")), "5:1 '1.5' is no city number\n");
  EXPECT_EQ(Faults(With("3 10", "4 10")), "7:1 city 4 of 3\n");
  EXPECT_EQ(Faults(With("3 10", "2 10")), "7:1 city 2 comes a second time\n");
  EXPECT_EQ(Faults(With("EOF", "EOF\nmore\nand more")), "9:1 text after EOF\n");
  EXPECT_EQ(Faults(With("TYPE", "7 TYPE")), "1:1 '7' begins no line of a TSPLIB file\n");
  EXPECT_EQ(Faults(With("EOF", "TOUR_SECTION\n1 2 2 9 x")),
            "9:5 city 2 comes a second time\n9:7 '9' is no city\n9:9 'x' is no city\n");
  EXPECT_EQ(Faults(With("EOF", "TOUR_SECTION\n1 2 -1 3")), "9:5 '-1' is no city\n");
}

}  // namespace
}  // namespace tsp
