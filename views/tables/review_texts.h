// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "views/tables/reviewed_predictions.h"

namespace fathom {

// Texts that the filter box searches: of each example its texts and note, and the answer of the model that is
// looked at. Kept in lower case in one piece, so that a word is found in about a millisecond in 10,000
// examples; which examples have a word is remembered for the words of late, so that a longer word looks only
// where its beginning was and a shorter one not at all. GUI thread.
class ReviewTexts {
 public:
  using Rows = std::vector<std::uint8_t>;  // per example: 1 = found

  explicit ReviewTexts(const ReviewedPredictions* review) : m_review(review) {}
  void rebuild();            // the review is another one
  void reread(int example);  // its note may have changed
  void setModel(int model);  // whose answers are searched
  // `word` in lower case, not empty. Valid until the next call of anything here.
  const Rows& withWord(const std::string& word);
  // Makes ready what the first pattern would otherwise wait for.
  void prepareForPatterns();
  // Case does not count; "^" and "$" are ends of lines.
  const Rows& withPattern(const QRegularExpression& pattern);

 private:
  // One text per example, one behind the other.
  struct Texts {
    std::string bytes;
    std::vector<std::size_t> start;  // one more than examples
    void append(const std::string& text);
    void replace(std::size_t example, const std::string& text);
    std::string_view of(std::size_t example) const {
      return std::string_view(bytes).substr(start[example], start[example + 1] - start[example]);
    }
  };
  struct Found {
    QString what;  // the word; a pattern with a line end before it
    Rows rows;
  };
  std::string baseText(int example) const;
  const Rows* known(const QString& what);
  const Rows& keep(const QString& what, Rows rows);
  const Rows* narrower(const QString& word);
  const ReviewedPredictions* m_review;
  Texts m_base;
  std::vector<Texts> m_predicted;  // per model; empty until it is looked at
  int m_model = -1;
  std::array<std::size_t, 256> m_frequency{};  // of bytes in the beginning of m_base
  std::vector<Found> m_found;                  // the latest last
  // Text for regular expressions: both texts together, in UTF-16; empty until one is used.
  QString m_wide;
  std::vector<qsizetype> m_wideStart;
};

}  // namespace fathom
