// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/place_visit.h"

namespace fathom {

Command preparePlaceCommandEntry() {
  return {.id = "prepare-place",
          .title = "Prepare a place",
          .description =
              "Brings this engine and the small libraries that it needs to a host, by content; LibTorch is "
              "the host's, or is fetched there.",
          .group = "Run",
          .fields = {visitedPlaceField()},
          .required = {"name"},
          .positional = "name",
          .run = [](const CommandContext& context, Progress& progress, const StopToken& stop) {
            return goToPlace(context, PlaceDeed::Prepare, progress, stop);
          }};
}

}  // namespace fathom
