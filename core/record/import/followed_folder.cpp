// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/followed_folder.h"

#include <sys/file.h>
#include <unistd.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"

namespace fathom {

namespace {

constexpr JsonLimits kFolderRecordLimits{64, std::size_t{1} << 30, true};

std::string nameOfPath(const std::string& path) {
  return sha256Hex(path).substr(0, 16);
}

}  // namespace

std::string followRecordName(const std::string& path) {
  return nameOfPath(path) + ".json";
}

FollowedFolder::FollowedFolder(const std::string& records, const std::string& folder)
    : m_records(records), m_path(records + "/" + nameOfPath(folder) + ".folder") {}

FollowedFolder::~FollowedFolder() {
  if (m_lock >= 0) ::close(m_lock);
}

bool FollowedFolder::hold() {
  if (m_lock >= 0) return true;
  const auto lock = openLockFile(m_path + ".lock");
  if (!lock.ok()) return false;
  if (::flock(*lock, LOCK_EX | LOCK_NB) == 0)
    m_lock = *lock;
  else
    ::close(*lock);
  return m_lock >= 0;
}

bool FollowedFolder::isBegun() const {
  return fileExists(m_path);
}

Result<Json> FollowedFolder::places() const {
  if (!isBegun()) return Json::array();
  FATHOM_TRY(const Json json, readJsonFile(m_path, kFolderRecordLimits));
  return memberList(json, "places");
}

Status FollowedFolder::keep(const Json& places) const {
  const Json json = {{"places", places}};
  return writeFileAtomically(m_path, json.dump() + "\n");
}

bool FollowedFolder::isRead(const Json& place) const {
  const std::string record = memberText(place, "record"), token = memberText(place, "token");
  if (record.empty() || token.empty()) return false;
  const auto json = readJsonFile(m_records + "/" + record, kFolderRecordLimits);
  return json.ok() && memberText(memberObject(*json, "reader"), "token") == token;
}

bool FollowedFolder::hasRecord(const std::string& path, const std::string& format) const {
  const std::string record = m_records + "/" + followRecordName(path);
  if (format == "auto" || !fileExists(record)) return fileExists(record);
  const auto json = readJsonFile(record, kFolderRecordLimits);
  return json.ok() && memberText(*json, "entry") == format;
}

}  // namespace fathom
