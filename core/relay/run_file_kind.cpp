// SPDX-License-Identifier: Apache-2.0
#include "core/relay/run_file_kind.h"

#include <vector>

#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/temporary_file.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

std::vector<std::string_view> partsOf(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return parts;
}

bool isUnfinished(std::string_view name) {
  return name.empty() || name.front() == '.' || name.ends_with(kUnfinishedEnd) || isTemporaryName(name);
}

RunPathKind atTop(std::string_view name, bool folder) {
  const bool known = name == "attempts" || name == "analyses" || name == kCheckpointsName ||
                     name == "averages" || name == kPredictionsName || name == "artifacts";
  if (folder) return known ? RunPathKind::Inside : RunPathKind::Never;
  return name.ends_with(".json") && name != kMirrorNoteName ? RunPathKind::Replaced : RunPathKind::Never;
}

RunPathKind inAttempts(const std::vector<std::string_view>& parts, bool folder) {
  if (folder) return parts.size() == 2 ? RunPathKind::Inside : RunPathKind::Never;
  if (parts.size() != 3) return RunPathKind::Never;
  return parts[2].ends_with(".jsonl") || parts[2].ends_with(".log") ? RunPathKind::Grows
                                                                    : RunPathKind::Replaced;
}

std::optional<std::string> bytesOf(const std::string& path, std::uint64_t from, std::uint64_t count) {
  const auto file = RegularFile::open(path);
  if (!file.ok() || file->size() < from + count) return std::nullopt;
  std::string bytes(count, '\0');
  const auto got = file->readAt(from, bytes.data(), count);
  return got.ok() && *got == count ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace

bool isSharedFile(std::string_view path) {
  const auto parts = partsOf(path);
  return parts.size() == 2 && parts[0] == kCheckpointsName && parts[1].ends_with(".safetensors");
}

RunPathKind runPathKind(std::string_view path, bool folder, bool checkpoints) {
  const auto parts = partsOf(path);
  if (parts.empty()) return RunPathKind::Inside;
  for (const std::string_view part : parts)
    if (isUnfinished(part)) return RunPathKind::Never;
  if (parts.size() == 1) return atTop(parts[0], folder);
  if (parts[0] == "attempts") return inAttempts(parts, folder);
  const RunPathKind file = folder ? RunPathKind::Never : RunPathKind::Replaced;
  if (parts[0] == "analyses")
    return !folder ? file : parts.size() == 2 ? RunPathKind::Inside : RunPathKind::Finished;
  if (isSharedFile(path)) return checkpoints ? file : RunPathKind::Never;
  if (parts[0] == kCheckpointsName || parts[0] == "averages")
    return folder && parts.size() == 2 && checkpoints ? RunPathKind::Finished : RunPathKind::Never;
  const bool known = parts[0] == kPredictionsName || parts[0] == "artifacts";
  return known && parts.size() == 2 ? file : RunPathKind::Never;
}

std::optional<std::uint32_t> sumBefore(const std::string& path, std::uint64_t offset) {
  const std::uint64_t count = std::min(offset, kComparedBytes);
  const auto bytes = bytesOf(path, offset - count, count);
  return bytes ? std::optional(crc32c(*bytes)) : std::nullopt;
}

std::optional<std::uint32_t> sumOfFile(const std::string& path, std::uint64_t most) {
  const auto file = RegularFile::open(path);
  if (!file.ok() || file->size() > most) return std::nullopt;
  std::uint32_t sum = 0;
  std::string piece(std::size_t{128} << 10, '\0');
  for (std::uint64_t at = 0;;) {
    const auto got = file->readAt(at, piece.data(), piece.size());
    if (!got.ok()) return std::nullopt;
    if (*got == 0) return sum;
    sum = crc32c(std::string_view(piece).substr(0, *got), sum);
    at += *got;
  }
}

}  // namespace fathom
