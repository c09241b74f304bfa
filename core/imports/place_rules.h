// SPDX-License-Identifier: Apache-2.0
// Places of a followed folder: which of them one reader reads with another, and their form in a record.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json/json_members.h"
#include "core/imports/record_text.h"
#include "core/imports/source_place.h"

namespace fathom {

inline constexpr const char* kEventFormat = "tensorboard";

inline bool standsIn(const std::string& path, const std::string& folder) {
  return folder.empty() || path == folder || path.starts_with(folder + "/");
}

// Its runs are folders, named by their paths.
inline bool ownsFolders(const std::string& format) {
  return format == "hf_trainer" || format == "lightning";
}

// Who reads `place` reads `other`, too.
inline bool isReadWith(const SourcePlace& other, const SourcePlace& place) {
  if (!standsIn(other.path, place.path)) return false;
  const bool both = other.format == kEventFormat && place.format == "hf_trainer";
  if (place.format != other.format && !both) return false;
  return place.format != "trackio" || other.path == place.path ||
         std::filesystem::path(other.path).parent_path() == place.path;
}

inline SourcePlace placeOfItem(const Json& item) {
  return {.path = ofRecord(memberText(item, "path")),
          .format = memberText(item, "format"),
          .name = ofRecord(memberText(item, "name"))};
}

inline Json itemOf(const SourcePlace& place) {
  return {{"path", recordText(place.path)}, {"format", place.format}, {"name", recordText(place.name)}};
}

inline std::vector<SourcePlace> placesOfItems(const Json& items) {
  std::vector<SourcePlace> places;
  for (const Json& item : items) places.push_back(placeOfItem(item));
  return places;
}

inline bool holdsPlace(const std::vector<SourcePlace>& places, const SourcePlace& place) {
  return std::any_of(places.begin(), places.end(), [&](const SourcePlace& other) {
    return other.path == place.path && (other.format == place.format || other.format == "auto");
  });
}

// Read already, or a folder around what is read already.
inline bool isReadAlready(const SourcePlace& place, const std::vector<SourcePlace>& followed) {
  return std::any_of(followed.begin(), followed.end(), [&](const SourcePlace& other) {
    return (other.path == place.path && other.format == place.format) || isReadWith(place, other) ||
           (other.format == place.format && standsIn(other.path, place.path));
  });
}

inline bool meetsEvents(const SourcePlace& place, const std::vector<SourcePlace>& followed) {
  return std::any_of(followed.begin(), followed.end(), [&](const SourcePlace& other) {
    return other.format == kEventFormat &&
           (standsIn(other.path, place.path) || standsIn(place.path, other.path));
  });
}

}  // namespace fathom
