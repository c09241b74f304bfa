// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/foreign_metrics.h"

#include <cctype>
#include <string_view>

namespace fathom {

namespace {

struct Word {
  std::string_view text;
  MetricDirection direction;
  bool whole;  // else the beginning of a word is enough: "acc" in "accuracy", "f1" in "f1_macro"
};
constexpr Word kWords[] = {
    {"bleu", MetricDirection::Higher, false},      {"acc", MetricDirection::Higher, false},
    {"exact", MetricDirection::Higher, false},     {"match", MetricDirection::Higher, false},
    {"f1", MetricDirection::Higher, false},        {"em", MetricDirection::Higher, true},
    {"precision", MetricDirection::Higher, true},  {"recall", MetricDirection::Higher, false},
    {"score", MetricDirection::Higher, false},     {"rouge", MetricDirection::Higher, false},
    {"auc", MetricDirection::Higher, true},        {"mrr", MetricDirection::Higher, true},
    {"wps", MetricDirection::Higher, true},        {"loss", MetricDirection::Lower, false},
    {"nll", MetricDirection::Lower, false},        {"ppl", MetricDirection::Lower, false},
    {"perplexity", MetricDirection::Lower, false}, {"err", MetricDirection::Lower, true},
    {"error", MetricDirection::Lower, false},      {"wer", MetricDirection::Lower, true},
    {"cer", MetricDirection::Lower, true},         {"ter", MetricDirection::Lower, true},
    {"mse", MetricDirection::Lower, true},         {"rmse", MetricDirection::Lower, true},
    {"mae", MetricDirection::Lower, true},
};

bool isLetterOrDigit(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool hasWord(std::string_view name, const Word& word) {
  for (std::size_t at = name.find(word.text); at != std::string_view::npos;
       at = name.find(word.text, at + 1)) {
    const std::size_t end = at + word.text.size();
    const bool begins = at == 0 || !isLetterOrDigit(name[at - 1]);
    const bool ends = end == name.size() || !isLetterOrDigit(name[end]);
    if (begins && (ends || !word.whole)) return true;
  }
  return false;
}

// The last words say what it is: "loss/exact_match" is a match.
MetricDirection directionOf(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::size_t slash = lower.find_last_of("./");
  for (const std::size_t from : {slash == std::string::npos ? std::size_t{0} : slash + 1, std::size_t{0}}) {
    for (const Word& word : kWords)
      if (hasWord(std::string_view(lower).substr(from), word)) return word.direction;
  }
  return MetricDirection::None;
}

}  // namespace

Metrics foreignMetrics(const std::vector<std::string>& names) {
  Metrics metrics;
  for (const std::string& name : names) {
    const MetricDirection direction = directionOf(name);
    if (direction != MetricDirection::None) metrics.push_back({.id = name, .direction = direction});
  }
  return metrics;
}

}  // namespace fathom
