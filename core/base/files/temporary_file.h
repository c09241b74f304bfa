// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Files that are written beside their place and renamed into it: <name>.tmp-<where>-<pid>-<start>-<n>. The
// name tells who makes it, so that what a killed process left behind is known for it and goes at the next
// start of its owner.

// A name beside `path` that no other process, thread or call has.
std::string temporaryBeside(const std::string& path);
// True if a file's name is that of a temporary, of this program or an older one.
bool isTemporaryName(std::string_view name);
// True if nobody writes the temporary file or folder any more: its maker does not run. One that was made
// where this process cannot see who runs (another machine or container, or by an older program) counts after
// an hour of silence.
bool isAbandonedTemporary(const std::string& path);

enum class TemporaryOwner {
  Unknown,  // others may be writing there: abandoned ones only
  Us        // the caller holds the lock of the folder: all of them
};
// Temporary files lying directly in `folder`.
std::vector<std::string> temporariesIn(const std::string& folder, TemporaryOwner owner);
// Removes them. What cannot be removed stays, without a word: it is found again.
void sweepTemporaries(const std::string& folder, TemporaryOwner owner);
// Removes the abandoned temporaries of one file or folder.
void sweepTemporariesOf(const std::string& path);

}  // namespace fathom
