// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spider/spider_schema.h"

namespace fathom::test {

// person(person_id*, name!, age!, city), club(club_id*, name!, city), membership(person_id!, club_id!, role,
// year), game(game_id*, home_club!, away_club!, goals!); "*" key, "!" not null.
inline const SpiderSchema& clubSchema() {
  static const SpiderSchema made = [] {
    const char* text = R"([{"db_id":"clubs","table_names_original":["person","club","membership","game"],
      "column_names_original":[[-1,"*"],[0,"person_id"],[0,"name"],[0,"age"],[0,"city"],[1,"club_id"],[1,"name"],[1,"city"],
        [2,"person_id"],[2,"club_id"],[2,"role"],[2,"year"],[3,"game_id"],[3,"home_club"],[3,"away_club"],[3,"goals"]],
      "primary_keys":[1,5,12],"foreign_keys":[[8,1],[9,5],[13,5],[14,5]]}])";
    SpiderSchema s = parseSpiderTables(text, "made").value().at("clubs");
    s.factsKnown = true;
    for (const int c : {2, 3, 6, 8, 9, 13, 14, 15}) s.columns[static_cast<std::size_t>(c)].notNull = true;
    return s;
  }();
  return made;
}

}  // namespace fathom::test
