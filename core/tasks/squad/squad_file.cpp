// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/squad_file.h"

#include <set>

#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/json/json.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/utf8.h"
#include "core/text/answers/squad_document.h"

namespace fathom {

namespace {

constexpr std::size_t kMostAnswersOfQuestion = 1000;

class SquadReader {
 public:
  SquadReader(const std::string& path, bool skipBad) : m_path(path), m_skipBad(skipBad) {}

  Result<SquadFile> read() {
    FATHOM_TRY(const std::string bytes, readFile(m_path, JsonLimits().maxBytes));
    FATHOM_TRY(SquadDocument document, SquadDocument::parse(bytes, m_path));
    m_file.hash = {"", m_path, sha256Hex(bytes), static_cast<std::int64_t>(bytes.size())};
    for (SquadDocument::Passage& passage : document.passages) {
      m_file.passages.push_back(std::move(passage.text));
      m_file.articles.push_back(static_cast<std::int64_t>(passage.article));
    }
    for (std::size_t q = 0; q < document.questions.size(); ++q) FATHOM_CHECK(take(document, q));
    if (m_file.questions.empty()) return dataErrorAt(m_path, 0, Phrase::tr("the file has no questions"));
    return std::move(m_file);
  }

 private:
  Status take(const SquadDocument& document, std::size_t number) {
    const auto& [passage, json, fault] = document.questions[number];
    const Phrase& wrong = fault;
    Result<SquadQuestion> question = wrong.empty() ? questionOf(json) : dataError(wrong);
    if (question.ok()) {
      question->row = static_cast<std::int64_t>(number);
      question->passage = static_cast<std::int64_t>(passage);
      m_file.impossible = m_file.impossible || question->impossible;
      if (question->answers.empty() && !question->impossible && m_file.unanswered++ == 0)
        m_file.firstUnanswered = question->id;
      if (strip(question->question).empty() && m_file.emptyQuestions++ == 0)
        m_file.firstEmptyQuestion = question->id;
      m_file.questions.push_back(*std::move(question));
      return {};
    }
    if (m_skipBad && m_file.left > 0) {
      ++m_file.left;
      return {};
    }
    const std::string id = json.is_object() && json.contains("id") ? shownValue(json["id"].dump()) : "?";
    const Phrase what = Phrase::tr("question %1: %2")(id, question.error().messagePhrase());
    const Error error =
        dataErrorAt(m_path, document.lineOf(number), what, Phrase::tr("mend it, or set data.bad_lines=skip"));
    if (!m_skipBad) return error;
    m_file.left = 1;
    m_file.firstLeft = Phrase::tr("line %1: %2")(error.line, what).english();
    return {};
  }

  Result<SquadQuestion> questionOf(const Json& json) {
    if (!json.is_object()) return dataError(Phrase::tr("a question is an object"));
    SquadQuestion question;
    for (const auto& [name, to] :
         {std::pair{"id", &question.id}, std::pair{"question", &question.question}}) {
      const auto found = json.find(name);
      if (found == json.end() || !found->is_string())
        return dataError(Phrase::tr("there is no text \"%1\"")(name));
      *to = found->get<std::string>();
    }
    if (!m_ids.insert(question.id).second) return dataError(Phrase::tr("the id comes twice"));
    const auto impossible = json.find("is_impossible");
    if (impossible != json.end()) {
      if (!impossible->is_boolean())
        return dataError(Phrase::tr("\"%1\" is neither true nor false: %2")("is_impossible",
                                                                            shownValue(impossible->dump())));
      question.impossible = impossible->get<bool>();
    }
    const auto answers = json.find("answers");
    if (question.impossible || answers == json.end()) return question;
    if (!answers->is_array() || answers->size() > kMostAnswersOfQuestion)
      return dataError(Phrase::tr("\"%1\" is no list of at most %2")("answers", kMostAnswersOfQuestion));
    for (const Json& answer : *answers) {
      const bool sound = answer.is_object() && answer.contains("text") && answer["text"].is_string() &&
                         answer.contains("answer_start") && answer["answer_start"].is_number_integer();
      if (!sound)
        return dataError(Phrase::tr("an answer has no text or no whole number \"answer_start\": %1")(
            shownValue(answer.dump())));
      question.answers.push_back(
          {answer["text"].get<std::string>(), answer["answer_start"].get<std::int64_t>()});
    }
    return question;
  }

  const std::string& m_path;
  bool m_skipBad;
  SquadFile m_file;
  std::set<std::string> m_ids;
};

}  // namespace

Result<SquadFile> readSquadFile(const std::string& path, bool skipBad) {
  return SquadReader(path, skipBad).read();
}

}  // namespace fathom
