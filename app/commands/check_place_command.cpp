// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/place_visit.h"

namespace fathom {

Command checkPlaceCommandEntry() {
  return {.id = "check-place",
          .title = "Check a place",
          .description =
              "Looks at a host over ssh, in one go: engine, LibTorch, devices, glibc, room, clock, Slurm.",
          .group = "Run",
          .fields = {visitedPlaceField()},
          .required = {"name"},
          .positional = "name",
          .run = [](const CommandContext& context, Progress& progress, const StopToken& stop) {
            return goToPlace(context, PlaceDeed::Look, progress, stop);
          }};
}

}  // namespace fathom
