// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/base/errors/result.h"
#include "core/tasks/task.h"
#include "core/tasks/text_to_sql/text_to_sql_options.h"
#include "core/text/tokenizer.h"

namespace fathom {

// Word pieces of the encoder, from the run's artifacts or the files that the options name.
struct TextToSqlVocabulary {
  std::shared_ptr<const Tokenizer> tokenizer;
  bool lowerCase = false;
  // "vocabulary.txt", or "vocabulary.json" and "merges.txt"
  std::map<std::string, std::string> artifacts;
};

Result<TextToSqlVocabulary> makeTextToSqlVocabulary(const TextToSqlOptions& options, const TaskSetup& setup);

}  // namespace fathom
