// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/tasks/data_options.h"
#include "core/tasks/task.h"

namespace fathom {

// Running text in files: read line by line, and made.

struct PlainTextFile {
  std::int64_t lines = 0, skipped = 0;
  DataHash hash;
};
// Hands every line of a part's file to `take`, with progress. Data errors name file and line: missing, empty;
// a line too long, not UTF-8 or with a NUL byte (skipped and counted if the options say so). Interrupted when
// stop asks.
Result<PlainTextFile> readPlainText(const std::string& path, const std::string& role, const DataFiles& files,
                                    const TaskSetup& setup,
                                    const std::function<void(std::string_view)>& take);

// " = Title = " of WikiText, not " = = Section = = ".
bool isWikiTextTitle(std::string_view line);

// DataMaker's functions of tasks on running text: the English sentences of made_sentences.h, some of them
// a document, with blank lines between. `options` are those that the sample is trained with, beside its
// files.
constexpr int kMadeTextPieces = 300;
Json madeTextFiles(const std::string& folder);
Result<MadeData> writeMadeText(const std::string& folder, std::uint64_t seed, MadeDataSize size,
                               Json options);

}  // namespace fathom
