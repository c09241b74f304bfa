// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/preset_times.h"

#include <cmath>
#include <filesystem>

#include "app/runs/own_presets.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/process_identity.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr std::size_t kDigest = 16;  // characters
constexpr std::size_t kMostTimesBytes = 1'000'000;

// Another version of a preset is another preset.
std::string timeKey(const std::string& preset, const Json& options) {
  return preset + " " + sha256Hex(options.dump()).substr(0, kDigest);
}

}  // namespace

std::string presetTimesFile() {
  return (std::filesystem::path(ownPresetFolder()).parent_path() / "preset_times.json").string();
}

PresetTimes::PresetTimes() {
  if (fileBytes(presetTimesFile()) > kMostTimesBytes) return;
  const auto json = readJsonFile(presetTimesFile());
  if (!json.ok()) return;
  m_others = memberObject(*json, "hosts");
  const Json own = memberObject(m_others, hostName().c_str());
  m_others.erase(hostName());
  for (const auto& [key, time] : own.items()) {
    const double seconds = memberReal(time, "seconds", 0);
    if (std::isfinite(seconds) && seconds > 0) m_times[key] = {seconds, memberText(time, "at")};
  }
}

const PresetTime* PresetTimes::find(const std::string& preset, const Json& options) const {
  const auto found = m_times.find(timeKey(preset, options));
  return found == m_times.end() ? nullptr : &found->second;
}

Status PresetTimes::keep(const std::string& preset, const Json& options, double seconds) {
  // Of a preset that was changed since only the last time is kept.
  std::erase_if(m_times, [&](const auto& each) { return each.first.starts_with(preset + " "); });
  m_times[timeKey(preset, options)] = {seconds, isoTimeNow()};
  Json own = Json::object();
  for (const auto& [key, time] : m_times) own[key] = {{"seconds", time.seconds}, {"at", time.at}};
  Json hosts = m_others;
  hosts[hostName()] = std::move(own);
  FATHOM_CHECK(makeFolders(std::filesystem::path(presetTimesFile()).parent_path().string()));
  return writeFileAtomically(presetTimesFile(), Json{{"format", 1}, {"hosts", hosts}}.dump(2) + "\n");
}

}  // namespace fathom
