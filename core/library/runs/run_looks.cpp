// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/run_looks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/files/hash.h"
#include "core/base/numbers/series_look.h"
#include "core/base/options/seed_options.h"
#include "core/library/records/library_error.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

namespace {

struct NamedColour {
  std::string_view name;
  int hue;
};
constexpr std::array<NamedColour, 6> kNamedColours = {
    {{"blue", 0}, {"vermilion", 1}, {"green", 2}, {"purple", 3}, {"orange", 4}, {"sky", 5}}};

std::string hexOf(std::uint64_t value, int digits) {
  std::string text(static_cast<std::size_t>(digits), '0');
  for (std::size_t i = text.size(); i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15U];
  return text;
}

// Value of "#rrggbb"; std::nullopt for anything else.
std::optional<std::uint32_t> rgbOf(const std::string& colour) {
  if (colour.size() != 7 || colour[0] != '#') return std::nullopt;
  std::uint32_t rgb = 0;
  for (const char digit : colour.substr(1)) {
    const auto letter = static_cast<unsigned char>(digit);
    if (std::isxdigit(letter) == 0) return std::nullopt;
    rgb = rgb * 16 + static_cast<std::uint32_t>(std::isdigit(letter) != 0 ? letter - '0'
                                                                          : std::tolower(letter) - 'a' + 10);
  }
  return rgb;
}

}  // namespace

std::string configurationWord(const std::string& uuid, const Json& options, const std::string& origin) {
  if (!options.is_object() || options.empty()) return "run " + uuid;
  // Sorted: the order in which options are recorded does not count.
  std::map<std::string, const Json*> deciding;
  for (const auto& [key, value] : options.items())
    if (setsRunsApart(key)) deciding.emplace(key, &value);
  if (deciding.empty()) return "from " + origin;
  std::uint64_t hash = origin.empty() ? 0 : 1;
  for (const auto& [key, value] : deciding)
    hash = stableHash(value->dump(-1, ' ', false, Json::error_handler_t::replace), stableHash(key, hash));
  return hexOf(hash, 16);
}

LookGiver::LookGiver(StoredLooks known)
    : m_looks(std::move(known)), m_configurations(kSeriesHues), m_freeFrom(kSeriesHues) {
  for (const auto& [uuid, look] : m_looks) learn(look);
}

void LookGiver::learn(const StoredLook& look) {
  const int hue = look.number % kSeriesHues;
  m_taken.insert(look.number);
  if (m_hueOf.try_emplace(look.configuration, hue).second) ++m_configurations[static_cast<std::size_t>(hue)];
}

int LookGiver::numberOf(const std::string& uuid, const Json& options, const std::string& origin) {
  if (const auto known = m_looks.find(uuid); known != m_looks.end()) return known->second.number;
  StoredLook look{configurationWord(uuid, options, origin), 0};
  const auto configured = m_hueOf.find(look.configuration);
  const auto rarest = std::min_element(m_configurations.begin(), m_configurations.end());
  const auto hue = configured != m_hueOf.end() ? static_cast<std::size_t>(configured->second)
                                               : static_cast<std::size_t>(rarest - m_configurations.begin());
  int& variant = m_freeFrom[hue];
  const auto numberAt = [hue](int at) { return static_cast<int>(hue) + kSeriesHues * at; };
  while (m_taken.contains(numberAt(variant))) ++variant;
  look.number = numberAt(variant);
  learn(look);
  m_fresh.push_back(uuid);
  return m_looks.emplace(uuid, std::move(look)).first->second.number;
}

std::vector<std::string> LookGiver::takeFresh() {
  return std::exchange(m_fresh, {});
}

Result<StoredLooks> storedLooks(ProjectLibrary& library) {
  return guarded(library.path(), [&]() -> Result<StoredLooks> {
    StoredLooks looks;
    SQLite::Statement query(library.database(), "SELECT run, configuration, number FROM run_look");
    while (query.executeStep()) {
      StoredLook& look = looks[query.getColumn(0).getString()];
      look.configuration = query.getColumn(1).getString();
      look.number = std::clamp(query.getColumn(2).getInt(), 0, series_look::kChosen - 1);
    }
    return looks;
  });
}

Status storeLooks(ProjectLibrary& library, const StoredLooks& looks) {
  if (looks.empty() || library.readOnly()) return {};
  return transacted(library.database(), library.path(), [&]() -> Status {
    SQLite::Statement insert(library.database(),
                             "INSERT OR IGNORE INTO run_look (run, configuration, number) VALUES (?, ?, ?)");
    for (const auto& [uuid, look] : looks) {
      SQLite::bind(insert, uuid, look.configuration, look.number);
      insert.exec();
      insert.reset();
    }
    return {};
  });
}

int shownLook(int number, const std::string& chosenColour) {
  const auto rgb = rgbOf(chosenColour);
  return rgb ? inColour(number, *rgb) : number;
}

Result<std::map<std::string, int>> shownLooks(ProjectLibrary& library) {
  FATHOM_TRY(const StoredLooks looks, storedLooks(library));
  FATHOM_TRY(const auto notes, library.allRunNotes());
  std::map<std::string, int> shown;
  for (const auto& [uuid, look] : looks) {
    const auto note = notes.find(uuid);
    shown[uuid] = shownLook(look.number, note == notes.end() ? std::string() : note->second.colour);
  }
  return shown;
}

Status keepLooks(ProjectLibrary& library, const std::vector<std::string>& uuids) {
  FATHOM_TRY(const auto index, CurveIndex::open(library.path()));
  return RunListing(library, index.get()).select(uuids, [](const RunRow&) {});
}

Status giveLooks(ProjectLibrary& library, const std::vector<std::pair<std::string, Json>>& runs) {
  FATHOM_TRY(StoredLooks known, storedLooks(library));
  LookGiver giver(std::move(known));
  for (const auto& [uuid, options] : runs) giver.numberOf(uuid, options, {});
  StoredLooks given;
  for (const std::string& uuid : giver.takeFresh()) given.insert(*giver.looks().find(uuid));
  return storeLooks(library, given);
}

Result<std::string> colourText(const std::string& word) {
  if (word.empty() || word == "automatic") return std::string();
  for (const NamedColour& named : kNamedColours)
    if (named.name == word) return "#" + hexOf(kSeriesPalette[static_cast<std::size_t>(named.hue)], 6);
  if (const auto rgb = rgbOf(word)) return "#" + hexOf(*rgb, 6);
  return usageError(Phrase::tr("'%1' is not a colour")(word),
                    Phrase::tr("blue, vermilion, green, purple, orange, sky, automatic, or #rrggbb"));
}

}  // namespace fathom
