// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/text/tokenizer_settings.h"

namespace fathom {

// The tokenizer of an encoder's folder, whichever of its files say what it is (docs/tokenizers.md §6).
struct EncoderTokenizer {
  std::shared_ptr<const PipelineTokenizer> pipeline;
  // All of it in two files that read back to the same: tokenizer.json and tokenizer_config.json.
  std::map<std::string, std::string> files;
  // The vocabulary in the form of before: vocab.txt, or vocab.json and merges.txt; nothing where its ids have
  // gaps or the model is another.
  std::map<std::string, std::string> plainFiles;
  bool lowerCase = false;  // the normalizer lower-cases
  // BERT's own settings and nothing else: the tokenizer of plainFiles' vocab.txt gives the same ids.
  bool plainWordPiece = false;
  std::vector<Phrase> notes;            // odd lines
  std::vector<std::string> passedOver;  // members that nobody knows or that say nothing about pieces
};

// From tokenizer.json, or where there is none from vocab.txt or vocab.json with merges.txt; the other files
// change it or have to agree with it. Data error naming file and member. `prefixBlank`: every text of byte
// pieces has a blank before it, whatever the files say.
Result<EncoderTokenizer> readEncoderTokenizer(const TokenizerFiles& files, bool matchRoles = false,
                                              bool prefixBlank = false, TextForm form = TextForm::Rows);

// The files of a folder, or of one beside a vocabulary file; at most 256 MiB each.
Result<TokenizerFiles> tokenizerFilesIn(const std::string& folder);

}  // namespace fathom
