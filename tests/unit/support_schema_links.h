// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/review/spider_values.h"
#include "core/spider/data/spider_tables.h"
#include "core/spider/linking/name_linking.h"

// A made schema, its values and a made WordNet, for the tests of linking.
namespace fathom::linking_case {

using Words = std::vector<std::string>;

// The codes of an item's row as digits: "0220".
inline std::string columnRow(const SchemaLinks& links, int item) {
  std::string row;
  for (int token = 0; token < links.tokens; ++token)
    row += std::to_string(static_cast<int>(links.columnLink(item, token)));
  return row;
}

inline SpiderSchemas singerSchemas() {
  const char* text = R"([{"db_id":"concert","table_names":["singer","concert hall"],
    "table_names_original":["Singer","Concert_Hall"],
    "column_names":[[-1,"*"],[0,"singer id"],[0,"name"],[0,"birth year"],[1,"hall name"],[1,"city"],[1,"opened"]],
    "column_names_original":[[-1,"*"],[0,"Singer_ID"],[0,"Name"],[0,"Birth_Year"],[1,"Hall_Name"],[1,"City"],[1,"Opened"]],
    "column_types":["text","number","text","number","text","text","time"],"primary_keys":[1],"foreign_keys":[]}])";
  return parseSpiderTables(text, "made").value();
}

inline StoredValues singerValues() {
  StoredDatabase database;
  database.columns = {{"singer", "name", {"ann lee", "o'neil", "bob_x"}, ""},
                      {"concert_hall", "city", {"new york", "rome"}, ""},
                      {"concert_hall", "opened", {"may 1990"}, ""}};
  return {{"concert", database}};
}

inline void writeText(const QString& path, const std::string& text) {
  if (!writeFileAtomically(path.toStdString(), text).ok()) qFatal("cannot write");
}

// Four nouns and two verbs, as WordNet's files say them.
inline void writeSmallWordNet(const QString& folder) {
  const std::string licence = "  1 This software and database is offered to all here.\n";
  const std::string first = "00000055 06 n 02 city 0 Metropolis 0 000 | a large town\n";
  const std::string data = licence + first;
  if (data.find("00000055") != licence.size() || licence.size() != 55) qFatal("offset %zu", licence.size());
  writeText(folder + "/data.noun", data);
  writeText(folder + "/index.noun",
            licence +
                "city n 1 0 1 0 00000055\nfly n 1 1 @ 1 0 00000055\nman n 1 0 1 0 00000055\n"
                "singer n 1 0 1 0 00000055\n");
  writeText(folder + "/noun.exc", "oxen ox\nmen man\n");
  writeText(folder + "/data.verb", data);
  writeText(folder + "/index.verb", licence + "live v 1 0 1 0 00000055\nfly v 1 0 1 0 00000055\n");
  writeText(folder + "/verb.exc", "flew fly\n");
  for (const char* part : {"adj", "adv"}) {
    for (const char* kind : {"data.", "index."}) writeText(folder + "/" + kind + part, licence);
    writeText(folder + "/" + part + ".exc", "");
  }
}

}  // namespace fathom::linking_case
