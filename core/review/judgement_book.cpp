// SPDX-License-Identifier: Apache-2.0
#include "core/review/judgement_book.h"

#include <algorithm>

namespace fathom {

namespace {

constexpr const char* kTagTopic = "tags";
const std::string kNothing;

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

Result<JudgementBook> JudgementBook::load(std::string dataset, std::string rules, std::size_t examples,
                                          ProjectLibrary* library) {
  JudgementBook book;
  book.m_dataset = std::move(dataset);
  book.m_rules = std::move(rules);
  book.m_library = library;
  if (!library) return book;
  FATHOM_TRY(auto verdicts, overridesOf(*library, book.m_dataset, book.m_rules));
  for (auto& verdict : verdicts) {
    const auto example = static_cast<std::size_t>(verdict.key.example);
    if (verdict.key.example < 0 || example >= examples) continue;
    std::string answer = verdict.key.normalisedSql;
    book.m_verdicts[{example, std::move(answer)}] = std::move(verdict);
  }
  FATHOM_TRY(const auto notes, exampleNotes(*library, book.m_dataset));
  for (const auto& [key, text] : notes) {
    if (key.first >= 0 && static_cast<std::size_t>(key.first) < examples)
      book.m_notes[{static_cast<std::size_t>(key.first), key.second}] = text;
  }
  return book;
}

const CategoryOverride* JudgementBook::verdict(std::size_t example, const std::string& answer) const {
  if (m_verdicts.empty()) return nullptr;
  const auto found = m_verdicts.find({example, answer});
  return found == m_verdicts.end() ? nullptr : &found->second;
}

std::vector<CategoryOverride> JudgementBook::ofOtherAnswers(std::size_t example, const std::string& answer,
                                                            const std::string& system) const {
  std::vector<CategoryOverride> out;
  for (auto at = m_verdicts.lower_bound({example, ""}); at != m_verdicts.end() && at->first.first == example;
       ++at)
    if (at->second.system == system && at->first.second != answer) out.push_back(at->second);
  return out;
}

CategoryOverride JudgementBook::blank(std::size_t example, const std::string& answer) const {
  CategoryOverride value;
  value.key = {m_dataset, static_cast<std::int64_t>(example), answer, m_rules};
  return value;
}

Result<std::vector<OverrideChange>> JudgementBook::history(std::size_t example,
                                                           const std::string& answer) const {
  if (!m_library) return std::vector<OverrideChange>();
  return overrideHistory(*m_library, blank(example, answer).key);
}

Status JudgementBook::change(CategoryOverride value) {
  Edit edit;
  edit.example = static_cast<std::size_t>(value.key.example);
  edit.answer = value.key.normalisedSql;
  if (const auto* before = verdict(edit.example, edit.answer)) {
    edit.verdictBefore = *before;
    if (before->category == value.category && before->note == value.note) return {};
  }
  if (!value.category.empty()) edit.verdictAfter = std::move(value);
  if (!edit.verdictBefore && !edit.verdictAfter) return {};
  FATHOM_CHECK(apply(edit, true));
  push(std::move(edit));
  return {};
}

Status JudgementBook::applyNote(const Edit& edit, const std::string& text) {
  if (m_library) {
    FATHOM_TRY(const auto before, setExampleNote(*m_library, m_dataset,
                                                 static_cast<std::int64_t>(edit.example), edit.topic, text));
  }
  if (text.empty()) {
    m_notes.erase({edit.example, edit.topic});
  } else {
    m_notes[{edit.example, edit.topic}] = text;
  }
  return {};
}

Status JudgementBook::apply(const Edit& edit, bool forward) {
  if (!edit.topic.empty()) return applyNote(edit, forward ? edit.noteAfter : edit.noteBefore);
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
    m_verdicts[{edit.example, edit.answer}] = std::move(value);
  } else {
    m_verdicts.erase({edit.example, edit.answer});
  }
  return {};
}

void JudgementBook::push(Edit edit) {
  m_edits.resize(m_done);
  m_edits.push_back(std::move(edit));
  m_done = m_edits.size();
}

Result<std::optional<std::size_t>> JudgementBook::undo() {
  if (!canUndo()) return std::optional<std::size_t>();
  FATHOM_CHECK(apply(m_edits[m_done - 1], false));
  return std::optional<std::size_t>(m_edits[--m_done].example);
}

Result<std::optional<std::size_t>> JudgementBook::redo() {
  if (!canRedo()) return std::optional<std::size_t>();
  FATHOM_CHECK(apply(m_edits[m_done], true));
  return std::optional<std::size_t>(m_edits[m_done++].example);
}

const std::string& JudgementBook::note(std::size_t example, const std::string& topic) const {
  const auto found = m_notes.find({example, topic});
  return found == m_notes.end() ? kNothing : found->second;
}

Status JudgementBook::setNote(std::size_t example, const std::string& topic, const std::string& text) {
  Edit edit;
  edit.example = example;
  edit.topic = topic;
  edit.noteBefore = note(example, topic);
  edit.noteAfter = text;
  if (edit.noteBefore == edit.noteAfter) return {};
  FATHOM_CHECK(apply(edit, true));
  push(std::move(edit));
  return {};
}

std::vector<std::string> JudgementBook::tags(std::size_t example) const {
  return tagsFromText(note(example, kTagTopic));
}

Status JudgementBook::setTags(std::size_t example, const std::vector<std::string>& tags) {
  std::vector<std::string> sorted = tags;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::erase(sorted, "");
  return setNote(example, kTagTopic, sorted.empty() ? "" : Json(sorted).dump());
}

std::map<std::string, std::vector<std::size_t>> JudgementBook::taggedExamples() const {
  std::map<std::string, std::vector<std::size_t>> out;
  for (const auto& [key, text] : m_notes) {
    if (key.second != kTagTopic) continue;
    for (const auto& tag : tagsFromText(text)) out[tag].push_back(key.first);
  }
  return out;
}

}  // namespace fathom
