// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/placed_data.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"

namespace fathom {

namespace {

constexpr double kRelayAnswerSeconds = 120;
constexpr double kReadPerSecond = 10 << 20;      // of a host's disk that is slow
constexpr std::size_t kMostPlacedFiles = 20000;  // of a folder

std::string leafName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

struct SentFile {
  std::string path, sha256;  // at the host
};

// `samePlace`: what the host has at this path is named; a part of a folder is always stored.
Result<SentFile> sendFile(RelayChannel& channel, const std::string& path, bool samePlace,
                          const PlacedBytes& told, const StopToken& stop) {
  FATHOM_TRY(const std::string sum, sha256OfFile(path));
  FATHOM_TRY(const RegularFile file, RegularFile::open(path));
  Json request = {{"sha256", sum}, {"bytes", file.size()}, {"name", leafName(path)}};
  Json question = request;
  question["verb"] = "data";
  if (samePlace) question["path"] = path;
  // The host may read all of it for its sum.
  const double seconds = kRelayAnswerSeconds + static_cast<double>(file.size()) / kReadPerSecond;
  FATHOM_TRY(Json answer, channel.ask(question, {}, seconds, stop));
  request["verb"] = "put";
  std::string piece(kFramePiece, '\0');
  while (memberText(answer, "path").empty()) {
    const auto at = static_cast<std::uint64_t>(memberInteger(answer, "have"));
    FATHOM_TRY(const std::size_t got, file.readAt(at, piece.data(), piece.size()));
    if (got == 0 && file.size() > at)
      return dataError(Phrase::tr("the file changed while it was sent: %1")(path),
                       Phrase::tr("start it again when nobody writes to it"));
    request["at"] = at;
    FATHOM_TRY(answer, channel.ask(request, std::string_view(piece).substr(0, got), seconds, stop));
    if (told) FATHOM_CHECK(told(path, at + got, file.size()));
  }
  return SentFile{memberText(answer, "path"), sum};
}

Result<std::string> sendFolder(RelayChannel& channel, const std::string& path, const PlacedBytes& told,
                               const StopToken& stop) {
  FATHOM_TRY(const auto entries, treeBelow(path));
  if (entries.size() > kMostPlacedFiles)
    return dataError(Phrase::tr("%1 holds more than %2 files")(path, kMostPlacedFiles),
                     Phrase::tr("put it on the host and name its path there"));
  std::map<std::string, std::string> files;
  for (const auto& entry : entries) {
    std::error_code code;
    if (entry.status(code).type() != std::filesystem::file_type::regular) continue;
    FATHOM_TRY(const SentFile sent, sendFile(channel, entry.path().string(), false, told, stop));
    files[entry.path().string().substr(path.size() + 1)] = sent.sha256;
  }
  std::string list;
  Json named = Json::object();
  for (const auto& [name, sum] : files) {
    list += sum + "  " + name + "\n";
    named[name] = sum;
  }
  const Json request = {
      {"verb", "folder"}, {"sha256", sha256Hex(list)}, {"name", leafName(path)}, {"files", named}};
  FATHOM_TRY(const Json answer, channel.ask(request, {}, kRelayAnswerSeconds, stop));
  return memberText(answer, "path");
}

// Texts of a configuration that name what is on this disk.
Status placeTexts(Json& value, RelayChannel& channel, PlacedPaths& placed, const PlacedBytes& told,
                  const StopToken& stop) {
  if (value.is_structured()) {
    for (auto& item : value) FATHOM_CHECK(placeTexts(item, channel, placed, told, stop));
    return {};
  }
  if (!value.is_string()) return {};
  std::string path = value.get<std::string>();
  if (path.size() < 2 || path.front() != '/' || path.find_first_of("\r\n") != std::string::npos ||
      !fileExists(path))
    return {};
  const auto known = placed.find(path);
  if (known != placed.end()) {
    value = known->second;
    return {};
  }
  FATHOM_TRY(const std::string there, placeAtHost(channel, path, told, stop));
  value = placed[path] = there;
  return {};
}

}  // namespace

Result<std::string> placeAtHost(RelayChannel& channel, const std::string& path, const PlacedBytes& told,
                                const StopToken& stop) {
  std::string plain = path;
  while (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  if (folderExists(plain)) return sendFolder(channel, plain, told, stop);
  FATHOM_TRY(const SentFile sent, sendFile(channel, plain, true, told, stop));
  return sent.path;
}

Result<Json> configAtHost(RelayChannel& channel, Json config, PlacedPaths& placed, const PlacedBytes& told,
                          const StopToken& stop) {
  if (config.contains("options")) FATHOM_CHECK(placeTexts(config["options"], channel, placed, told, stop));
  return config;
}

}  // namespace fathom
