// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/place_record.h"

#include <QStandardPaths>
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/runner/launcher.h"
#include "core/base/errors/error_key.h"
#include "core/base/errors/error_words.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/text/text_list.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

namespace {

constexpr const char* kFileName = "places.json";
constexpr std::size_t kMostPlaceBytes = std::size_t{1} << 20;
constexpr const char* kKeys[] = {"launcher", "transport", "root", "resources", "limits", "head", "before"};

Error about(const std::string& file, const std::string& id, const std::string& key, Error error) {
  Error named = withMessage(error, Phrase::tr("place '%1': %2")(id, error.messagePhrase()));
  named.kind = ErrorKind::Data;
  named.key = key;
  named.file = file;
  return named;
}

bool isName(const std::string& id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
}

Result<std::string> textIn(const Json& json, const char* key, const std::string& otherwise) {
  const auto found = json.find(key);
  if (found == json.end()) return otherwise;
  if (found->is_string()) return found->get<std::string>();
  return dataError(Phrase::tr("'%1' is not a text: %2")(key, asText(*found)));
}

// Each is one line: what comes after a line's end would be a line that nobody has looked at.
Result<std::vector<std::string>> linesIn(const Json& json, const char* key) {
  std::vector<std::string> lines;
  const auto found = json.find(key);
  if (found == json.end()) return lines;
  if (!found->is_array())
    return dataError(Phrase::tr("'%1' is not a list of lines: %2")(key, asText(*found)));
  for (const Json& line : *found) {
    if (!line.is_string() || line.get<std::string>().find_first_of("\r\n") != std::string::npos)
      return dataError(Phrase::tr("'%1' holds what is not one line: %2")(key, asText(line)));
    lines.push_back(line.get<std::string>());
  }
  return lines;
}

Result<OptionValues> valuesIn(const Json& json, const char* key, const std::vector<OptionField>& fields) {
  OptionValues values(OptionSchema(fields, {}));
  const auto found = json.find(key);
  if (found == json.end()) return values;
  if (!found->is_object()) return dataError(Phrase::tr("'%1' is not an object: %2")(key, asText(*found)));
  FATHOM_CHECK(values.merge(*found, key));
  FATHOM_CHECK(values.check());
  return values;
}

Status checkKeys(const Json& json) {
  for (const auto& item : json.items()) {
    const std::string& key = item.key();
    if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys))
      return aboutKey(key, dataError(Phrase::tr("there is no key '%1'")(key),
                                     Phrase::tr("there are: %1")(joined(kKeys))));
  }
  return {};
}

Status checkReach(const PlaceRecord& record, const LauncherEntry& launcher) {
  if (record.transport != "here")
    return aboutKey("transport", dataError(Phrase::tr("there is no transport '%1'")(record.transport),
                                           Phrase::tr("there are: %1")("here")));
  if (!record.root.empty() && !launcher.elsewhere)
    return aboutKey("root",
                    dataError(Phrase::tr("'root' is said of a place that shares this disk: %1")(record.root),
                              Phrase::tr("leave it out: runs stay in their project")));
  if (!launcher.hasScript && !(record.head.empty() && record.before.empty()))
    return aboutKey(record.head.empty() ? "before" : "head",
                    dataError(Phrase::tr("launcher '%1' starts engines without a script")(launcher.id),
                              Phrase::tr("leave out the lines")));
  if (!launcher.hasHead && !record.head.empty())
    return aboutKey("head", dataError(Phrase::tr("launcher '%1' has no script with a head")(launcher.id),
                                      Phrase::tr("leave out the lines")));
  return launcher.check ? launcher.check(record) : Status();
}

Result<PlaceRecord> recordIn(const std::string& id, const Json& json) {
  if (!isName(id))
    return aboutKey("name", dataError(Phrase::tr("'%1' is no name of a place")(id),
                                      Phrase::tr("letters, digits, '.', '_' and '-'")));
  if (id == kLocalPlace)
    return aboutKey(
        "name", dataError(Phrase::tr("'%1' is this machine")(id), Phrase::tr("give the place another name")));
  if (!json.is_object()) return dataError(Phrase::tr("it is not an object: %1")(asText(json)));
  FATHOM_CHECK(checkKeys(json));
  PlaceRecord record;
  record.id = id;
  FATHOM_TRY(record.launcher, textIn(json, "launcher", kLocalPlace));
  FATHOM_TRY(const LauncherEntry* launcher, findLauncher(record.launcher));
  FATHOM_TRY(record.transport, textIn(json, "transport", record.transport));
  FATHOM_TRY(record.root, textIn(json, "root", {}));
  FATHOM_TRY(record.resources, valuesIn(json, "resources", launcher->resources));
  FATHOM_TRY(record.limits, valuesIn(json, "limits", launcher->limits));
  FATHOM_TRY(record.head, linesIn(json, "head"));
  FATHOM_TRY(record.before, linesIn(json, "before"));
  FATHOM_CHECK(checkReach(record, *launcher));
  return record;
}

