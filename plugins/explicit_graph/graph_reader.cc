#include "plugins/explicit_graph/graph_reader.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "plugins/explicit_graph/line_reader.h"
#include "plugins/explicit_graph/nearest.h"
#include "plugins/explicit_graph/numbers.h"

namespace explicit_graph {
namespace {

constexpr uint64_t kMaxArcs = UINT32_MAX - 1;  // operators are 32 bits wide, and one means "none"
constexpr uint32_t kMaxDegree = 1u << 24;      // the ABI's bound of operators of a state
constexpr int kMaxHints = 10;                  // each looks through all names

constexpr std::string_view kKeywords[] = {"directed", "undirected", "node", "edge", "start", "goal"};

bool IsKeyword(std::string_view word) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

class Reader {
 public:
  Reader(const ReadOptions& options, astro::Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics), names_(std::make_shared<NameTable>()) {}

  std::optional<GraphData> Read(std::string_view text) {
    LineReader lines(text);
    Line line;
    bool empty = true;
    while (lines.Next(line)) {
      if (empty) keywords_ = IsKeyword(line.words[0].text);
      empty = false;
      if (keywords_) {
        KeywordLine(line);
      } else {
        EdgeLine(line, 0, "FROM TO, or FROM TO COST");
      }
    }
    if (empty) {
      diagnostics_.Error("instance").Message("the instance is empty").Expected("a graph, for example edge A B 3");
      return std::nullopt;
    }
    CheckDeclared();
    CheckCosts();
    ChooseDirection();
    FindStart();
    FindGoals();
    if (diagnostics_.errors() > 0) return std::nullopt;
    return Build();
  }

 private:
  // Where a name was seen first.
  struct Place {
    uint32_t line = 0;
    uint32_t column = 0;
  };

  void KeywordLine(const Line& line) {
    const std::string_view keyword = line.words[0].text;
    if (keyword == "edge") {
      EdgeLine(line, 1, "edge FROM TO COST");
    } else if (keyword == "node") {
      NodeLine(line);
    } else if (keyword == "start") {
      if (!HasWords(line, 2, 2, "start NAME")) return;
      if (start_) Error(line.words[0]).Message("a second start").Expected("one line start");
      start_ = line.words[1];
    } else if (keyword == "goal") {
      if (HasWords(line, 2, 2, "goal NAME")) goals_.push_back(line.words[1]);
    } else if (keyword == "directed" || keyword == "undirected") {
      if (!HasWords(line, 1, 1, std::string(keyword) + " alone in its line")) return;
      if (undirected_) Error(line.words[0]).Message("directed or undirected is said a second time").Expected("it once");
      undirected_ = keyword == "undirected";
      direction_ = line.words[0];
    } else {
      Error(line.words[0])
          .Message(astro::Quoted(keyword) + " begins no line of a graph")
          .Expected("directed, undirected, node, edge, start or goal")
          .Hint("a list of edges without keywords has FROM TO COST in every line, the first one too");
    }
  }

  void NodeLine(const Line& line) {
    const std::string expected = "node NAME, or node NAME h VALUE";
    const bool has_h = line.count == 4 && line.words[2].text == "h";
    if (line.count != 2 && !has_h) {
      WrongLine(line, expected);
      return;
    }
    const uint32_t node = Intern(line.words[1]);
    if (declared_[node] != 0) {
      Error(line.words[1])
          .Message("node " + astro::Quoted(line.words[1].text) + " twice")
          .Expected("one line for each node")
          .Hint("the first one is in line " + std::to_string(declared_[node]));
    }
    declared_[node] = line.number;
    any_declared_ = true;
    if (!has_h) return;
    const std::optional<int64_t> h = ReadNumber(line.words[3], "h", diagnostics_);
    any_h_ = true;
    h_.resize(names_->size(), 0);
    h_[node] = h.value_or(0);
  }

  // FROM TO COST behind `skip` words.
  void EdgeLine(const Line& line, size_t skip, const std::string& expected) {
    if (!HasWords(line, skip + 2, skip + 3, expected)) return;
    Edge edge = {Intern(line.words[skip]), Intern(line.words[skip + 1]), 1};
    if (line.count == skip + 3) {
      const Word& word = line.words[skip + 2];
      const std::optional<int64_t> cost = ReadNumber(word, "cost", diagnostics_);
      if (!cost) return;
      edge.cost = *cost;
      if (edge.cost > max_cost_) {
        max_cost_ = edge.cost;
        dearest_ = word;
      }
    }
    edges_.push_back(edge);
  }

  uint32_t Intern(const Word& word) {
    const uint32_t node = names_->Add(word.text);
    if (node == declared_.size()) {
      declared_.push_back(0);
      seen_.push_back({word.line, word.column});
    }
    return node;
  }

  bool HasWords(const Line& line, size_t least, size_t most, const std::string& expected) {
    if (line.count >= least && line.count <= most) return true;
    WrongLine(line, expected);
    return false;
  }
  void WrongLine(const Line& line, const std::string& expected) {
    Error(line.words[0])
        .Message("this line is not complete, or has words too many")
        .Expected(expected)
        .Hint(keywords_ ? "" : "a graph with keywords begins with directed, undirected, node, edge, start or goal");
  }

  // With node lines every node has one: a misspelt name must not become a node of its own.
  void CheckDeclared() {
    if (!any_declared_) return;
    for (uint32_t node = 0; node < declared_.size(); ++node) {
      if (declared_[node] == 0) UnknownNode("instance", seen_[node], names_->name(node), "a node line for it");
    }
  }

