// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/foreign_metrics.h"

#include <cctype>
#include <string_view>

namespace fathom {

namespace {

// With "*" the beginning of a word is enough: accuracy, f1_macro.
struct Words {
  MetricDirection direction;
  std::vector<std::string_view> words;
};
const Words kWords[] = {
    {MetricDirection::Higher,
     {"bleu*", "acc*", "exact*", "match*", "f1*", "em", "precision", "recall*", "score*", "rouge*", "auc",
      "mrr", "wps"}},
    {MetricDirection::Lower,
     {"loss*", "nll*", "ppl*", "perplexity*", "err", "error*", "wer", "cer", "ter", "mse", "rmse", "mae"}}};

bool hasWord(std::string_view name, std::string_view word) {
  const auto inWord = [&name](std::size_t at) {
    return at < name.size() && std::isalnum(static_cast<unsigned char>(name[at])) != 0;
  };
  const bool whole = !word.ends_with('*');
  if (!whole) word.remove_suffix(1);
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1))
    if ((at == 0 || !inWord(at - 1)) && (!whole || !inWord(at + word.size()))) return true;
  return false;
}

// The last words say what it is: "loss/exact_match" is a match.
MetricDirection directionOf(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::size_t last = lower.find_last_of("./") + 1;  // 0 where there is none
  for (const std::size_t from : {last, std::size_t{0}})
    for (const Words& kind : kWords)
      for (const std::string_view word : kind.words)
        if (hasWord(std::string_view(lower).substr(from), word)) return kind.direction;
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
