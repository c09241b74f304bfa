// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/nmt/nmt_options.h"
#include "core/tasks/task.h"
#include "core/tasks/text_column.h"
#include "core/text/tokenizer.h"

namespace fathom {

// The tokenizers of both sides; one and the same object when joined.
struct NmtVocabulary {
  std::shared_ptr<const Tokenizer> source, target;
  bool joined = true;
  bool words = false;  // text is tokenised by the user: scored on tokens
  std::map<std::string, std::string>
      artifacts;  // "vocabulary.model", or "vocabulary.source.model" and "….target.model"; .txt for words
  std::int64_t sentences = 0, tooLong = 0;  // of training, 0 for a given vocabulary
};

// From the setup's artifacts when it has them, else trained on the texts or read from the given files.
// `source` and `target` may be null when only artifacts are used. Errors name the file or the option.
Result<NmtVocabulary> makeNmtVocabulary(const NmtOptions& options, const TextColumn* source,
                                        const TextColumn* target, const TaskSetup& setup);

}  // namespace fathom
