// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/causal_lm/causal_lm_options.h"
#include "core/tasks/task.h"
#include "core/tasks/text_column.h"
#include "core/text/tokenizer.h"

namespace fathom {

// Tokens and the mark that stands before every document: GPT-2's <|endoftext|>, else the end mark of the
// vocabulary. Where there is no symbol for padding, the mark is it: padding is never read.
struct CausalVocabulary {
  std::shared_ptr<const Tokenizer> tokenizer;
  std::int64_t size = 0, mark = 0, pad = 0;
  bool byteLevel = false;
  std::vector<Phrase> notes;
  std::map<std::string, std::string> artifacts;
};

// From the setup's artifacts, the given file, or trained on `text` (may be null when artifacts are complete).
Result<CausalVocabulary> makeCausalVocabulary(const CausalLmOptions& options, const TextColumn* text,
                                              const TaskSetup& setup);

}  // namespace fathom
