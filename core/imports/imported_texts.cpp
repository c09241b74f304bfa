// SPDX-License-Identifier: Apache-2.0
#include "core/imports/imported_texts.h"

#include <algorithm>
#include <utility>

#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/imports/formats/python_json.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace {

std::size_t bytesOf(const ImportedText& text) {
  constexpr std::size_t kNumber = 16;  // bytes of one in a histogram
  const std::size_t numbers = text.histogram.is_null() ? 0 : 2 * text.histogram["counts"].size();
  return text.text.size() + text.tag.size() + kNumber * numbers;
}

bool allNumbers(const Json& list) {
  return std::all_of(list.begin(), list.end(),
                     [](const Json& value) { return jsonReading(value).has_value(); });
}

}  // namespace

void ImportedTexts::keep(ImportedText text) {
  if (text.text.size() > kMaxImportedText) text.text.resize(kMaxImportedText);
  const std::size_t size = bytesOf(text);
  if (m_pending.empty()) m_bytes = 0;
  if (m_kept >= kMaxImportedTexts || m_bytes + size > kMaxTextsAtATime) {
    ++m_leftOut;
    return;
  }
  ++m_kept;
  m_bytes += size;
  m_pending.push_back(std::move(text));
}

std::vector<ImportedText> ImportedTexts::take() {
  return std::exchange(m_pending, {});
}

Json ImportedTexts::state() const {
  Json pending = Json::array();
  for (const ImportedText& text : m_pending)
    pending.push_back({{"tag", recordText(text.tag)},
                       {"step", text.step},
                       {"time", jsonReal(text.time)},
                       {"text", recordText(text.text)},
                       {"histogram", text.histogram}});
  return {{"kept", m_kept}, {"left_out", m_leftOut}, {"pending", pending}};
}

void ImportedTexts::restore(const Json& state) {
  restoreCounts(memberInteger(state, "kept"), memberInteger(state, "left_out"));
  for (const Json& item : memberList(state, "pending")) {
    ImportedText text{.tag = ofRecord(memberText(item, "tag")),
                      .step = memberReal(item, "step", 0),
                      .time = memberReal(item, "time", kNaN),
                      .text = ofRecord(memberText(item, "text"))};
    if (const auto found = item.find("histogram"); found != item.end()) text.histogram = *found;
    m_bytes += bytesOf(text);
    m_pending.push_back(std::move(text));
  }
}

void ImportedTexts::restoreCounts(std::int64_t kept, std::int64_t leftOut) {
  m_kept = kept;
  m_leftOut = leftOut;
}

void warnOfTexts(std::int64_t kept, std::int64_t leftOut, std::vector<Phrase>& warnings) {
  if (kept > 0)
    warnings.push_back(Phrase::tr("%1 texts and histograms lie in the folder artifacts of the run")(
        std::min(kept, kMaxImportedTexts)));
  if (const std::int64_t left = leftOut + std::max<std::int64_t>(0, kept - kMaxImportedTexts); left > 0)
    warnings.push_back(Phrase::tr("%1 texts and histograms are left out: a run keeps 10,000 of them")(left));
}

Json histogramOfLists(const Json& counts, const Json& edges) {
  constexpr std::size_t kMostBuckets = 10'000;
  const bool fits = counts.is_array() && edges.is_array() && !counts.empty() &&
                    counts.size() <= kMostBuckets && edges.size() == counts.size() + 1;
  if (!fits || !allNumbers(counts) || !allNumbers(edges)) return {};
  return {{"edges", edges}, {"counts", counts}};
}

}  // namespace fathom
