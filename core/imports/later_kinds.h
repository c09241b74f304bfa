// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/imports/import_entry.h"
#include "core/imports/source_place.h"

namespace fathom {

// Opens a source that is followed and kept in `record`. With ImportOptions::around, other kinds that come
// into that folder later are read beside it, each once; of several sources of a folder one looks for them, as
// long as it is followed, then another (followed_folder.h; the source that is the folder goes first): a
// trainer_state.json or metrics.csv in whose folder event files of TensorBoard lie becomes part of their run
// (a metric of both is called FORMAT/NAME where it came second), anything else is a run of its own; warnings
// say both. What was there at the beginning, of other kinds than the one that was asked for, is followed by
// somebody else. A later source that cannot be read takes nobody along: it is tried again, and said after a
// quarter of a minute.
Result<std::unique_ptr<ImportSource>> openFollowed(const ImportEntry& entry, const std::string& path,
                                                   const ImportOptions& options, const std::string& record);

// A place of a folder that came later and is read beside another source that the project follows: who follows
// it for itself, too, would read it twice.
bool isReadBeside(const std::string& project, const SourcePlace& place);
// Says so.
Phrase readBesideNote(const std::string& path);

// The places that are read beside a followed source, by its record (SourceFollower).
std::vector<SourcePlace> readBeside(const Json& record);

}  // namespace fathom
