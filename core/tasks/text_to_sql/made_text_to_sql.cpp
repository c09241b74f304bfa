// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/made_text_to_sql.h"

#include <set>
#include <tuple>

#include "core/base/files/atomic_file.h"
#include "core/spider/data/made_spider.h"
#include "core/spider/inputs/schema_items.h"
#include "core/spider/linking/question_tokens.h"
#include "core/text/lower_case.h"

namespace fathom {

namespace {

void addWords(const std::vector<std::string>& tokens, std::set<std::string>& words) {
  for (const std::string& token : tokens) words.insert(toLowerCase(token));
}

// Examples of several seeds: the same templates with other words and numbers.
Json sampleRecords(std::uint64_t first, int seeds, std::set<std::string>& words) {
  Json records = Json::array();
  for (int i = 0; i < seeds; ++i) {
    for (const MadeSpiderExample& example : makeSpiderData(first + static_cast<std::uint64_t>(i)).examples) {
      const auto tokens = wordsOfText(example.question);
      addWords(tokens, words);
      records.push_back({{"db_id", example.dbId},
                         {"query", example.gold},
                         {"question", example.question},
                         {"question_toks", tokens}});
    }
  }
  return records;
}

// Whole words, and letters and digits for whatever else is asked.
std::string sampleVocabulary(const std::set<std::string>& words, int& pieces) {
  std::set<std::string> all(words);
  for (char c = '!'; c <= '~'; ++c) {
    if (c >= 'A' && c <= 'Z') continue;
    all.insert(std::string(1, c));
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) all.insert("##" + std::string(1, c));
  }
  std::string text = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (const std::string& word : all) text += word + "\n";
  pieces = static_cast<int>(all.size()) + 5;
  return text;
}

}  // namespace

Json madeTextToSqlFiles(const std::string& folder) {
  return {{"data.train", folder + "/train.json"},
          {"data.validation", folder + "/validation.json"},
          {"data.test", folder + "/test.json"},
          {"spider.tables", folder + "/tables.json"},
          {"spider.vocabulary.file", folder + "/vocabulary.txt"}};
}

Result<MadeData> writeMadeTextToSql(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  const MadeSpider data = makeSpiderData(seed);
  FATHOM_CHECK(makeFolders(folder));
  FATHOM_TRY(const SpiderSchemas schemas, parseSpiderTables(data.tablesJson, "tables.json"));
  std::set<std::string> words;
  for (const auto& [id, schema] : schemas)
    for (const std::string& text : schemaItems(schema).texts) addWords(wordsOfText(text), words);
  const std::uint64_t seeds = size == MadeDataSize::Check ? 2 : 12;
  const Json files = madeTextToSqlFiles(folder);
  const std::tuple<const char*, std::uint64_t, std::uint64_t> parts[] = {
      {"data.train", seed, seeds}, {"data.validation", seed + seeds, 1}, {"data.test", seed + seeds + 1, 1}};
  for (const auto& [key, first, count] : parts)
    FATHOM_CHECK(writeFileAtomically(files[key].get<std::string>(),
                                     sampleRecords(first, static_cast<int>(count), words).dump(1)));
  FATHOM_CHECK(writeFileAtomically(files["spider.tables"].get<std::string>(), data.tablesJson));
  MadeData made;
  const std::string vocabulary = sampleVocabulary(words, made.pieces);
  FATHOM_CHECK(writeFileAtomically(files["spider.vocabulary.file"].get<std::string>(), vocabulary));
  made.options = {{"spider.vocabulary.kind", "wordpiece"},
                  {"spider.vocabulary.lower_case", true},
                  {"spider.train_others", ""},
                  {"spider.databases", ""}};  // made by whoever has SQLite (writeMadeSpider)
  made.options.update(files);
  return made;
}

}  // namespace fathom
