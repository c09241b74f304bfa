// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/place_field.h"

#include <algorithm>

#include "app/runner/device_slots.h"
#include "app/runner/place_list.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"

namespace fathom {

OptionField placeField() {
  return textField("place", "Place", "Where it is started: a name that 'fathom places' lists.", kLocalPlace);
}

OptionField placesField() {
  return listField(
      "place", "Places",
      "Where the runs are started: names of places, with commas or repeated. Several share the runs by "
      "their free slots.",
      Json::array({kLocalPlace}));
}

Result<AskedPlace> askedPlace(const std::string& project, const OptionValues& options) {
  FATHOM_TRY(const PlaceRecord record, findPlace(project, options.text("place")));
  return AskedPlace{record.id, record.launcher == kLocalPlace};
}

Status checkStartsScripts(const AskedPlace& place) {
  if (place.here) return {};
  return unavailableError(
      Phrase::tr("a command of one's own is started on this machine only, not at %1")(place.id),
      Phrase::tr("leave --place away"));
}

Result<AskedPlaces> askedPlaces(const std::string& project, const OptionValues& options) {
  AskedPlaces asked;
  for (const std::string& words : options.texts("place"))
    for (const std::string_view word : splitAt(words, ',')) {
      const std::string id(trimmed(word));
      if (id.empty() || std::find(asked.ids.begin(), asked.ids.end(), id) != asked.ids.end()) continue;
      FATHOM_TRY(const PlaceRecord record, findPlace(project, id));
      asked.ids.push_back(record.id);
      (record.launcher == kLocalPlace ? asked.here : asked.elsewhere) = true;
    }
  if (asked.ids.empty()) asked = {{kLocalPlace}, true, false};
  return asked;
}

Result<std::string> shareOutAmong(const std::string& project, const AskedPlaces& places,
                                  const EngineDescription& engine, std::vector<QueueEntry>& entries) {
  FATHOM_TRY(const QueueSettings settings, QueueFolder(project).settings());
  FATHOM_CHECK(shareOutEntries(project, places.ids, runsAtOnceHere(engine, settings), entries));
  return joined(places.ids, ", ", [&](const std::string& id) {
    const auto count = std::count_if(entries.begin(), entries.end(),
                                     [&](const QueueEntry& entry) { return entry.place == id; });
    return id + " " + std::to_string(count);
  });
}

}  // namespace fathom
