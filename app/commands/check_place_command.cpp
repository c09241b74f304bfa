// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/place_visit.h"
#include "core/base/options/field_builder.h"

namespace fathom {

Command checkPlaceCommandEntry() {
  return {
      .id = "check-place",
      .title = "Check a place",
      .description =
          "Looks at a host over ssh, in one go: engine, LibTorch, devices, glibc, room, clock, Slurm.",
      .group = "Run",
      .fields = {visitedPlaceField(),
                 flagField("all-reduce", "Measure sums",
                           "Also measures how fast two processes there add up gradients, and keeps it with "
                           "the place: forms and dry runs predict from it.")},
      .required = {"name"},
      .positional = "name",
      .run = [](const CommandContext& context, Progress& progress, const StopToken& stop) {
        return goToPlace(context, context.options.flag("all-reduce") ? PlaceDeed::Measure : PlaceDeed::Look,
                         progress, stop);
      }};
}

}  // namespace fathom
