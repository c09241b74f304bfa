// SPDX-License-Identifier: Apache-2.0
#include "core/library/figure_pins.h"

namespace fathom {

namespace {

Result<PinnedResult> resultFromJson(const Json& json) {
  PinnedResult pinned;
  pinned.run = json.at("run").get<std::string>();
  pinned.analysis = json.at("analysis").get<std::string>();
  pinned.checkpoint = json.at("checkpoint").get<std::string>();
  pinned.options = json.at("options");
  pinned.found = json.at("found").get<std::string>();
  if (!pinned.options.is_object())
    return dataError(Phrase::tr("\"options\" of a pinned result must be an object"));
  if (pinned.found.empty()) return pinned;
  pinned.key = json.at("key").get<std::string>();
  pinned.sha256 = json.at("sha256").get<std::string>();
  pinned.request = json.at("request");
  return pinned;
}

}  // namespace

Json FigurePins::toJson() const {
  Json json = {{"results", Json::array()}, {"lists", Json::array()}};
  for (const PinnedResult& pinned : results) {
    Json each = {{"run", pinned.run},
                 {"analysis", pinned.analysis},
                 {"checkpoint", pinned.checkpoint},
                 {"options", pinned.options},
                 {"found", pinned.found}};
    if (!pinned.found.empty())
      each.update({{"key", pinned.key}, {"sha256", pinned.sha256}, {"request", pinned.request}});
    json["results"].push_back(std::move(each));
  }
  for (const PinnedList& list : lists)
    json["lists"].push_back(
        {{"run", list.run}, {"analysis", list.analysis}, {"checkpoints", list.checkpoints}});
  return json;
}

Result<FigurePins> figurePinsFromJson(const Json& json) {
  try {
    FigurePins pins;
    for (const Json& each : json.at("results")) {
      FATHOM_TRY(PinnedResult pinned, resultFromJson(each));
      pins.results.push_back(std::move(pinned));
    }
    for (const Json& each : json.at("lists"))
      pins.lists.push_back({each.at("run").get<std::string>(), each.at("analysis").get<std::string>(),
                            each.at("checkpoints").get<std::vector<std::string>>()});
    return pins;
  } catch (const Json::exception& e) {
    return dataError(Phrase::tr("\"pins\" of a figure recipe are damaged: %1")(e.what()));
  }
}

}  // namespace fathom
