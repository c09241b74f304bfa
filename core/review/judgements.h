// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/review/judgement_book.h"
#include "core/review/review_kind.h"

namespace fathom {

// Which text of an example somebody rewrote to try something; the files are never touched.
struct EditedSide {
  bool gold = false;
  std::size_t model = 0;  // when it is a prediction
};

// How far people and program agree on one model's wrong predictions that were judged by hand.
struct JudgementAgreement {
  int judged = 0, agreed = 0;
  std::vector<std::vector<int>> table;  // [program][person], in the order of ReviewKind::categories
  double share() const { return judged == 0 ? 0 : static_cast<double>(agreed) / judged; }
  double kappa() const;  // Cohen's; 1 when everything is one category
};

// What people decided about a review, by model and example. A verdict belongs to (data set, example, key of
// the answer, rules of the kind), so models with the same answer share it and importing the same predictions
// anew finds it. A person's category always wins over the program's.
//
// One thread. `review` and `library` are not owned and outlive this object; without a library nothing is
// kept.
class Judgements {
 public:
  static Result<Judgements> load(const Review& review, ProjectLibrary* library);

  // The person's category, else the program's; an index of ReviewKind::categories.
  std::size_t category(std::size_t model, std::size_t example) const;
  std::vector<std::vector<std::uint8_t>> categories() const;  // [model][example]
  // The verdict of a person, null when there is none.
  const CategoryOverride* human(std::size_t model, std::size_t example) const;
  bool anyVerdict() const { return m_book.anyVerdict(); }
  // Verdicts on what this system answered before; none once the new answer is judged.
  std::vector<CategoryOverride> stale(std::size_t model, std::size_t example) const;
  Result<std::vector<OverrideChange>> history(std::size_t model, std::size_t example) const;
  // By the id of a category; an empty one clears it.
  Status setVerdict(std::size_t model, std::size_t example, const std::string& category,
                    const std::string& note, const std::string& author);
  JudgementAgreement agreement(std::size_t model) const;

  const std::string& note(std::size_t example) const;
  Status setNote(std::size_t example, const std::string& text);
  std::vector<std::string> tags(std::size_t example) const;  // sorted
  Status setTags(std::size_t example, const std::vector<std::string>& tags);
  // For slices: examples per tag.
  std::map<std::string, std::vector<std::size_t>> taggedExamples() const { return m_book.taggedExamples(); }
  // "" = as in the file.
  std::string editedText(std::size_t example, EditedSide side) const;
  Status setEditedText(std::size_t example, EditedSide side, const std::string& text);

  // Each returns the example that changed, or nothing when there is nothing to undo.
  Result<std::optional<std::size_t>> undo() { return m_book.undo(); }
  Result<std::optional<std::size_t>> redo() { return m_book.redo(); }

 private:
  Judgements(const Review& review, JudgementBook book) : m_review(&review), m_book(std::move(book)) {}
  const std::string& answer(std::size_t model, std::size_t example) const;
  std::uint8_t program(std::size_t model, std::size_t example) const;
  std::string editTopic(std::size_t example, EditedSide side) const;
  const Review* m_review;
  JudgementBook m_book;
};

}  // namespace fathom
