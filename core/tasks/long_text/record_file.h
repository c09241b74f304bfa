// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/tasks/task.h"

namespace fathom {

struct RecordFile {
  DataHash hash;
  std::int64_t records = 0;  // that were taken
  std::int64_t left = 0;     // left out because they are bad
  std::string firstLeft;     // why the first one was
};

struct RecordFileRequest {
  std::string path;
  bool skipBad = false;
  Progress* progress = nullptr;  // may be null
  StopToken stop = {};
};

// What reads a record; `place` is the file and the line it begins in, for messages.
using TakeRecord = std::function<Status(const Json& record, const std::string& place)>;

// Records of a file one after the other: a JSON list of objects, or an object a line (plain or gzip). Only
// one record is in memory at a time, at most kMostRecordBytes. A bad
// record ends the reading with its error or, with `skipBad`, is left out and counted. Data errors: no
// records, neither form, what JSON forbids, all records bad.
inline constexpr std::int64_t kMostRecordBytes = std::int64_t{64} << 20;
Result<RecordFile> readRecordFile(const RecordFileRequest& request, const TakeRecord& take);

}  // namespace fathom
