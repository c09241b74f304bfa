// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/long_text_task.h"

#include <algorithm>
#include <span>

#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/utf8.h"
#include "core/tasks/length_statistics.h"

namespace fathom {

std::vector<OptionField> longLengthFields(const std::string& task, const LongLengths& usual,
                                          const std::string& benchmark) {
  const std::string of = " (" + benchmark + ")";
  return inGroup(
      "Batches",
      {integerField(task + ".max_length", "Longest document" + of,
                    "Tokens of the long stream; what does not fit is cut as the paper cuts, and counted.",
                    usual.longs)
           .between(16, 1 << 17)
           .unit("tokens"),
       integerField(task + ".max_globals", "Most global tokens" + of,
                    "Tokens of the global stream; what does not fit is cut, and counted.", usual.globals)
           .between(8, 1 << 14)
           .unit("tokens")});
}

LongLengths longLengths(const OptionValues& values, const std::string& task) {
  return {values.integer(task + ".max_length"), values.integer(task + ".max_globals")};
}

void LongStatistics::add(const LongLayout& layout) {
  m_longs.push_back(static_cast<std::int32_t>(layout.length()));
  m_globals.push_back(static_cast<std::int32_t>(layout.globals()));
}

void LongStatistics::write(Json& part) const {
  part["long"] = lengthStatisticsJson(lengthStatistics(m_longs));
  part["global"] = lengthStatisticsJson(lengthStatistics(m_globals));
}

std::vector<StatisticField> longStatisticFields() {
  using Kind = StatisticField::Kind;
  return {{Kind::Number, "long.mean", "Mean long stream (tokens)", 1, 1},
          {Kind::Number, "long.longest", "Longest long stream"},
          {Kind::Number, "global.mean", "Mean global stream (tokens)", 1, 1},
          {Kind::Number, "global.longest", "Longest global stream"},
          {Kind::Lengths, "long", "Lengths of the long stream"},
          {Kind::Lengths, "global", "Lengths of the global stream"}};
}

Result<Json> freeRecord(const Json& item, std::size_t number,
                        Result<Json> (*ofLine)(const std::string& line, std::size_t number),
                        const char* idKey) {
  Json record = item;
  if (item.is_string()) {
    const std::string line = item.get<std::string>();
    if (!strip(line).starts_with("{")) return ofLine(line, number);
    FATHOM_TRY(record, parseJson(line, "line " + std::to_string(number)));
  }
  if (record.is_object() && !record.contains(idKey)) record[idKey] = std::to_string(number);
  return record;
}

LongTextTask::LongTextTask(TextEncoding encoding, std::int64_t examples, std::uint64_t seed)
    : EncodedTextTask(std::move(encoding), examples, seed), m_pieces(longPiecesOf(this->encoding())) {}

Result<RecordFile> LongTextTask::readPart(DataSplit split, const std::string& path, bool skipBad,
                                          const TaskSetup& setup, const TakeRecord& take) {
  FATHOM_TRY(RecordFile file, readRecordFile({path, skipBad, setup.progress, setup.stop}, take));
  tookFile(split, file.hash, {"records", file.left, file.firstLeft});
  return file;
}

HostBatch LongTextTask::longBatch(std::span<const ExampleId> examples,
                                  const std::vector<const LongLayout*>& rows, LongRowRules rules) const {
  HostBatch batch;
  batch.examples.assign(examples.begin(), examples.end());
  batch.targetUnits = static_cast<std::int64_t>(examples.size());
  rules.pad = m_pieces.pad;
  putLongRows(batch, rows, rules);
  return batch;
}

namespace {

// The pieces that stand at `place` from the first one on, the others left out; "" where none does.
std::string beginningAt(std::span<const std::int32_t> places, std::int32_t place,
                        const std::vector<std::string>& pieces) {
  constexpr std::size_t kMostPieces = 3;
  const auto first =
      static_cast<std::size_t>(std::find(places.begin(), places.end(), place) - places.begin());
  std::string text;
  for (std::size_t i = first; i < places.size() && places[i] == place; ++i) {
    if (i == first + kMostPieces) return text + " …";
    const bool joined = pieces[i].starts_with("##");
    text += (i == first || joined ? "" : " ") + (joined && i > first ? pieces[i].substr(2) : pieces[i]);
  }
  return text;
}

}  // namespace

// A global token is called by what it stands for: how its sentence or paragraph begins, else its own piece.
TokenRows LongTextTask::pieces(const HostBatch& batch, std::int64_t row) const {
  TokenRow longs = pieceTexts(batch, row, encoding()), global;
  const auto placesOf = [&](const char* name) {
    const HostArray& all = batch.array(name);
    const auto width = static_cast<std::size_t>(all.size(1));
    return std::span(all.values<std::int32_t>()).subspan(static_cast<std::size_t>(row) * width, width);
  };
  const auto sentences = placesOf("sentence"), paragraphs = placesOf("paragraph");
  std::int32_t place = 0;
  for (const std::int64_t id : rowOf(batch.array("global_tokens"), row)) {
    std::string text = beginningAt(sentences, place, longs.texts);
    if (text.empty())
      if (const std::string paragraph = beginningAt(paragraphs, place, longs.texts); !paragraph.empty())
        text = "¶ " + paragraph;
    global.texts.push_back(text.empty() ? encoding().piece(id) : text);
    ++place;
  }
  return {{"encoder", std::move(longs)}, {"global", std::move(global)}};
}

}  // namespace fathom
