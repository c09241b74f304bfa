// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/review/judgement_book.h"
#include "core/review/review_kind.h"

namespace fathom {

// What people decided about a review of any kind: categories of the kind, notes, tags; a person's category
// always wins over the program's. See JudgementBook. `review` is borrowed and outlives this object.
class KindJudgements {
 public:
  static Result<KindJudgements> load(const KindReview& review, ProjectLibrary* library);

  // The verdict of a person, null when there is none.
  const CategoryOverride* human(std::size_t model, std::size_t example) const;
  // The person's category, else the program's; an index of ReviewKind::categories.
  std::size_t category(std::size_t model, std::size_t example) const;
  std::vector<std::vector<std::uint8_t>> categories() const;  // [model][example]
  // Verdicts on what this system answered before; none once the new answer is judged.
  std::vector<CategoryOverride> stale(std::size_t model, std::size_t example) const;
  Result<std::vector<OverrideChange>> history(std::size_t model, std::size_t example) const;

  Status setCategory(std::size_t model, std::size_t example, std::size_t category, const std::string& note,
                     const std::string& author);
  Status clearCategory(std::size_t model, std::size_t example, const std::string& author);
  const std::string& note(std::size_t example) const;
  Status setNote(std::size_t example, const std::string& text);
  std::vector<std::string> tags(std::size_t example) const;
  Status setTags(std::size_t example, const std::vector<std::string>& tags);
  std::map<std::string, std::vector<std::size_t>> taggedExamples() const;
  Result<std::optional<std::size_t>> undo() { return m_book.undo(); }
  Result<std::optional<std::size_t>> redo() { return m_book.redo(); }
  bool canUndo() const { return m_book.canUndo(); }
  bool canRedo() const { return m_book.canRedo(); }

 private:
  KindJudgements(const KindReview& review, JudgementBook book) : m_review(&review), m_book(std::move(book)) {}
  CategoryOverride blank(std::size_t model, std::size_t example) const;
  const KindReview* m_review;
  JudgementBook m_book;
};

}  // namespace fathom