Result<Json> placesIn(const std::string& file) {
  FATHOM_TRY(const bool there, isThere(file));
  if (!there) return Json::object();
  FATHOM_TRY(const Json json, readJsonFile(file, {32, kMostPlaceBytes, false}));
  const auto found = json.is_object() ? json.find("places") : json.end();
  if (!json.is_object() || found == json.end() || !found->is_object())
    return dataErrorAt(file, 0, Phrase::tr("\"places\" is missing or no object"),
                       Phrase::tr("{\"format\": 1, \"places\": {\"NAME\": {\"launcher\": …}}}"));
  return *found;
}

}  // namespace

std::string placesFile(const std::string& project) {
  return project + "/" + kFileName;
}

std::string userPlacesFile() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation).toStdString() + "/fathom/" +
         kFileName;
}

Result<PlaceRecord> placeFromJson(const std::string& id, const Json& json, const std::string& source) {
  auto record = recordIn(id, json);
  if (!record.ok()) return about(source, id, record.error().key, record.error());
  record->file = source;
  return record;
}

Json placeToJson(const PlaceRecord& record) {
  Json json = {{"launcher", record.launcher}, {"transport", record.transport}};
  if (!record.root.empty()) json["root"] = record.root;
  if (Json values = record.resources.minimal(); !values.empty()) json["resources"] = values;
  if (Json values = record.limits.minimal(); !values.empty()) json["limits"] = values;
  if (!record.head.empty()) json["head"] = record.head;
  if (!record.before.empty()) json["before"] = record.before;
  return json;
}

Result<std::vector<PlaceRecord>> readPlaces(const std::string& project) {
  std::vector<PlaceRecord> places;
  const auto has = [&](const std::string& id) {
    return std::any_of(places.begin(), places.end(), [&](const PlaceRecord& each) { return each.id == id; });
  };
  std::vector<std::string> files;
  if (!project.empty()) files.push_back(placesFile(project));
  files.push_back(userPlacesFile());
  for (const std::string& file : files) {
    FATHOM_TRY(const Json json, placesIn(file));
    for (const auto& [id, value] : json.items()) {
      FATHOM_TRY(PlaceRecord record, placeFromJson(id, value, file));
      if (!has(id)) places.push_back(std::move(record));
    }
  }
  for (const LauncherEntry& launcher : launcherEntries()) {
    if (has(launcher.id)) continue;
    PlaceRecord record;
    record.id = record.launcher = launcher.id;
    record.resources = OptionValues(OptionSchema(launcher.resources, {}));
    record.limits = OptionValues(OptionSchema(launcher.limits, {}));
    places.push_back(std::move(record));
  }
  return places;
}

Result<PlaceRecord> findPlace(const std::string& project, const std::string& id) {
  FATHOM_TRY(const auto places, readPlaces(project));
  for (const PlaceRecord& place : places)
    if (place.id == id) return place;
  return unavailableError(
      Phrase::tr("there is no place '%1'")(id),
      Phrase::tr("there are: %1")(joined(places, ", ", [](const PlaceRecord& place) { return place.id; })));
}

Status savePlace(const std::string& file, const PlaceRecord& record) {
  FATHOM_TRY(Json places, placesIn(file));
  places[record.id] = placeToJson(record);
  std::error_code code;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), code);
  return writeFileAtomically(file, Json{{"format", 1}, {"places", places}}.dump(2) + "\n");
}

Status removePlace(const std::string& file, const std::string& id) {
  FATHOM_TRY(Json places, placesIn(file));
  if (places.erase(id) == 0)
    return aboutFile(file, unavailableError(Phrase::tr("there is no place '%1'")(id)));
  return writeFileAtomically(file, Json{{"format", 1}, {"places", places}}.dump(2) + "\n");
}

}  // namespace fathom
