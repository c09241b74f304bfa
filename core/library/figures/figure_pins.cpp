// SPDX-License-Identifier: Apache-2.0
#include "core/library/figures/figure_pins.h"

#include <exception>

#include "core/base/json/json_fields.h"

namespace fathom {

// "key", "sha256" and "request" are there where something was found.
template <typename Io>
void jsonMembers(Io& io, PinnedResult& pinned) {
  io("run", pinned.run)("analysis", pinned.analysis)("checkpoint", pinned.checkpoint);
  io("options", pinned.options)("found", pinned.found);
}

template <typename Io>
void jsonMembers(Io& io, PinnedList& list) {
  io("run", list.run)("analysis", list.analysis)("checkpoints", list.checkpoints);
}

namespace {

Result<PinnedResult> resultFromJson(const Json& json) {
  PinnedResult pinned;
  readJson(json, pinned);
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
  Json json = {{"results", Json::array()}, {"lists", jsonOf(lists)}};
  for (const PinnedResult& pinned : results) {
    Json each = jsonOf(pinned);
    if (!pinned.found.empty())
      each.update({{"key", pinned.key}, {"sha256", pinned.sha256}, {"request", pinned.request}});
    json["results"].push_back(std::move(each));
  }
  return json;
}

Result<FigurePins> figurePinsFromJson(const Json& json) {
  try {
    FigurePins pins;
    for (const Json& each : json.at("results")) {
      FATHOM_TRY(PinnedResult pinned, resultFromJson(each));
      pins.results.push_back(std::move(pinned));
    }
    readJson(json.at("lists"), pins.lists);
    return pins;
  } catch (const std::exception& e) {
    return dataError(Phrase::tr("\"pins\" of a figure recipe are damaged: %1")(e.what()));
  }
}

}  // namespace fathom
