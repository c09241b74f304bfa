// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <cstdio>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "core/base/text/csv.h"
#include "core/spider/data/made_spider.h"

namespace fathom {

namespace {

Status writeDatabase(const std::string& path, const std::string& sql) {
  std::remove(path.c_str());
  sqlite3* database = nullptr;
  char* message = nullptr;
  std::string fault;
  if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
      sqlite3_exec(database, ("BEGIN;" + sql + "COMMIT;").c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
    fault = message ? message : sqlite3_errmsg(database);
  }
  sqlite3_free(message);
  sqlite3_close(database);
  return fault.empty() ? Status() : Status(diskError(Phrase::words(path + ": " + fault)));
}

}  // namespace

Status writeMadeSpider(const MadeSpider& made, const std::string& folder) {
  std::string gold, careful, hasty, kinds = "index,careful,hasty\n";
  Json records = Json::array();
  for (std::size_t i = 0; i < made.examples.size(); ++i) {
    const auto& e = made.examples[i];
    gold += e.gold + "\t" + e.dbId + "\n";
    careful += e.careful + "\t" + e.dbId + "\n";
    hasty += e.hasty + "\t" + e.dbId + "\n";
    kinds += std::to_string(i) + "," + csvField(e.carefulKind) + "," + csvField(e.hastyKind) + "\n";
    records.push_back({{"db_id", e.dbId}, {"query", e.gold}, {"question", e.question}});
  }
  FATHOM_CHECK(makeFolders(folder + "/predictions"));
  const std::pair<const char*, const std::string*> files[] = {{"tables.json", &made.tablesJson},
                                                              {"dev_gold.sql", &gold},
                                                              {"predictions/careful.sql", &careful},
                                                              {"predictions/hasty.sql", &hasty},
                                                              {"predictions/known_kinds.csv", &kinds}};
  for (const auto& [name, text] : files) FATHOM_CHECK(writeFileAtomically(folder + "/" + name, *text));
  FATHOM_CHECK(writeFileAtomically(folder + "/dev.json", records.dump(1)));
  for (std::size_t i = 0; i < made.databases.size(); ++i) {
    const std::string place = folder + "/database/" + made.databases[i];
    FATHOM_CHECK(makeFolders(place));
    FATHOM_CHECK(writeDatabase(place + "/" + made.databases[i] + ".sqlite", made.databaseSql[i]));
  }
  return {};
}

}  // namespace fathom
