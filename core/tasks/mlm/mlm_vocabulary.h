// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/mlm/mlm_documents.h"
#include "core/tasks/mlm/mlm_options.h"
#include "core/tasks/task.h"
#include "core/text/tokenizer.h"

namespace fathom {

// Tokens with the symbols BERT needs. A SentencePiece model's bos and eos serve as [CLS] and [SEP]; [MASK]
// gets the id behind its pieces. Byte-level BPE has RoBERTa's <s>, </s> and <mask>, two </s> between the
// parts of a pair, and reads every sentence as running text: with a blank before it.
struct MlmVocabulary {
  std::shared_ptr<const Tokenizer> tokenizer;
  std::int64_t size = 0;  // with [MASK]
  std::int64_t cls = 0, sep = 0, pad = 0, mask = 0, unk = 0;
  std::vector<bool> continues;  // [size] the token is not the first of its word
  std::int64_t separators = 1;  // [SEP] between the two parts of a pair
  std::string maskText = "[MASK]";
  std::vector<Phrase> notes;                     // odd lines
  std::map<std::string, std::string> artifacts;  // "vocabulary.txt", ".model", or ".json" and "merges.txt"
  std::string piece(std::int64_t id) const { return id == mask ? maskText : tokenizer->piece(id); }
};

// From the setup's artifacts, the given file, or trained on `text` (may be null when artifacts are complete).
Result<MlmVocabulary> makeMlmVocabulary(const MlmOptions& options, const TextColumn* text,
                                        const TaskSetup& setup);

}  // namespace fathom
