// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/openkp/openkp_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/base/text/text_list.h"
#include "core/tasks/long_text/record_fields.h"
#include "core/text/lower_case.h"

namespace fathom {

namespace {

constexpr std::size_t kFeatures = 20, kOfParent = 10;

std::string joinedWords(const std::vector<std::string>& words, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = first; i < first + count; ++i) text += (i > first ? " " : "") + words[i];
  return toLowerCase(text);
}

Result<OpenKpRecord::Block> blockOf(const RecordFields& fields, const Json& json) {
  if (!json.is_object() || !json.value("text", Json()).is_string())
    return fields.wrong("VDOM", Phrase::tr("has a block without text"));
  OpenKpRecord::Block block{json.at("text").get<std::string>(), {}};
  const Json features = json.value("feature", Json());
  if (!features.is_array() || features.size() != kFeatures)
    return fields.wrong(
        "VDOM", Phrase::tr("a block needs %1 numbers as its feature")(static_cast<std::int64_t>(kFeatures)));
  for (const Json& one : features) {
    if (!one.is_number() || !std::isfinite(one.get<double>()))
      return fields.wrong("VDOM", Phrase::tr("a feature is not a finite number"));
    block.feature.push_back(one.get<double>());
  }
  return block;
}

// x, y, width and height clipped and brought to [-1, 1]; the record has x, width, y, height.
void addVisual(const std::vector<double>& feature, std::size_t first, double* to) {
  const auto scaled = [](double value, double low, double high) {
    return 2 * (std::clamp(value, low, high) - low) / (high - low) - 1;
  };
  to[0] = scaled(feature[first], -50, 1500);
  to[1] = scaled(feature[first + 2], -50, 6000);
  to[2] = scaled(feature[first + 1], 0, 1500);
  to[3] = scaled(feature[first + 3], 0, 18000);
}

}  // namespace

Result<OpenKpRecord> openKpRecord(const Json& json, const std::string& place, bool answered) {
  const RecordFields fields(json, place);
  OpenKpRecord record;
  FATHOM_TRY(record.url, fields.text("url"));
  Json blocks;
  if (fields.has("VDOM") && json.at("VDOM").is_string()) {  // as released: a text that is JSON
    FATHOM_TRY(blocks, parseJson(json.at("VDOM").get<std::string>(), place + ": 'VDOM'"));
    if (!blocks.is_array()) return fields.wrong("VDOM", Phrase::tr("is not a list"));
  } else {
    FATHOM_TRY(blocks, fields.list("VDOM"));
  }
  for (const Json& one : blocks) {
    FATHOM_TRY(auto block, blockOf(fields, one));
    record.blocks.push_back(std::move(block));
  }
  if (record.blocks.empty()) return fields.wrong("VDOM", Phrase::tr("there is no block"));
  if (!answered) return record;
  FATHOM_TRY(const Json phrases, fields.list("KeyPhrases"));
  for (const Json& phrase : phrases) {
    if (!phrase.is_array() || phrase.empty() ||
        !std::all_of(phrase.begin(), phrase.end(), [](const Json& word) { return word.is_string(); }))
      return fields.wrong("KeyPhrases", Phrase::tr("is not a list of lists of words"));
    record.phrases.push_back(phrase.get<std::vector<std::string>>());
  }
  return record;
}

OpenKpExample layOpenKp(const OpenKpRecord& record, const LongPieces& pieces, const OpenKpLimits& limits) {
  OpenKpExample example;
  LongLayout& layout = example.layout;
  std::vector<std::pair<std::size_t, std::size_t>> spans;  // words of each block: first, count
  for (const OpenKpRecord::Block& block : record.blocks) {
    const std::vector<std::string_view> words = splitAt(block.text, ' ');
    std::vector<std::vector<std::int64_t>> ids;
    std::int64_t count = 0;
    for (const std::string_view word : words) {
      ids.push_back(pieces.encode(word));
      count += static_cast<std::int64_t>(ids.back().size());
    }
    // Words without pieces count: an n-gram has a place among as many words as there are long tokens.
    const auto all = static_cast<std::int64_t>(example.words.size() + words.size());
    if (layout.length() + count > limits.longLength || all > limits.longLength ||
        layout.globals() + 1 > limits.globalLength)
      break;
    const std::int32_t place = layout.addGlobal(pieces.sentence, LongTypes::kGlobal, GlobalKind::Sentence);
    spans.emplace_back(example.words.size(), words.size());
    for (std::size_t w = 0; w < words.size(); ++w)
      for (const std::int64_t id : ids[w])
        layout.addLong(id, LongTypes::kText, place, -1, static_cast<std::int32_t>(example.words.size() + w));
    example.words.insert(example.words.end(), words.begin(), words.end());
    auto& visual = example.visual.emplace_back();
    addVisual(block.feature, 0, visual.data());
    addVisual(block.feature, kOfParent, visual.data() + 4);
    ++example.blocks;
  }
  layout.endContext();
  for (const auto& phrase : record.phrases) {
    const std::string wanted = joinedWords(phrase, 0, phrase.size());
    bool found = phrase.size() > static_cast<std::size_t>(limits.maxPhrase);
    for (const auto& [first, count] : spans) {
      for (std::size_t at = 0; !found && at + phrase.size() <= count; ++at) {
        if (joinedWords(example.words, first + at, phrase.size()) != wanted) continue;
        example.labels[wanted] = {static_cast<std::int64_t>(first + at),
                                  static_cast<std::int64_t>(phrase.size())};
        found = true;
      }
    }
    if (example.labels.count(wanted) == 0) example.missing.push_back(wanted);
  }
  return example;
}

std::vector<std::string> decodeOpenKp(const OpenKpExample& example, const std::vector<double>& logits,
                                      const OpenKpLimits& limits, std::size_t count) {
  std::vector<std::size_t> order;
  const auto length = static_cast<std::size_t>(limits.longLength);
  for (std::size_t cell = 0; cell < logits.size(); ++cell)
    if (cell % length + cell / length + 1 <= example.words.size()) order.push_back(cell);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
  std::vector<std::string> phrases;
  std::set<std::string> seen;
  for (const std::size_t cell : order) {
    const std::string phrase = joinedWords(example.words, cell % length, cell / length + 1);
    if (phrase.empty() || !seen.insert(phrase).second) continue;
    phrases.push_back(phrase);
    if (phrases.size() == count) break;
  }
  return phrases;
}

}  // namespace fathom
