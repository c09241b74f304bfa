// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace fathom {

// Whole file into memory; a data error above `maxBytes`, a resource error naming the path otherwise.
Result<std::string> readFile(const std::string& path, std::size_t maxBytes = std::size_t{1} << 32);

// Replaces `path` in one step: temporary file in the same folder, every write counted, flush, fdatasync,
// rename, fsync of the folder. On any failure the old file is untouched and the temporary one removed
// (reliability R4).
Status writeFileAtomically(const std::string& path, std::string_view bytes);

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
// when the process starts, so that process tests can reach it; "write:12:kill" ends the process there.
struct FileFaults {
  enum class Call { Write, Sync, Rename, Open };
  static void arm(Call call, int countdown, int errnoValue, bool persistent);
  static void clear();
};

}  // namespace fathom
