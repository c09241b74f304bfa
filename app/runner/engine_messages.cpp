// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/engine_messages.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <regex>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"

namespace fathom {

namespace {

constexpr std::size_t kMostBytes = 600;
constexpr std::size_t kLongestProgress = 400;  // what is longer is no line of progress
constexpr std::uint64_t kMostMessages = std::uint64_t{16} << 20, kKeptMessages = std::uint64_t{1} << 20;
constexpr const char* kLeftOut = "(earlier messages are left out)\n";

// "training 12/100 updates  loss 3.1  0:04 spent, 0:31 left", "update 6: valid.nll 3.9 …",
// "epoch_norm at update 6: 0.0 s".
bool isProgress(const std::string& line) {
  static const std::regex kCounted(R"(.* \d+(/\d+)? .*  \d+:\d\d(:\d\d)?( spent, .* left)?)");
  static const std::regex kReport(R"(update \d+: .*|\S+ at update \d+: [0-9.]+ s)");
  if (line.size() > kLongestProgress) return false;
  return std::regex_match(line, kCounted) || std::regex_match(line, kReport);
}

// A terminal writes a line of progress over the one before.
std::string withoutOverwritten(std::string_view line) {
  const std::size_t back = line.rfind('\r');
  if (back != std::string_view::npos) line.remove_prefix(back + 1);
  constexpr std::string_view kErase = "\033[K";
  if (line.starts_with(kErase)) line.remove_prefix(kErase.size());
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  return std::string(line);
}

// All of them, or of more than `most` bytes the newest whole lines.
Result<std::string> newestMessages(const std::string& path, std::uint64_t most, const char* leftOut) {
  FATHOM_TRY(const RegularFile file, RegularFile::open(path));
  const bool all = file.size() <= most;
  const std::uint64_t count = all ? file.size() : kKeptMessages;
  std::string text(count, '\0');
  FATHOM_TRY(const std::size_t got, file.readAt(file.size() - count, text.data(), count));
  text.resize(got);
  if (all) return text;
  text.erase(0, text.find('\n') + 1);
  return leftOut + text;
}

}  // namespace

std::string lastMessage(std::string_view written) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  while (!written.empty()) {
    const std::size_t end = written.find_last_of('\n');
    const std::string line =
        withoutOverwritten(end == std::string_view::npos ? written : written.substr(end + 1));
    written = end == std::string_view::npos ? std::string_view() : written.substr(0, end);
    if (line.empty() || isProgress(line)) continue;
    if (bytes + line.size() > kMostBytes) {
      if (lines.empty()) lines.push_back(line.substr(line.size() - kMostBytes));
      break;
    }
    bytes += line.size() + 1;
    lines.push_back(line);
  }
  std::string words;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) words += (words.empty() ? "" : "\n") + *line;
  return words;
}

std::string lastMessageOf(const std::string& path) {
  const auto text = newestMessages(path, kKeptMessages, "");
  return text.ok() ? lastMessage(*text) : std::string();
}

void freeOldMessages(const std::string& path) {
  constexpr std::uint64_t kBlock = 512;  // of st_blocks
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 ||
      static_cast<std::uint64_t>(info.st_blocks) * kBlock <= kMostMessages)
    return;
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return;
  const off_t old = info.st_size - static_cast<off_t>(kKeptMessages);
  if (old > 0 && ::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, old) != 0) {
    // A file system without holes: what the engine writes in this moment is lost, too.
    const auto kept = newestMessages(path, kKeptMessages, kLeftOut);
    if (kept.ok() && ::ftruncate(fd, 0) == 0) (void)writeAll(fd, *kept, path).ok();
  }
  ::close(fd);
}

Status keepMessages(const std::string& path, const std::string& target) {
  FATHOM_TRY(const std::string text, newestMessages(path, kMostMessages, kLeftOut));
  return writeFileAtomically(target, text);
}

}  // namespace fathom
