// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// The places of one folder whose sources are followed, whoever reads them: a list in a file beside their
// records. Those that are there from the beginning have path and format; one that came later
// has "record" and "token", too: the file name of the record of the source that reads it beside its own, and
// that reader's token (member "token" of its state). One of those who follow sources of the folder looks for
// what comes later: who holds it. One thread.
class FollowedFolder {
 public:
  // `folder` is absolute; `records` is the folder of the records.
  FollowedFolder(const std::string& records, const std::string& folder);
  ~FollowedFolder();
  FollowedFolder(const FollowedFolder&) = delete;
  FollowedFolder& operator=(const FollowedFolder&) = delete;

  // Until it is destroyed; false while somebody else does, or where no file can be made.
  bool hold();
  bool isBegun() const;
  // Empty where it is not begun.
  Result<Json> places() const;
  // For whoever holds it.
  Status keep(const Json& places) const;
  // A place that came later is read beside the source whose record it names.
  bool isRead(const Json& place) const;
  // A source of this path (absolute) and format ("auto": of any) is followed for itself.
  bool hasRecord(const std::string& path, const std::string& format) const;

 private:
  std::string m_records, m_path;
  int m_lock = -1;
};

// File name of the record of a source, by its absolute path.
std::string followRecordName(const std::string& path);

}  // namespace fathom
