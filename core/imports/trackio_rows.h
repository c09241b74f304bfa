// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/numbers/not_a_number.h"
#include "core/imports/foreign_database.h"

namespace fathom {

// Rows of a database of trackio, of any schema there was: columns are looked up, never assumed.
struct TrackioOwner {
  std::string id, name;  // `id` is "" before trackio 0.24: then the name tells runs apart
};
struct TrackioRow {
  TrackioOwner owner;
  double step = 0, time = kNaN;
  std::string log;  // id of the call, "" where it has none
  std::string metrics;
};
struct TrackioAlert {
  TrackioOwner owner;
  double step = 0, time = kNaN;
  std::string text;
};
struct TrackioLoad {
  TrackioOwner owner;
  double time = kNaN;
  std::string metrics;
};
struct TrackioRows {
  std::vector<TrackioRow> rows;
  std::vector<TrackioLoad> loads;
  std::vector<TrackioAlert> alerts;
  std::vector<std::pair<TrackioOwner, std::string>> configs;                          // all of them, as JSON
  std::vector<std::pair<TrackioOwner, std::pair<std::string, std::int64_t>>> unread;  // by table
  std::int64_t version = 0;                                                           // of the schema
  bool anew = false;  // another database lies in its place: everything comes again
  bool more = false;  // not all that there is
};
// How far one was read.
struct TrackioPlace {
  std::int64_t row = 0, alert = 0, load = 0;
  std::uint32_t sum = 0;  // CRC-32C of the last row
  std::string inode;
  Json state() const;
  void restore(const Json& state);
};
inline constexpr std::int64_t kKnownTrackioSchema = 2;

// What came behind `place`, which is moved. A data error names what the database lacks.
Result<ForeignDatabase::Outcome> readTrackioRows(ForeignDatabase& database, TrackioPlace& place,
                                                 const StopToken& stop, TrackioRows& out);
// Does it have trackio's tables?
bool isTrackio(SQLite::Database& database);

}  // namespace fathom
