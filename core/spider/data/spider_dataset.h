// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// One record of dev.json or train_*.json (Spider; docs/spider_evaluation.md §1).
struct SpiderExample {
  std::string dbId;
  std::string question;
  std::string query;  // gold SQL, blanks as in the file
  std::vector<std::string> questionTokens;
};

struct SpiderDataset {
  std::vector<SpiderExample> examples;
  std::string sha256;  // of the file's bytes: identity of the data set
};

// Plain or gzip-compressed JSON; a list of records. Errors name file, record and key.
Result<SpiderDataset> readSpiderDataset(const std::string& path);

// A file's bytes, unpacked when they are gzip. `maxBytes` bounds the unpacked size.
Result<std::string> readMaybeGzip(const std::string& path, std::size_t maxBytes = std::size_t{512} << 20);

}  // namespace fathom
