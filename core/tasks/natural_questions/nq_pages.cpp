// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/natural_questions/nq_pages.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/base/errors/phrase.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/tasks/encoded_text_task.h"
#include "core/tasks/length_statistics.h"
#include "core/tasks/line_errors.h"
#include "core/tasks/long_text/markup_words.h"

namespace fathom {

namespace {

std::string withoutBlanks(std::string word) {
  std::replace(word.begin(), word.end(), ' ', '_');
  std::replace(word.begin(), word.end(), '\n', '_');
  return word;
}

}  // namespace

std::vector<std::string_view> NqStoredPage::words() const {
  return splitAt(text, ' ');
}

std::string NqStoredPage::textOf(WordRange range, std::size_t mostWords) const {
  const std::vector<std::string_view> all = words();
  std::string result;
  std::size_t count = 0;
  for (std::int64_t w = std::max<std::int64_t>(range.first, 0);
       w < std::min(range.second, static_cast<std::int64_t>(all.size())); ++w) {
    const std::string_view word = all[static_cast<std::size_t>(w)];
    if (word.empty() || isHtmlTag(std::string(word))) continue;
    if (count++ == mostWords) return result + " …";
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

std::string NqStoredPage::textOf(const NqAnnotation& answer) const {
  if (answer.yesNo != "NONE") return answer.yesNo;
  if (!answer.shortAnswers.empty())
    return joined(answer.shortAnswers, "; ", [&](const WordRange& range) { return textOf(range); });
  return answer.longAnswer ? textOf(*answer.longAnswer) : std::string();
}

NqStoredPage storedNqPage(const NqRecord& record, const LongPieces& pieces, const NqLimits& limits) {
  NqStoredPage stored;
  stored.id = record.id;
  stored.question = record.question;
  stored.page = nqPage(record, pieces, limits);
  stored.annotations = record.annotations;
  for (std::size_t w = 0; w < record.words.size(); ++w) {
    if (w > 0) stored.text += ' ';
    stored.text += withoutBlanks(record.words[w]);
    stored.leftovers += !isHtmlTag(record.words[w]) && looksLikeMarkup(record.words[w]) ? 1 : 0;
  }
  if (!record.annotations.empty() && record.annotations.front().longAnswer)
    stored.outside = std::find(record.candidates.begin(), record.candidates.end(),
                               *record.annotations.front().longAnswer) == record.candidates.end();
  return stored;
}

Status NqPageTaker::take(const Json& json, const std::string& place) {
  const bool annotated = json.contains("annotations");
  FATHOM_TRY(const NqRecord record, nqRecord(json, place, m_answered || annotated));
  if (m_ids.contains(record.id))
    return dataError(Phrase::tr("%1: the example_id %2 comes twice")(place, record.id));
  if (!m_pages.empty() && m_pages.front().annotations.empty() == annotated)
    return dataError(Phrase::tr("%1: 'annotations': some pages have them, some have not")(place));
  m_ids.insert(record.id);
  m_pages.push_back(storedNqPage(record, m_pieces, m_limits));
  return {};
}

void keepNqPagesApart(std::vector<NqStoredPage>& train, double share, std::uint64_t splitSeed,
                      std::vector<NqStoredPage>& apart) {
  std::unordered_map<std::string_view, std::int64_t> known;
  std::vector<std::int64_t> groups;
  for (const NqStoredPage& page : train)
    groups.push_back(known.emplace(page.text, static_cast<std::int64_t>(known.size())).first->second);
  const auto chosen = groupsKeptApart(static_cast<std::int64_t>(known.size()), share, splitSeed);
  std::vector<NqStoredPage> rest;
  for (std::size_t p = 0; p < train.size(); ++p)
    (chosen[static_cast<std::size_t>(groups[p])] ? apart : rest).push_back(std::move(train[p]));
  train = std::move(rest);
}

void chooseNqWindows(NqPart& part, const NqLimits& limits, double nullShare, std::uint64_t seed) {
  for (std::size_t p = 0; p < part.pages.size(); ++p) {
    const NqPage& page = part.pages[p].page;
    const std::int64_t windows = nqWindowCount(page, limits);
    for (std::int64_t w = 0; w < windows; ++w) {
      if (nqTargets(page, w, limits).type == NqAnswer::Null && nullShare < 1) {
        RandomStream draw(streamSeed(seed, "nq.null", {static_cast<std::int64_t>(p), w}));
        if (draw.uniform() >= nullShare) {
          ++part.nullsLeftOut;
          continue;
        }
      }
      part.trained.push_back({static_cast<std::int32_t>(p), static_cast<std::int32_t>(w)});
    }
  }
}

std::vector<StatisticField> nqStatistics() {
  using Kind = StatisticField::Kind;
  return {{Kind::Number, "pages", "Pages"},
          {Kind::Number, "examples", "Examples used"},
          {Kind::Number, "windows", "Windows"},
          {Kind::Number, "nulls_left_out", "Windows without an answer left out"},
          {Kind::Number, "long_answers", "Pages with a long answer"},
          {Kind::Number, "short_answers", "Pages with a short answer"},
          {Kind::Number, "yes_no", "Pages answered by yes or no"},
          {Kind::Number, "without_candidates", "Pages without candidates"},
          {Kind::Number, "without_words", "Pages without words"},
          {Kind::Number, "no_candidate", "Long answers that are no candidate"},
          {Kind::Number, "cut_questions", "Questions that were cut"},
          {Kind::Number, "crowded", "Windows with more candidates than global tokens"},
          {Kind::Number, "leftovers", "Words that look like HTML"},
          {Kind::Number, "left_out", "Records left out"},
          {Kind::Number, "pieces.mean", "Mean page (pieces)", 1, 1},
          {Kind::Number, "pieces.longest", "Longest page"},
          {Kind::Counts, "answers", "Kinds of answers"},
          {Kind::Lengths, "pieces", "Lengths of pages"}};
}

Json nqStatisticsOf(const NqPart& part, const NqLimits& limits) {
  std::int64_t windows = 0, longs = 0, shorts = 0, yesNo = 0, bare = 0, empty = 0, outside = 0, cut = 0,
               crowded = 0, leftovers = 0;
  std::array<std::int64_t, 5> kinds{};
  std::vector<std::int32_t> lengths;
  for (const NqStoredPage& stored : part.pages) {
    const NqPage& page = stored.page;
    const std::int64_t own = nqWindowCount(page, limits);
    windows += own;
    for (std::int64_t w = 0; w < own; ++w) crowded += nqGlobals(page, w, limits) > limits.globalLength;
    if (!stored.annotations.empty()) {
      const NqAnnotation& first = stored.annotations.front();
      longs += first.longAnswer.has_value();
      shorts += !first.shortAnswers.empty();
      yesNo += first.yesNo != "NONE";
      ++kinds[static_cast<std::size_t>(page.type)];
    }
    bare += page.candidates.empty();
    empty += page.ids.empty();
    outside += stored.outside;
    cut += page.cutQuestion;
    leftovers += stored.leftovers;
    lengths.push_back(static_cast<std::int32_t>(page.ids.size()));
  }
  const auto pages = static_cast<std::int64_t>(part.pages.size());
  return {
      {"pages", pages},
      {"examples", part.trained.empty() ? pages : static_cast<std::int64_t>(part.trained.size())},
      {"windows", windows},
      {"nulls_left_out", part.nullsLeftOut},
      {"long_answers", longs},
      {"short_answers", shorts},
      {"yes_no", yesNo},
      {"without_candidates", bare},
      {"without_words", empty},
      {"no_candidate", outside},
      {"cut_questions", cut},
      {"crowded", crowded},
      {"leftovers", leftovers},
      {"left_out", part.left},
      {"answers",
       {{"none", kinds[0]}, {"yes", kinds[1]}, {"no", kinds[2]}, {"long", kinds[3]}, {"short", kinds[4]}}},
      {"pieces", lengthStatisticsJson(lengthStatistics(lengths))}};
}

Result<NqRecord> nqAskedRecord(const std::string& line) {
  if (strip(line).starts_with('{')) {
    FATHOM_TRY(const Json json, parseJson(line));
    return nqRecord(json, json.value("example_id", Json("page")).dump(), false);
  }
  const std::size_t tab = line.find('\t');
  if (tab == std::string::npos)
    return dataError(Phrase::tr("a line is: page TAB question, or a record of Natural Questions"));
  FATHOM_CHECK(checkCells(line, 2, 0));
  NqRecord record;
  record.question = line.substr(tab + 1);
  const std::string page = line.substr(0, tab);
  for (const std::string_view word : splitAt(page, ' '))
    if (!word.empty()) record.words.emplace_back(word);
  constexpr const char* kBlocks[] = {"P", "Table", "Ul", "Ol", "Dl", "Li", "Dd", "Dt", "Tr"};
  const auto count = static_cast<std::int64_t>(record.words.size());
  for (std::int64_t w = 0; w < count; ++w) {
    const std::string& word = record.words[static_cast<std::size_t>(w)];
    for (const char* block : kBlocks) {
      if (word != "<" + std::string(block) + ">") continue;
      std::int64_t depth = 1, end = w + 1;
      for (; end < count && depth > 0; ++end) {
        const std::string& other = record.words[static_cast<std::size_t>(end)];
        depth += other == word ? 1 : other == "</" + std::string(block) + ">" ? -1 : 0;
      }
      record.candidates.emplace_back(w, end);
      w = end - 1;
      break;
    }
  }
  if (record.candidates.empty() && count > 0) record.candidates.emplace_back(0, count);
  return record;
}

}  // namespace fathom
