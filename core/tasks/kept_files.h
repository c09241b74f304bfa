// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/task.h"
#include "core/text/byte_bpe_tokenizer.h"

namespace fathom {

// Files that a run keeps so that it reads input later as it was trained (TaskSetup::artifacts).

// The bytes that are kept under `name`, or for a new run those that `make` gives. Data error where a run that
// only reads input has not kept them.
Result<std::string> keptOr(const std::string& name, const TaskSetup& setup,
                           const std::function<Result<std::string>()>& make);
// The same of a file that an option names; at most 256 MiB.
Result<std::string> keptFile(const std::string& name, const std::string& file, const TaskSetup& setup);

// RoBERTa's vocab.json and merges.txt (`merges` empty: beside it), put into `artifacts`. Data error unless
// each of `needed` is a token.
Result<ByteBpeTokenizer> keptByteBpe(const std::string& vocabulary, const std::string& merges,
                                     const ByteBpeOptions& options, const std::vector<const char*>& needed,
                                     const TaskSetup& setup, std::map<std::string, std::string>& artifacts);

}  // namespace fathom
