// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"

namespace fathom {

// Whole file into memory; a data error above `maxBytes`, a resource error naming the path otherwise.
Result<std::string> readFile(const std::string& path, std::size_t maxBytes = std::size_t{1} << 32);

// Replaces `path` in one step: temporary file in the same folder (see temporary_file.h), every write counted,
// flush, fdatasync, rename, fsync of the folder. On a failure the old file is untouched and the temporary one
// removed (docs/reliability.md §2); only when the fsync of the folder fails the new file is in place, though
// a power cut might bring the old one back.
Status writeFileAtomically(const std::string& path, std::string_view bytes);

// The same for a file that a person has named: a folder that is not there is Unavailable, not the disk's
// fault, and what killed writers of the same file left beside it is removed.
Status writeNamedFile(const std::string& path, std::string_view bytes);
// The first half of it, for whoever writes such a file himself.
Status prepareNamedFile(const std::string& path);

// Writes to an open descriptor until done or failed; short writes and EINTR are handled. Test hook: see
// FileFaults.
Status writeAll(int fd, std::string_view bytes, const std::string& path);
Status syncData(int fd, const std::string& path);
Status renamePath(const std::string& from, const std::string& to);
Status syncFolder(const std::string& folder);
// Creates a folder and its parents.
Status makeFolders(const std::string& path);

// Fault injection for tests: the n-th call of a class of system calls (0 = next) fails with `errnoValue`;
// persistent: all later ones too. Also read from FATHOM_FAULT="write:12:28" (class, calls to let pass, errno)
// when the process starts, so that process tests can reach it; "write:12:kill" ends the process there. The
// classes: write, sync, rename, open, folder (the fsync of a folder), thread (see thread_start.h).
struct FileFaults {
  enum class Call { Write, Sync, Rename, Open, SyncFolder, Thread };
  static void arm(Call call, int countdown, int errnoValue, bool persistent);
  static void clear();
  // For whoever makes such a call: the errno to fail with, or 0.
  static int next(Call call);
};

}  // namespace fathom
