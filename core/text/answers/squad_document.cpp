// SPDX-License-Identifier: Apache-2.0
#include "core/text/answers/squad_document.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/errors/phrase.h"
#include "core/base/json/json_line.h"
#include "core/base/json/json_members.h"
#include "core/base/text/byte_order_mark.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

Phrase squadLayouts() {
  return Phrase::tr(
      "SQuAD's layout is expected (data, paragraphs, context, qas), or rows with id, context, question, "
      "answers: as a list or one a line");
}

std::string memberNames(const Json& object) {
  std::vector<std::string> names;
  for (const auto& member : object.items()) names.push_back("\"" + member.key() + "\"");
  return shownValue(joined(names));
}

// {"text": […], "answer_start": […]}, as `datasets` keeps them, becomes a list of {"text", "answer_start"}.
Phrase spreadAnswers(Json& answers) {
  const Json texts = answers.value("text", Json()), starts = answers.value("answer_start", Json());
  if (!texts.is_array() || (!starts.is_array() && !starts.is_null()))
    return Phrase::tr("\"answers\" has no lists \"text\" and \"answer_start\": %1")(
        shownValue(answers.dump()));
  if (starts.is_array() && starts.size() != texts.size())
    return Phrase::tr("\"answers\" has %1 texts and %2 \"answer_start\"")(texts.size(), starts.size());
  Json list = Json::array();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Json answer = {{"text", texts[i]}};
    if (starts.is_array()) answer["answer_start"] = starts[i];
    list.push_back(std::move(answer));
  }
  answers = std::move(list);
  return {};
}

// The first line by itself is an object, and others follow.
bool areSquadLines(std::string_view text) {
  std::string_view line, rest = text;
  if (!takeWholeLine(rest, line) || strip(rest).empty()) return false;
  const auto first = parseJson(line);
  return first.ok() && first->is_object();
}

}  // namespace

class SquadDocumentReader {
 public:
  SquadDocumentReader(std::string_view bytes, const std::string& path) : m_path(path) {
    m_document.m_bytes = bytes;
  }

  Result<SquadDocument> read() {
    const std::string_view text = withoutByteOrderMark(m_document.m_bytes);
    if (areSquadLines(text)) {
      FATHOM_CHECK(readLines(text));
    } else {
      FATHOM_TRY(Json whole, parseJson(m_document.m_bytes, m_path));
      FATHOM_CHECK(readWhole(whole));
    }
    if (m_anyAnswer)
      for (const std::size_t open : m_unanswered) m_document.questions[open].value["is_impossible"] = true;
    return std::move(m_document);
  }

 private:
  Status readLines(std::string_view text) {
    SquadDocument::Place place{.record = 0};
    LinesOf lines(text);
    for (std::string_view line; lines.next(line); ++place.record) {
      ++place.line;
      if (strip(line).empty()) continue;
      auto record = parseJson(line);
      if (record.ok())
        FATHOM_CHECK(takeRecord(*record, place));
      else
        addFault(place, record.error().messagePhrase());
    }
    return {};
  }

  Status readWhole(Json& json) {
    if (json.is_object()) {
      const auto data = json.find("data");
      if (data != json.end() && data->is_array()) {
        m_document.m_underData = true;
        return readList(*data);
      }
      // One row, paragraph or article by itself.
      const auto context = json.find("context");
      const bool columns = context != json.end() && context->is_structured();
      if (isRecord(json) && !columns) return takeRecord(json, {});
      return dataErrorAt(m_path, 0,
                         Phrase::tr("there is no list \"%1\", the file is an object with the members %2")(
                             "data", memberNames(json)),
                         squadLayouts());
    }
    if (json.is_array()) return readList(json);
    return dataErrorAt(m_path, 0, Phrase::tr("the file is neither an object nor a list"), squadLayouts());
  }
  Status readList(Json& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      FATHOM_CHECK(takeRecord(list[i], {.record = static_cast<std::int64_t>(i)}));
    return {};
  }

  static bool isRecord(const Json& json) {
    return json.contains("paragraphs") || json.contains("qas") || json.contains("question") ||
           (json.contains("context") && json.contains("id"));
  }
  Status takeRecord(Json& record, SquadDocument::Place place) {
    if (!record.is_object()) {
      addFault(place, Phrase::tr("a question is an object"));
      return {};
    }
    if (record.contains("paragraphs")) return takeArticle(record, place);
    if (record.contains("qas"))
      return takeParagraph(record, memberText(record, "title"), sharedArticle(record), place);
    if (isRecord(record)) return takeRow(record, place), Status();
    return dataErrorAt(
        m_path, lineOf(place),
        Phrase::tr("record %1 is neither an article (\"paragraphs\"), nor a paragraph (\"qas\"), nor a row "
                   "(\"question\"): it has the members %2")(std::max(place.record, std::int64_t{0}) + 1,
                                                            memberNames(record)),
        squadLayouts());
  }

