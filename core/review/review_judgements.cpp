// SPDX-License-Identifier: Apache-2.0
#include "core/review/review_judgements.h"

#include <algorithm>

#include "core/base/files/hash.h"

namespace fathom {

namespace {

constexpr const char* kNoteTopic = "note";
constexpr const char* kTagTopic = "tags";
const std::string kNothing;

std::size_t numberOf(ErrorCategory category) {
  return static_cast<std::size_t>(category);
}

// Tags are kept as a JSON list of texts.
std::vector<std::string> tagsFromText(const std::string& text) {
  std::vector<std::string> tags;
  const auto json = parseJson(text);
  if (!json || !json->is_array()) return tags;
  for (const Json& tag : *json) {
    if (tag.is_string()) tags.push_back(tag.get<std::string>());
  }
  return tags;
}

}  // namespace

double JudgementAgreement::kappa() const {
  if (judged == 0) return 0;
  double expected = 0;
  for (std::size_t k = 0; k < table.size(); ++k) {
    double row = 0, column = 0;
    for (std::size_t other = 0; other < table.size(); ++other) {
      row += table[k][other];
      column += table[other][k];
    }
    expected += row * column / judged / judged;
  }
  return expected >= 1 ? 1 : (share() - expected) / (1 - expected);
}

Result<ReviewJudgements> ReviewJudgements::load(const SpiderReview& review, ProjectLibrary* library) {
  ReviewJudgements out(review, library);
  if (!library) return out;
  FATHOM_TRY(auto verdicts, overridesOf(*library, review.dataset, review.presetKey()));
  for (auto& verdict : verdicts) {
    const auto example = static_cast<std::size_t>(verdict.key.example);
    if (verdict.key.example < 0 || example >= review.examples()) continue;
    std::string sql = verdict.key.normalisedSql;
    out.m_verdicts[{example, std::move(sql)}] = std::move(verdict);
  }
  FATHOM_TRY(const auto notes, exampleNotes(*library, review.dataset));
  for (const auto& [key, text] : notes) {
    if (key.first >= 0 && static_cast<std::size_t>(key.first) < review.examples())
      out.m_notes[{static_cast<std::size_t>(key.first), key.second}] = text;
  }
  return out;
}

const CategoryOverride* ReviewJudgements::human(std::size_t model, std::size_t example) const {
  const auto found = m_verdicts.find({example, m_review->models.at(model).normalised.at(example)});
  return found == m_verdicts.end() ? nullptr : &found->second;
}

ErrorCategory ReviewJudgements::category(std::size_t model, std::size_t example) const {
  if (const auto* verdict = human(model, example)) {
    if (const auto category = errorCategoryFromId(verdict->category)) return *category;
  }
  return m_review->models.at(model).verdicts.at(example).category;
}

std::vector<std::vector<ErrorCategory>> ReviewJudgements::categories() const {
  auto out = m_review->categories();
  for (std::size_t m = 0; m < out.size() && !m_verdicts.empty(); ++m) {
    for (std::size_t i = 0; i < out[m].size(); ++i) out[m][i] = category(m, i);
  }
  return out;
}

std::vector<CategoryOverride> ReviewJudgements::stale(std::size_t model, std::size_t example) const {
  std::vector<CategoryOverride> out;
  if (human(model, example)) return out;
  const std::string& name = m_review->models.at(model).name;
  for (auto at = m_verdicts.lower_bound({example, ""}); at != m_verdicts.end() && at->first.first == example;
       ++at) {
    if (at->second.system == name) out.push_back(at->second);
  }
  return out;
}

Result<std::vector<OverrideChange>> ReviewJudgements::history(std::size_t model, std::size_t example) const {
  if (!m_library) return std::vector<OverrideChange>();
  return overrideHistory(*m_library, blank(model, example).key);
}

CategoryOverride ReviewJudgements::blank(std::size_t model, std::size_t example) const {
  const ReviewModel& m = m_review->models.at(model);
  CategoryOverride value;
  value.key = {m_review->dataset, static_cast<std::int64_t>(example), m.normalised.at(example),
               m_review->presetKey()};
  value.programSays = errorCategoryId(m.verdicts.at(example).category);
  value.system = m.name;
  return value;
}

Status ReviewJudgements::setCategory(std::size_t model, std::size_t example, ErrorCategory category,
                                     const std::string& note, const std::string& author) {
  CategoryOverride value = blank(model, example);
  value.category = errorCategoryId(category);
  value.note = note;
  value.author = author;
  return change(model, example, std::move(value));
}

Status ReviewJudgements::clearCategory(std::size_t model, std::size_t example, const std::string& author) {
  if (!human(model, example)) return {};
  CategoryOverride value = blank(model, example);
  value.author = author;
  return change(model, example, std::move(value));
}

Status ReviewJudgements::change(std::size_t model, std::size_t example, CategoryOverride value) {
  Edit edit;
  edit.example = example;
  edit.sql = value.key.normalisedSql;
  if (const auto* before = human(model, example)) {
    edit.verdictBefore = *before;
    if (before->category == value.category && before->note == value.note) return {};
  }
  if (!value.category.empty()) edit.verdictAfter = std::move(value);
  FATHOM_CHECK(apply(edit, true));
  push(std::move(edit));
  return {};
}

Status ReviewJudgements::apply(const Edit& edit, bool forward) {
  if (!edit.topic.empty()) {
    const std::string& text = forward ? edit.noteAfter : edit.noteBefore;
    if (m_library) {
      FATHOM_TRY(const auto before,
                 setExampleNote(*m_library, m_review->dataset, static_cast<std::int64_t>(edit.example),
                                edit.topic, text));
    }
    if (text.empty()) {
      m_notes.erase({edit.example, edit.topic});
    } else {
      m_notes[{edit.example, edit.topic}] = text;
    }
    return {};
  }
  const auto& wanted = forward ? edit.verdictAfter : edit.verdictBefore;
  CategoryOverride value = wanted ? *wanted : *(forward ? edit.verdictBefore : edit.verdictAfter);
  if (!wanted) value.category.clear();
  value.changed.clear();  // now
  if (m_library) {
    FATHOM_TRY(const auto before, setOverride(*m_library, value));
    FATHOM_TRY(const auto stored, findOverride(*m_library, value.key));
    if (stored) value = *stored;
  }
  if (wanted) {
    m_verdicts[{edit.example, edit.sql}] = std::move(value);
  } else {
    m_verdicts.erase({edit.example, edit.sql});
  }
  return {};
}

void ReviewJudgements::push(Edit edit) {
  m_edits.resize(m_done);
  m_edits.push_back(std::move(edit));
  m_done = m_edits.size();
}

Result<std::optional<std::size_t>> ReviewJudgements::undo() {
  if (!canUndo()) return std::optional<std::size_t>();
  FATHOM_CHECK(apply(m_edits[m_done - 1], false));
  return std::optional<std::size_t>(m_edits[--m_done].example);
}

Result<std::optional<std::size_t>> ReviewJudgements::redo() {
  if (!canRedo()) return std::optional<std::size_t>();
  FATHOM_CHECK(apply(m_edits[m_done], true));
  return std::optional<std::size_t>(m_edits[m_done++].example);
}

std::string ReviewJudgements::noteText(std::size_t example, const std::string& topic) const {
  const auto found = m_notes.find({example, topic});
  return found == m_notes.end() ? kNothing : found->second;
}

const std::string& ReviewJudgements::note(std::size_t example) const {
  const auto found = m_notes.find({example, kNoteTopic});
  return found == m_notes.end() ? kNothing : found->second;
}

Status ReviewJudgements::changeNote(std::size_t example, const std::string& topic, const std::string& text) {
  Edit edit;
  edit.example = example;
  edit.topic = topic;
  edit.noteBefore = noteText(example, topic);
  edit.noteAfter = text;
  if (edit.noteBefore == edit.noteAfter) return {};
  FATHOM_CHECK(apply(edit, true));
  push(std::move(edit));
  return {};
}

Status ReviewJudgements::setNote(std::size_t example, const std::string& text) {
  return changeNote(example, kNoteTopic, text);
}

std::vector<std::string> ReviewJudgements::tags(std::size_t example) const {
  return tagsFromText(noteText(example, kTagTopic));
}

Status ReviewJudgements::setTags(std::size_t example, const std::vector<std::string>& tags) {
  std::vector<std::string> sorted = tags;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::erase(sorted, "");
  return changeNote(example, kTagTopic, sorted.empty() ? "" : Json(sorted).dump());
}

std::map<std::string, std::vector<std::size_t>> ReviewJudgements::taggedExamples() const {
  std::map<std::string, std::vector<std::size_t>> out;
  for (const auto& [key, text] : m_notes) {
    if (key.second != kTagTopic) continue;
    for (const auto& tag : tagsFromText(text)) out[tag].push_back(key.first);
  }
  return out;
}

std::string ReviewJudgements::editTopic(std::size_t example, EditedSide side) const {
  if (side.gold) return "edited gold";
  return "edited " + sha256Hex(m_review->models.at(side.model).normalised.at(example)).substr(0, 16);
}

std::string ReviewJudgements::editedSql(std::size_t example, EditedSide side) const {
  return noteText(example, editTopic(example, side));
}

Status ReviewJudgements::setEditedSql(std::size_t example, EditedSide side, const std::string& sql) {
  return changeNote(example, editTopic(example, side), sql);
}

JudgementAgreement ReviewJudgements::agreement(std::size_t model) const {
  JudgementAgreement out;
  for (std::size_t i = 0; i < m_review->examples(); ++i) {
    const auto program = m_review->models.at(model).verdicts[i].category;
    if (program == ErrorCategory::Correct || !human(model, i)) continue;
    const auto person = category(model, i);
    ++out.judged;
    out.agreed += person == program;
    ++out.table[numberOf(program)][numberOf(person)];
  }
  return out;
}

}  // namespace fathom
