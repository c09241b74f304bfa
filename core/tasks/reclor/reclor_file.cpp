// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reclor/reclor_file.h"

#include <set>

#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/json/json_line.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kMostAnswers = 256;

Result<std::string> textMember(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return dataError(Phrase::tr("there is no \"%1\"")(name));
  if (!found->is_string())
    return dataError(Phrase::tr("\"%1\" is no text: %2")(name, shownValue(found->dump())));
  return found->get<std::string>();
}

}  // namespace

Result<ReclorQuestion> reclorQuestion(const Json& json) {
  if (!json.is_object()) return dataError(Phrase::tr("a question is an object"));
  ReclorQuestion question;
  FATHOM_TRY(question.context, textMember(json, "context"));
  FATHOM_TRY(question.question, textMember(json, "question"));
  const auto answers = json.find("answers");
  if (answers == json.end() || !answers->is_array())
    return dataError(Phrase::tr("there is no list \"%1\"")("answers"));
  if (answers->size() < 2 || answers->size() > kMostAnswers)
    return dataError(
        Phrase::tr("there are %1 answers: from 2 to %2 are allowed")(answers->size(), kMostAnswers));
  for (const Json& answer : *answers) {
    if (!answer.is_string())
      return dataError(Phrase::tr("an answer is no text: %1")(shownValue(answer.dump())));
    question.answers.push_back(answer.get<std::string>());
  }
  if (json.contains("id_string")) {
    FATHOM_TRY(question.id, textMember(json, "id_string"));
  }
  const auto label = json.find("label");
  if (label == json.end() || label->is_null()) return question;
  const bool inside = label->is_number_integer() && label->get<std::int64_t>() >= 0 &&
                      label->get<std::int64_t>() < static_cast<std::int64_t>(answers->size());
  if (!inside)
    return dataError(Phrase::tr("the label %1 is not the place of one of %2 answers")(
        shownValue(label->dump()), answers->size()));
  question.label = label->get<std::int64_t>();
  return question;
}

Result<ReclorFile> readReclorFile(const std::string& path, bool skipBad) {
  FATHOM_TRY(const std::string bytes, readFile(path, JsonLimits().maxBytes));
  FATHOM_TRY(const Json json, parseJson(bytes, path));
  if (!json.is_array())
    return dataErrorAt(path, 0, Phrase::tr("the file is no list of questions"),
                       Phrase::tr("ReClor's layout is expected: a list of objects with context, question and "
                                  "answers"));
  ReclorFile file;
  file.hash = {"", path, sha256Hex(bytes), static_cast<std::int64_t>(bytes.size())};
  std::set<std::string> ids;
  bool labelled = false, bare = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    Result<ReclorQuestion> read = reclorQuestion(json[i]);
    if (read.ok() && !read->id.empty() && !ids.insert(read->id).second)
      read = dataError(Phrase::tr("the id comes twice"));
    if (!read.ok()) {
      const std::string id =
          json[i].is_object() && json[i].contains("id_string") ? shownValue(json[i]["id_string"].dump()) : "";
      const Phrase what = Phrase::tr("question %1 %2: %3")(i + 1, id, read.error().messagePhrase());
      if (file.left++ > 0) continue;
      const JsonStep place[] = {i};
      const std::int64_t line = lineOfJson(bytes, place);
      if (!skipBad) return dataErrorAt(path, line, what, Phrase::tr("mend it, or set data.bad_lines=skip"));
      file.firstLeft = Phrase::tr("line %1: %2")(line, what).english();
      continue;
    }
    (read->label >= 0 ? labelled : bare) = true;
    bool empty = strip(read->context).empty() || strip(read->question).empty();
    for (const std::string& answer : read->answers) empty = empty || strip(answer).empty();
    file.emptyTexts += empty ? 1 : 0;
    file.underscores += read->question.find('_') != std::string::npos ? 1 : 0;
    read->row = static_cast<std::int64_t>(i);
    file.questions.push_back(*std::move(read));
  }
  if (labelled && bare)
    return dataErrorAt(path, 0, Phrase::tr("some questions have a label and some have none"),
                       Phrase::tr("a file has labels throughout, or, for a test, nowhere"));
  if (file.questions.empty()) return dataErrorAt(path, 0, Phrase::tr("the file has no questions"));
  return file;
}

std::string answerText(std::string_view question, std::string_view answer) {
  if (question.find('_') == std::string_view::npos) return std::string(question) + " " + std::string(answer);
  std::string text;
  for (const char c : question) {
    if (c == '_')
      text += answer;
    else
      text += c;
  }
  return text;
}

std::string answerLetter(std::int64_t answer) {
  const std::string last(1, static_cast<char>('A' + answer % 26));
  return answer < 26 ? last : static_cast<char>('A' + answer / 26 - 1) + last;
}

}  // namespace fathom
