// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/imports/import_entry.h"

namespace fathom {

// Opens a source that is followed. With ImportOptions::around, other kinds that come into that folder later
// are read beside it, each once: a trainer_state.json or metrics.csv in whose folder event files of
// TensorBoard lie becomes part of their run (a metric of both is called FORMAT/NAME where it came second),
// anything else is a run of its own; warnings say both. What was there at the beginning, of other kinds than
// the one that was asked for, is followed by somebody else. A later source that cannot be read takes nobody
// along: it is tried again, and said after a quarter of a minute.
Result<std::unique_ptr<ImportSource>> openFollowed(const ImportEntry& entry, const std::string& path,
                                                   const ImportOptions& options);

}  // namespace fathom
