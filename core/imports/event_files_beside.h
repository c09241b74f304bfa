// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/imports/import_entry.h"

namespace fathom {

// A source of runs that are named by their folders below `folder`, with the event files of TensorBoard that
// lie in them. The first folder of event files in that of a run belongs to the run: its metrics come to the
// run's (one of the same name is called tensorboard/NAME), its options fill what the run does not say, and a
// warning says so. Any other folder of event files is a run of its own, so nothing is found twice. `state` is
// what state() said.
std::unique_ptr<ImportSource> withEventFiles(std::unique_ptr<ImportSource> source, const std::string& folder,
                                             const Json& state);
// What the source itself said, of the state of one with event files.
const Json& stateBesideEvents(const Json& state);

}  // namespace fathom
