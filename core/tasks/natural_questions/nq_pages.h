// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/natural_questions/natural_questions_layout.h"
#include "core/tasks/task_facts.h"

namespace fathom {

// A page as it is kept: cut once, its words as one text.
struct NqStoredPage {
  std::string id, question;
  std::string text;  // words with single blanks between
  NqPage page;
  std::vector<NqAnnotation> annotations;
  std::int32_t leftovers = 0;  // words that look like what a parser of HTML left behind
  bool outside = false;        // the first long answer is no candidate

  std::vector<std::string_view> words() const;
  // The words of a range, without tags; longer ones end with "…".
  std::string textOf(WordRange range, std::size_t mostWords = 60) const;
  // As a person reads it: the short answers, YES or NO, else the beginning of the long one, else "".
  std::string textOf(const NqAnnotation& answer) const;
};
NqStoredPage storedNqPage(const NqRecord& record, const LongPieces& pieces, const NqLimits& limits);

// One part of the data.
struct NqPart {
  std::vector<NqStoredPage> pages;
  struct Window {
    std::int32_t page = 0, window = 0;
  };
  std::vector<Window> trained;    // training: what is learned from
  std::int64_t nullsLeftOut = 0;  // windows without an answer that are not
  std::int64_t left = 0;          // records left out
  bool labelled() const { return !pages.empty() && !pages.front().annotations.empty(); }
};

// Takes the pages of a part out of its records, in either layout. Data errors name place and field: two pages
// of one id, some with and some without annotations, none where they are needed (`answered`).
class NqPageTaker {
 public:
  NqPageTaker(const LongPieces& pieces, const NqLimits& limits, bool answered,
              std::vector<NqStoredPage>& pages)
      : m_pieces(pieces), m_limits(limits), m_answered(answered), m_pages(pages) {}
  Status take(const Json& json, const std::string& place);

 private:
  const LongPieces& m_pieces;
  const NqLimits& m_limits;
  bool m_answered;
  std::vector<NqStoredPage>& m_pages;
  std::set<std::string> m_ids;
};

// Whole pages kept apart for validation; pages of one text stay together.
void keepNqPagesApart(std::vector<NqStoredPage>& train, double share, std::uint64_t splitSeed,
                      std::vector<NqStoredPage>& apart);

// The training windows: all with an answer, of the others a share drawn from the seed.
void chooseNqWindows(NqPart& part, const NqLimits& limits, double nullShare, std::uint64_t seed);

std::vector<StatisticField> nqStatistics();
Json nqStatisticsOf(const NqPart& part, const NqLimits& limits);

// A line of free input: a record of either layout ('{' …), or page TAB question, where "<P> … </P>" and the
// like mark candidates and a page without them is one.
Result<NqRecord> nqAskedRecord(const std::string& line);

}  // namespace fathom
