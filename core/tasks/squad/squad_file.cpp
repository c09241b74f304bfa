// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/squad_file.h"

#include <initializer_list>
#include <set>
#include <span>

#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/json/json.h"
#include "core/base/json/json_line.h"
#include "core/base/text/shown_value.h"

namespace fathom {

namespace {

constexpr std::size_t kMostAnswersOfQuestion = 1000;

class SquadReader {
 public:
  SquadReader(const std::string& path, bool skipBad) : m_path(path), m_skipBad(skipBad) {}

  Result<SquadFile> read() {
    FATHOM_TRY(m_bytes, readFile(m_path, JsonLimits().maxBytes));
    FATHOM_TRY(const Json json, parseJson(m_bytes, m_path));
    m_file.hash = {"", m_path, sha256Hex(m_bytes), static_cast<std::int64_t>(m_bytes.size())};
    const auto data = json.is_object() ? json.find("data") : json.end();
    if (!json.is_object() || data == json.end() || !data->is_array())
      return dataErrorAt(m_path, 0, Phrase::tr("there is no list \"%1\"")("data"),
                         Phrase::tr("SQuAD's layout is expected: data, paragraphs, context, qas"));
    for (std::size_t article = 0; article < data->size(); ++article) {
      const Json& one = (*data)[article];
      const auto paragraphs = one.is_object() ? one.find("paragraphs") : one.end();
      if (!one.is_object() || paragraphs == one.end() || !paragraphs->is_array())
        return dataErrorAt(m_path, lineOf({"data", article}),
                           Phrase::tr("article %1 has no list \"%2\"")(article + 1, "paragraphs"));
      for (std::size_t p = 0; p < paragraphs->size(); ++p)
        FATHOM_CHECK(takeParagraph((*paragraphs)[p], article, p));
    }
    if (m_file.questions.empty()) return dataErrorAt(m_path, 0, Phrase::tr("the file has no questions"));
    return std::move(m_file);
  }

 private:
  std::int64_t lineOf(std::initializer_list<JsonStep> path) const {
    return lineOfJson(m_bytes, std::span(path.begin(), path.size()));
  }
  Status takeParagraph(const Json& paragraph, std::size_t article, std::size_t number) {
    const bool isObject = paragraph.is_object();
    const auto context = isObject ? paragraph.find("context") : paragraph.end();
    const auto questions = isObject ? paragraph.find("qas") : paragraph.end();
    if (!isObject || context == paragraph.end() || !context->is_string() || questions == paragraph.end() ||
        !questions->is_array())
      return dataErrorAt(
          m_path, lineOf({"data", article, "paragraphs", number}),
          Phrase::tr("a paragraph of article %1 has no text \"context\" or no list \"qas\"")(article + 1));
    const auto passage = static_cast<std::int64_t>(m_file.passages.size());
    m_file.passages.push_back(context->get<std::string>());
    m_file.articles.push_back(static_cast<std::int64_t>(article));
    for (std::size_t q = 0; q < questions->size(); ++q) {
      const Json& json = (*questions)[q];
      Result<SquadQuestion> question = questionOf(json);
      const std::int64_t row = m_rows++;
      if (question.ok()) {
        question->row = row;
        question->passage = passage;
        m_file.impossible = m_file.impossible || question->impossible;
        if (question->answers.empty() && !question->impossible && m_file.unanswered++ == 0)
          m_file.firstUnanswered = question->id;
        m_file.questions.push_back(*std::move(question));
        continue;
      }
      const std::string id = json.is_object() && json.contains("id") ? shownValue(json["id"].dump()) : "?";
      const Phrase what = Phrase::tr("question %1: %2")(id, question.error().messagePhrase());
      if (m_skipBad && m_file.left > 0) {
        ++m_file.left;
        continue;
      }
      const Error error = dataErrorAt(m_path, lineOf({"data", article, "paragraphs", number, "qas", q}), what,
                                      Phrase::tr("mend it, or set data.bad_lines=skip"));
      if (!m_skipBad) return error;
      m_file.left = 1;
      m_file.firstLeft = Phrase::tr("line %1: %2")(error.line, what).english();
    }
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
  std::string m_bytes;
  bool m_skipBad;
  SquadFile m_file;
  std::set<std::string> m_ids;
  std::int64_t m_rows = 0;
};

}  // namespace

Result<SquadFile> readSquadFile(const std::string& path, bool skipBad) {
  return SquadReader(path, skipBad).read();
}

}  // namespace fathom