  void CheckCosts() {
    if (max_cost_ <= kLargest / std::max<int64_t>(names_->size(), 1)) return;
    Error(dearest_)
        .Message("cost " + std::to_string(max_cost_) + " is too large for " + std::to_string(names_->size()) + " nodes")
        .Expected("number of nodes times largest cost at most " + std::to_string(kLargest));
  }

  void ChooseDirection() {
    if (undirected_ && options_.directed && *undirected_ == *options_.directed) {
      diagnostics_.Error("params.directed")
          .Message("the instance says " + std::string(direction_.text) + " in line " + std::to_string(direction_.line))
          .Expected("the same, or nothing")
          .Hint("leave out the parameter directed");
    }
    if (!undirected_) undirected_ = options_.directed && !*options_.directed;
  }

  void FindStart() {
    if (options_.start) {
      const std::vector<Word> words = Split(*options_.start);
      if (words.size() == 1) {
        if (const auto node = Find("params.start", {}, words[0].text)) data_.start = *node;
      } else {
        diagnostics_.Error("params.start")
            .Message(words.empty() ? "an empty name" : "several names")
            .Expected("the name of one node");
      }
    } else if (start_) {
      if (const auto node = Find("instance", {start_->line, start_->column}, start_->text)) data_.start = *node;
    } else {
      Missing("start");
    }
  }

  void FindGoals() {
    if (options_.goal) {
      const std::vector<Word> words = Split(*options_.goal);
      for (const Word& word : words) AddGoal("params.goal", {}, word.text);
      if (words.empty()) diagnostics_.Error("params.goal").Message("an empty name").Expected("the name of a node");
    } else if (!goals_.empty()) {
      for (const Word& word : goals_) AddGoal("instance", {word.line, word.column}, word.text);
    } else {
      Missing("goal");
    }
    std::sort(data_.goals.begin(), data_.goals.end());
    data_.goals.erase(std::unique(data_.goals.begin(), data_.goals.end()), data_.goals.end());
  }
  void AddGoal(std::string_view field, Place place, std::string_view name) {
    if (const auto node = Find(field, place, name)) data_.goals.push_back(*node);
  }

  void Missing(const std::string& what) {
    diagnostics_.Error("instance")
        .Message("there is no " + what)
        .Expected(keywords_ ? "a line " + what + " NAME, or the parameter " + what : "the parameter " + what);
  }

  std::optional<uint32_t> Find(std::string_view field, Place place, std::string_view name) {
    const std::optional<uint32_t> node = names_->Find(name);
    // One that only an edge names was told by CheckDeclared.
    if (!node) UnknownNode(field, place, name, "a node of this graph");
    return node;
  }
  void UnknownNode(std::string_view field, Place place, std::string_view name, const std::string& expected) {
    std::string hint = hints_ < kMaxHints ? DidYouMean(name, *names_) : "";
    if (!hint.empty()) ++hints_;
    diagnostics_.Error(std::string(field), place.line, place.column)
        .Message("unknown node " + astro::Quoted(name))
        .Expected(expected)
        .Hint(std::move(hint));
  }

  static std::vector<Word> Split(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    std::vector<Word> words;
    for (size_t at = text.find_first_not_of(kBlanks); at != text.npos; at = text.find_first_not_of(kBlanks, at)) {
      const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
      words.push_back({text.substr(at, end - at)});
      at = end;
    }
    return words;
  }

  std::optional<GraphData> Build() {
    if (edges_.size() > kMaxArcs / (*undirected_ ? 2 : 1)) {
      diagnostics_.Error("instance")
          .Message("too many edges")
          .Expected("at most " + std::to_string(kMaxArcs) + " arcs");
      return std::nullopt;
    }
    data_.undirected = *undirected_;
    Adjacency arcs =
        *undirected_ ? Adjacency::Undirected(names_->size(), edges_) : Adjacency::Directed(names_->size(), edges_);
    for (uint32_t node = 0; node < arcs.nodes(); ++node) {
      const uint32_t degree = arcs.first[node + 1] - arcs.first[node];
      if (degree <= kMaxDegree) continue;
      diagnostics_.Error("instance")
          .Message("node " + astro::Quoted(names_->name(node)) + " has " + std::to_string(degree) + " edges")
          .Expected("at most " + std::to_string(kMaxDegree) + " at one node");
    }
    if (diagnostics_.errors() > 0) return std::nullopt;
    if (any_h_) h_.resize(names_->size(), 0);
    data_.h = std::move(h_);
    data_.arcs = std::make_shared<const Adjacency>(std::move(arcs));
    data_.names = std::move(names_);
    return std::move(data_);
  }

  astro::Diagnostic Error(const Word& word) { return diagnostics_.Error("instance", word.line, word.column); }

  const ReadOptions& options_;
  astro::Diagnostics& diagnostics_;
  bool keywords_ = true;

  std::shared_ptr<NameTable> names_;
  std::vector<uint32_t> declared_;  // line of each node's own line; 0: none
  std::vector<Place> seen_;         // of each node
  bool any_declared_ = false;
  std::vector<int64_t> h_;
  bool any_h_ = false;
  std::vector<Edge> edges_;
  int64_t max_cost_ = 1;
  Word dearest_;
  std::optional<bool> undirected_;
  Word direction_;
  std::optional<Word> start_;
  std::vector<Word> goals_;
  int hints_ = 0;
  GraphData data_;
};

}  // namespace

std::optional<GraphData> ReadGraph(std::string_view instance, const ReadOptions& options,
                                   astro::Diagnostics& diagnostics) {
  try {
    return Reader(options, diagnostics).Read(instance);
  } catch (const std::length_error& error) {
    diagnostics.Error("instance").Message(error.what());
    return std::nullopt;
  }
}

}  // namespace explicit_graph
