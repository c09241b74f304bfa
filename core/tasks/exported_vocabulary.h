// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/text/pipeline_tokenizer.h"

namespace fathom {

// Tokenizer of a run, in the files that transformers reads beside weights (docs/tokenizers.md §7).
struct ExportedVocabulary {
  // tokenizer.json, tokenizer_config.json, special_tokens_map.json, and the vocabulary in its plain form;
  // nothing for a run that keeps none.
  std::map<std::string, std::string> files;
  std::vector<Phrase> notes;  // what stays different
};

// From what the run keeps (Task::artifacts) and the facts of its task: vocabulary, pad_id, cls_id, sep_id,
// unk_id, mask_id, eos_id (of running text), lower_case, prefix_blank, own_words. `mostTokens`: of a row.
// Usage error for rules that tokenizer.json has no words for.
Result<ExportedVocabulary> exportedVocabulary(const std::map<std::string, std::string>& artifacts,
                                              const std::map<std::string, std::int64_t>& facts,
                                              std::int64_t mostTokens, TextForm form = TextForm::Rows);

}  // namespace fathom
