// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/base/errors/result.h"

namespace fathom {

inline constexpr const char* kMirrorNoteName = "mirror.json";

// Beside the copy of a run that is trained on another host: which run it is a copy of, and whether that one
// was at work when it was last heard of: then runLockHolder gives that engine, of another host and with pid
// 0, and wishes are left in the copy's folder. Written by whoever keeps the copy.
struct MirrorNote {
  std::string place;  // of places.json
  std::string host, path;
  bool running = false;
  bool operator==(const MirrorNote&) const = default;
};
std::optional<MirrorNote> mirrorNote(const std::string& runPath);
Status writeMirrorNote(const std::string& runPath, const MirrorNote& note);

}  // namespace fathom
