// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Caps on foreign archives (docs/reliability.md §5). Everything that is unpacked counts, headers of headers
// as well as files.
struct ArchiveLimits {
  std::size_t maxEntries = 10'000;                   // files, folders, long names and pax headers
  std::uint64_t maxBytes = std::uint64_t{64} << 30;  // of one file and of all
  double maxRatio = 200;                             // unpacked to packed, beyond the first 64 MiB
};

// Writes a run folder as one archive: .tar, .tar.gz or .tar.zst by its name. Lock, half-written and trashed
// parts stay out; checkpoints only when asked for. The archive appears whole or not at all. A run may be
// exported while it runs: the events up to now are in it.
Status exportRunArchive(const std::string& runPath, const std::string& archivePath, bool withCheckpoints,
                        Progress& progress, const StopToken& stop);

// Unpacks an archive of one run into `folder`, which must not exist; the archive's one top folder is
// stripped. Only plain files and folders with names of [A-Za-z0-9_.-] below the top are taken; links,
// devices, absolute and climbing names are data errors. On any error `folder` is removed.
Status importRunArchive(const std::string& archivePath, const std::string& folder, Progress& progress,
                        const StopToken& stop, const ArchiveLimits& limits = {});

}  // namespace fathom
