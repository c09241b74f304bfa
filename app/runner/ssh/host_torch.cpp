// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/host_torch.h"

#include <QFile>
#include <algorithm>
#include <chrono>
#include <thread>

#include "core/base/json/json_members.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

constexpr double kTorchAnswerSeconds = 60;
constexpr int kLookMilliseconds = 500;
constexpr const char* kTorchFolder = "libtorch-2.11.0";
constexpr const char* kWheelsFile = "libtorch-2.11.0.txt";

// As packaging/deps.sh does it. Detached, it holds a lock while it is at work: a second one is not begun.
constexpr const char* kFetchLines = R"(folder=$1
[ ! -d "$folder/torch/lib" ] || exit 0
exec 9>>"$folder.lock" || exit 1
if command -v flock >/dev/null && ! flock -n 9; then exit 0; fi
rm -rf "$folder" "$folder.code" "$folder.part"
trap '' HUP
(
  python3 -m pip install --quiet --no-deps --no-compile --disable-pip-version-check --retries 1 --timeout 20 \
    --python-version 3.11 --implementation cp --abi cp311 --abi none --only-binary=:all: \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux_2_25_x86_64 \
    --platform manylinux_2_18_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
    --target "$folder.part" --require-hashes -r "$folder.txt" >"$folder.log" 2>&1
  code=$?
  [ "$code" != 0 ] || mv "$folder.part" "$folder" || code=1
  echo "$code" >"$folder.code"
) </dev/null >/dev/null 2>&1 &
)";
// Says "there", "failed" with the last words, or how many KiB are there.
constexpr const char* kLookLines = R"(folder=$1
if [ -d "$folder/torch/lib" ]; then echo there; exit; fi
if [ -s "$folder.code" ] || { command -v flock >/dev/null && flock -n "$folder.lock" true; }; then
  [ ! -d "$folder/torch/lib" ] || { echo there; exit; }
  echo failed
  tail -n 20 "$folder.log"
  exit
fi
du -sk "$folder.part" 2>/dev/null | cut -f 1
)";

Result<std::string> shellThere(RelayChannel& channel, const char* lines, const std::string& folder,
                               const StopToken& stop) {
  const Json head = {{"verb", "command"}, {"words", {"/bin/sh", "-c", lines, "sh", folder}}};
  FATHOM_TRY(const Json answer, channel.ask(head, {}, kTorchAnswerSeconds, stop));
  return memberText(answer, "out");
}

// Behind the first line, which says how it is.
std::string_view behindFirstLine(std::string_view text) {
  LinesOf lines(text);
  std::string_view first;
  lines.next(first);
  return text.substr(std::min(text.size(), first.size() + 1));
}

std::string lastError(const std::string& text) {
  std::string last;
  LinesOf lines(text);
  for (std::string_view line; lines.next(line);)
    if (!trimmed(line).empty()) last = trimmed(line);
  return last;
}

Error torchError(const std::string& host, const std::string& words) {
  const auto says = [&](std::initializer_list<const char*> texts) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const char* text) { return words.find(text) != std::string::npos; });
  };
  const Phrase hint = Phrase::tr(
      "install it in a venv there: pip install torch==2.11.0, or name its lib folder: --set libraries=PATH");
  if (says({"Failed to establish a new connection", "Name or service not known", "name resolution",
            "Network is unreachable", "Read timed out", "ConnectTimeoutError"}))
    return unavailableError(Phrase::tr("host %1 has no network to fetch LibTorch over")(host), hint);
  if (says({"No module named pip", "python3: not found", "python3: command not found"}))
    return unavailableError(Phrase::tr("host %1 has no pip to fetch LibTorch with")(host), hint);
  return unavailableError(Phrase::tr("LibTorch could not be fetched on host %1: %2")(host, lastError(words)),
                          hint);
}

}  // namespace

Result<std::string> fetchTorchThere(RelayChannel& channel, const Json& facts, Progress& progress,
                                    const StopToken& stop) {
  const std::string host = memberText(facts, "host"), root = memberText(facts, "root"),
                    folder = root + "/" + kTorchFolder;
  QFile wheels(QStringLiteral(":/wheels/libtorch-requirements.txt"));
  if (!wheels.open(QIODevice::ReadOnly)) return internalError("the list of wheels is not in this program");
  const Json list = {{kWheelsFile, wheels.readAll().toStdString()}};
  FATHOM_TRY(const Json written, channel.ask({{"verb", "write"}, {"folder", root}, {"files", list}}, {},
                                             kTorchAnswerSeconds, stop));
  FATHOM_TRY(const std::string begun, shellThere(channel, kFetchLines, folder, stop));
  progress.begin(Phrase::tr("fetching LibTorch at the host").english, "bytes", -1);
  while (true) {
    FATHOM_TRY(const std::string said, shellThere(channel, kLookLines, folder, stop));
    if (said.starts_with("there")) break;
    if (said.starts_with("failed")) return torchError(host, std::string(behindFirstLine(said)));
    progress.report(1024.0 * numberFrom<double>(trimmed(said)).value_or(0));
    std::this_thread::sleep_for(std::chrono::milliseconds(kLookMilliseconds));
  }
  progress.finish();
  return folder + "/torch/lib";
}

}  // namespace fathom