  Status takeArticle(Json& article, SquadDocument::Place place) {
    Json& paragraphs = article["paragraphs"];
    if (!paragraphs.is_array())
      return dataErrorAt(m_path, lineOf(place),
                         Phrase::tr("article %1 has no list \"%2\"")(m_articles + 1, "paragraphs"));
    const std::size_t number = m_articles++;
    const std::string title = memberText(article, "title");
    for (Json& paragraph : paragraphs) {
      ++place.paragraph;
      FATHOM_CHECK(takeParagraph(paragraph, title, number, place));
    }
    return {};
  }
  Status takeParagraph(Json& paragraph, const std::string& title, std::size_t article,
                       SquadDocument::Place place) {
    const bool isObject = paragraph.is_object();
    const auto context = isObject ? paragraph.find("context") : paragraph.end();
    const auto questions = isObject ? paragraph.find("qas") : paragraph.end();
    if (!isObject || context == paragraph.end() || !context->is_string() || questions == paragraph.end() ||
        !questions->is_array())
      return dataErrorAt(
          m_path, lineOf(place),
          Phrase::tr("a paragraph of article %1 has no text \"context\" or no list \"qas\"")(article + 1));
    const std::size_t passage = m_document.passages.size();
    m_document.passages.push_back({title, context->get<std::string>(), article});
    for (Json& question : *questions) {
      ++place.question;
      addQuestion(passage, std::move(question), place);
    }
    return {};
  }

  void takeRow(Json& row, const SquadDocument::Place& place) {
    const auto context = row.find("context");
    if (context == row.end() || !context->is_string())
      return addFault(place, Phrase::tr("there is no text \"%1\"")("context"), std::move(row));
    std::string title = memberText(row, "title"), text = context->get<std::string>();
    const auto [known, isNew] = m_passageOf.emplace(title + '\0' + text, m_document.passages.size());
    if (isNew) m_document.passages.push_back({std::move(title), std::move(text), sharedArticle(row)});
    Json question = Json::object();
    for (const char* member : {"id", "question", "answers", "is_impossible"})
      if (const auto found = row.find(member); found != row.end()) question[member] = std::move(*found);
    const bool said = question.contains("is_impossible");
    const std::size_t number = m_document.questions.size();
    addQuestion(known->second, std::move(question), place);
    const Json& answers = m_document.questions.back().value.value("answers", Json());
    if (!said && answers.is_array() && answers.empty()) m_unanswered.push_back(number);
  }
  // Rows and paragraphs by themselves belong together by their titles.
  std::size_t sharedArticle(const Json& record) {
    const auto [known, isNew] = m_articleOf.emplace(memberText(record, "title"), m_articles);
    if (isNew) ++m_articles;
    return known->second;
  }

  void addQuestion(std::size_t passage, Json question, const SquadDocument::Place& place) {
    Phrase fault;
    if (question.is_object()) {
      if (const auto id = question.find("id"); id != question.end() && id->is_number_integer())
        *id = id->dump();
      const auto answers = question.find("answers");
      if (answers != question.end() && answers->is_null()) {
        question.erase("answers");
      } else if (answers != question.end()) {
        if (answers->is_object()) fault = spreadAnswers(*answers);
        m_anyAnswer = m_anyAnswer || (answers->is_array() && !answers->empty());
      }
    }
    m_document.questions.push_back({passage, std::move(question), std::move(fault)});
    m_document.m_places.push_back(place);
  }
  void addFault(const SquadDocument::Place& place, const Phrase& fault, Json record = Json()) {
    m_document.questions.push_back({SquadDocument::kNoPassage, std::move(record), fault});
    m_document.m_places.push_back(place);
  }
  std::int64_t lineOf(const SquadDocument::Place& place) {
    m_document.questions.emplace_back();
    m_document.m_places.push_back(place);
    return m_document.lineOf(m_document.questions.size() - 1);
  }

  const std::string& m_path;
  SquadDocument m_document;
  std::unordered_map<std::string, std::size_t> m_passageOf, m_articleOf;
  std::size_t m_articles = 0;
  // Rows of `datasets` tell a question without an answer by empty lists alone; so do those of a part whose
  // answers are kept secret, where all of them are.
  std::vector<std::size_t> m_unanswered;
  bool m_anyAnswer = false;
};

Result<SquadDocument> SquadDocument::parse(std::string_view bytes, const std::string& path) {
  return SquadDocumentReader(bytes, path).read();
}

std::int64_t SquadDocument::lineOf(std::size_t question) const {
  const Place& place = m_places.at(question);
  if (place.line > 0) return place.line;
  std::vector<JsonStep> path;
  if (m_underData) path.emplace_back("data");
  if (place.record >= 0) path.emplace_back(static_cast<std::size_t>(place.record));
  if (place.paragraph >= 0) {
    path.emplace_back("paragraphs");
    path.emplace_back(static_cast<std::size_t>(place.paragraph));
  }
  if (place.question >= 0) {
    path.emplace_back("qas");
    path.emplace_back(static_cast<std::size_t>(place.question));
  }
  return lineOfJson(m_bytes, path);
}

}  // namespace fathom
