// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/library/records/project_library.h"

namespace fathom {

// Subject of an override (docs/error_categories.md): importing the same predictions again finds it,
// because nothing in the key comes from the file they were in.
struct OverrideKey {
  std::string dataset;        // content hash + split
  std::int64_t example = 0;   // stable index in the data set
  std::string normalisedSql;  // predicted SQL, normalised by the categorizer
  std::string preset;         // "paper_like", "tables_inferred", with version: "paper_like/1"
  bool operator==(const OverrideKey&) const = default;
};

// A category somebody set by hand; it always wins over the program.
struct CategoryOverride {
  OverrideKey key;
  std::string category;     // "column", "sketch", ...; "" = cleared
  std::string programSays;  // the program's category at that time
  std::string note;
  std::string author;
  std::string changed;  // ISO 8601 UTC
  std::string system;   // whose prediction it was made on; only tells where a stale one belongs
};

// One line of an override's history, newest first.
struct OverrideChange {
  std::int64_t id = 0;
  CategoryOverride value;
};

// Sets (or, with an empty category, clears) an override and keeps the history. Returns the override before.
Result<std::optional<CategoryOverride>> setOverride(ProjectLibrary& library, const CategoryOverride& value);
// The override of exactly this key.
Result<std::optional<CategoryOverride>> findOverride(ProjectLibrary& library, const OverrideKey& key);
// All of a data set and preset; for loading 10,000 predictions at once.
Result<std::vector<CategoryOverride>> overridesOf(ProjectLibrary& library, const std::string& dataset,
                                                  const std::string& preset);
Result<std::vector<OverrideChange>> overrideHistory(ProjectLibrary& library, const OverrideKey& key);

// All notes of a data set, by example and topic.
using ExampleNotes = std::map<std::pair<std::int64_t, std::string>, std::string>;
Result<ExampleNotes> exampleNotes(ProjectLibrary& library, const std::string& dataset);
// A free note on an example (edited SQL, a remark); `topic` tells kinds of notes apart. "" removes. Returns
// the text before.
Result<std::string> setExampleNote(ProjectLibrary& library, const std::string& dataset, std::int64_t example,
                                   const std::string& topic, const std::string& text);
Result<std::string> exampleNote(ProjectLibrary& library, const std::string& dataset, std::int64_t example,
                                const std::string& topic);

}  // namespace fathom
