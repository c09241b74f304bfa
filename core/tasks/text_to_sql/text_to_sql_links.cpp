// SPDX-License-Identifier: Apache-2.0
// Links of a task's examples to look at and to change.
#include <map>
#include <set>
#include <tuple>

#include "core/base/errors/phrase.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/linking/question_tokens.h"
#include "core/tasks/text_to_sql/text_to_sql_task.h"

namespace fathom {

namespace {

std::string questionText(const SpiderExample& example) {
  std::string text;
  for (const std::string& word : example.questionTokens) text += (text.empty() ? "" : " ") + word;
  return text;
}

using QuestionOf = std::pair<std::string, std::string>;  // database, question
using ChangesOf = std::map<QuestionOf, std::vector<const LinkChange*>>;

QuestionOf questionOf(const SpiderExample& example) {
  return {example.dbId, questionText(example)};
}

// Items are the tables, the extra one last, then the columns.
Status applyChanges(const std::vector<const LinkChange*>& changes, SchemaLinks& links) {
  for (const LinkChange* change : changes) {
    if (change->item < 0 || change->item >= links.tables + links.columns || change->word < 0 ||
        change->word >= links.tokens || change->code >= kLinkCodes)
      return dataError(Phrase::tr("no link of word %1 and item %2 with code %3 in \"%4\"")(
          change->word, change->item, int{change->code}, change->question));
    const auto code = static_cast<LinkCode>(change->code);
    if (change->item < links.tables)
      links.tableLink(change->item, change->word) = code;
    else
      links.columnLink(change->item - links.tables, change->word) = code;
  }
  return {};
}

}  // namespace

Result<LinkedQuestion> TextToSqlTask::linked(const SpiderExample& example) const {
  const std::int64_t database = m_databases->find(example.dbId);
  if (database < 0) {
    const Phrase hint = m_databases->hintFor(example.dbId);
    return dataError(Phrase::tr("database \"%1\" is unknown")(example.dbId), hint);
  }
  if (questionWords(example.questionTokens).empty())
    return dataError(Phrase::tr("a question without words (database \"%1\")")(example.dbId));
  return m_linking.linker->linked(example, *m_databases->at(database).schema);
}

Result<ExampleLinks> TextToSqlTask::exampleLinks(DataSplit split, ExampleId example) const {
  if (example.value < 0 || example.value >= exampleCount(split))
    return usageError(
        Phrase::tr("there is no example %1, the last one is %2")(example.value, exampleCount(split) - 1));
  const SpiderExample& one = part(split).source[static_cast<std::size_t>(example.value)];
  FATHOM_TRY(const LinkedQuestion question, linked(one));
  const SchemaItems& schema = m_databases->at(m_databases->find(one.dbId)).items;
  ExampleLinks links;
  std::tie(links.database, links.question) = questionOf(one);
  for (const QuestionToken& token : question.tokens) links.words.push_back(token.surface);
  for (const std::string& table : schema.tables) links.items.push_back({table, true});
  for (const SchemaItems::Column& column : schema.columns) {
    const std::string table =
        column.table < 0 ? std::string() : schema.tables[static_cast<std::size_t>(column.table)] + ".";
    links.items.push_back({table + column.name, false});
  }
  links.codes.reserve(links.items.size() * links.words.size());
  for (const auto* cells : {&question.links.table, &question.links.column})
    for (const LinkCode code : *cells) links.codes.push_back(static_cast<std::uint8_t>(code));
  return links;
}

Result<std::string> TextToSqlTask::linkFileWith(const std::vector<LinkChange>& changes, Progress& progress,
                                                const StopToken& stop) const {
  ChangesOf wanted;
  for (const LinkChange& change : changes) wanted[{change.database, change.question}].push_back(&change);
  std::size_t count = 0;
  for (const SqlPart& part : m_parts) count += part.source.size();
  progress.begin(Phrase::tr("linking").english, Phrase::tr("examples").english, static_cast<double>(count));
  std::string text = linkFileHead(m_linking.used, m_hashes.empty() ? "" : m_hashes.front().sha256);
  std::set<QuestionOf> written;
  std::size_t done = 0;
  for (const SqlPart& part : m_parts) {
    for (const SpiderExample& example : part.source) {
      if ((done++ & 0x3F) == 0) {
        if (stop.stopRequested()) return interruptedError();
        progress.report(static_cast<double>(done));
      }
      QuestionOf key = questionOf(example);
      if (written.contains(key)) continue;
      auto question = linked(example);
      if (!question) continue;
      if (const auto found = wanted.find(key); found != wanted.end()) {
        FATHOM_CHECK(applyChanges(found->second, question->links));
        wanted.erase(found);
      }
      text += linkFileLine(example.dbId, example.questionTokens, *question);
      written.insert(std::move(key));
    }
  }
  progress.finish();
  if (!wanted.empty())
    return dataError(Phrase::tr("no example of database \"%1\" asks \"%2\"")(wanted.begin()->first.first,
                                                                             wanted.begin()->first.second),
                     Phrase::tr("its links were changed with other data: undo that"));
  return text;
}

Json TextToSqlTask::optionsForLinkFile(const std::string& file) const {
  return {{"spider.linking", "file"}, {"spider.links", file}};
}

}  // namespace fathom
