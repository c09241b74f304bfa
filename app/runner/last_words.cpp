// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/last_words.h"

#include <regex>
#include <vector>

namespace fathom {

namespace {

constexpr std::size_t kMostBytes = 600;
constexpr std::size_t kLongestProgress = 400;  // what is longer is no line of progress

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

}  // namespace

std::string lastWords(std::string_view written) {
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

}  // namespace fathom
