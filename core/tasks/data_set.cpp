// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/data_set.h"

#include <algorithm>

#include "core/base/files/path_facts.h"
#include "core/base/lines/compressed_file.h"
#include "core/base/options/entry_table.h"
#include "core/tasks/encoder_beside.h"

namespace fathom {

namespace {

constexpr std::size_t kMostNames = 2000, kBeginningBytes = std::size_t{64} << 10;
constexpr std::string_view kPackings[] = {"", ".gz", ".zst"};

std::string withoutSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::optional<FoundDataSet> findHere(const DataPlace& place, std::string_view task) {
  std::optional<FoundDataSet> first;
  for (const DataSetKind& kind : dataSetKinds()) {
    if (first && kind.task != task) continue;
    auto found = kind.find(place);
    if (!found) continue;
    found->kind = kind.id;
    found->folder = place.folder();
    if (kind.task == task || task.empty()) return found;
    first = std::move(found);
  }
  return first;
}

// The only sub-folder that holds one: archives often unpack into a folder of their own.
std::optional<FoundDataSet> findBelow(const std::string& folder, std::string_view task) {
  constexpr std::size_t kMostFolders = 50;
  std::vector<std::string> below;
  for (const auto& entry : listFolder(folder))
    if (folderExists(entry.path().string())) below.push_back(entry.path().string());
  if (below.size() > kMostFolders) return std::nullopt;
  std::optional<FoundDataSet> only;
  for (const std::string& each : below) {
    auto found = findHere(DataPlace(each), task);
    if (found && only) return std::nullopt;
    if (found) only = std::move(found);
  }
  return only;
}

}  // namespace

DataPlace::DataPlace(const std::string& path) : m_folder(withoutSlash(absolutePath(path))) {
  if (!folderExists(m_folder)) {
    const std::size_t slash = m_folder.rfind('/');
    m_chosen = m_folder.substr(slash + 1);
    m_folder.resize(std::max<std::size_t>(slash, 1));
  }
  for (const auto& entry : listFolder(m_folder)) {
    std::error_code code;
    if (entry.is_regular_file(code)) m_names.push_back(entry.path().filename().string());
    if (m_names.size() >= kMostNames) break;
  }
  std::sort(m_names.begin(), m_names.end());
}

std::string DataPlace::file(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names)
    for (const std::string_view packing : kPackings) {
      const std::string whole = std::string(name) + std::string(packing);
      if (std::binary_search(m_names.begin(), m_names.end(), whole)) return m_folder + "/" + whole;
    }
  return {};
}

std::string DataPlace::subfolder(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names)
    if (const std::string path = m_folder + "/" + std::string(name); folderExists(path)) return path;
  return {};
}

std::string DataPlace::beginning(const std::string& path) {
  const auto reader = PackedReader::open(path);
  if (!reader.ok()) return {};
  std::string bytes(kBeginningBytes, '\0');
  std::size_t got = 0;
  while (got < bytes.size()) {
    const auto more = (*reader)->read(bytes.data() + got, bytes.size() - got);
    if (!more.ok() || *more == 0) break;
    got += *more;
  }
  bytes.resize(got);
  return bytes;
}

bool DataPlace::pointsInto(const std::vector<std::string>& paths) const {
  return m_chosen.empty() || std::find(paths.begin(), paths.end(), m_folder + "/" + m_chosen) != paths.end();
}

void FoundDataSet::take(const std::string& key, const std::string& path, MissingData otherwise) {
  if (!path.empty()) return take(key, path);
  otherwise.key = key;
  missing.push_back(std::move(otherwise));
}

void FoundDataSet::take(const std::string& key, const std::string& path) {
  if (path.empty()) return;
  options[key] = path;
  ++files;
}

const DataSetKind* findDataSetKind(std::string_view id) {
  return findEntry(dataSetKinds(), id);
}

std::optional<FoundDataSet> findDataSet(const std::string& path, std::string_view task) {
  if (!fileExists(path)) return std::nullopt;
  const DataPlace place(path);
  // A pipe or a device is nothing to look into.
  const auto& names = place.names();
  if (!place.chosen().empty() && !std::binary_search(names.begin(), names.end(), place.chosen()))
    return std::nullopt;
  auto found = findHere(place, task);
  if (!found && place.chosen().empty()) found = findBelow(place.folder(), task);
  if (found && !found->vocabulary.empty()) takeEncoderBeside(found->folder, *found);
  return found;
}

}  // namespace fathom
