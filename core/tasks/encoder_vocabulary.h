// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/task.h"
#include "core/text/encoder_tokenizer.h"

namespace fathom {

// The file that the option <prefix>.file names, or where it names none the vocabulary of the kind in the
// folder of the weights that the model starts from; usage error where there is neither. "" for a run that has
// kept its vocabulary.
Result<std::string> encoderVocabularyFile(const OptionValues& options, const std::string& prefix,
                                          const TaskSetup& setup);

// Tokenizer files beside a vocabulary file (tokenizer.json, tokenizer_config.json,
// special_tokens_map.json, added_tokens.json), or those that the run kept: they change how texts become
// pieces. Empty where the vocabulary stands alone. `merges`: a file elsewhere, "" = beside it. Data error
// where they contradict the vocabulary.
struct VocabularyChoice {
  std::string file, merges;
  bool lowerCase = true;          // the option; false where the files lower-case is a contradiction
  const char* lowerCaseKey = "";  // its name
  bool prefixBlank = false;       // encoder_tokenizer.h
  TextForm form = TextForm::Rows;
};
Result<std::optional<EncoderTokenizer>> tokenizerBeside(const VocabularyChoice& choice,
                                                        const TaskSetup& setup);

// Files that a run keeps of it: tokenizer.json, tokenizer_config.json, and the vocabulary in its plain form.
std::map<std::string, std::string> tokenizerArtifacts(const EncoderTokenizer& tokenizer);

// The vocabulary of an encoder's folder as an import takes it over.
struct ImportedVocabulary {
  std::map<std::string, std::string> files;  // to write, by name
  Json options = Json::object();             // {"kind", "file", "merges", "lower_case"}: names of files
  std::int64_t pieces = 0;                   // 0: there is none
  std::vector<std::string> added;            // tokens that are found as they are written
  std::vector<Phrase> notes;
  std::vector<std::string> passedOver;  // members that nobody knows or that say nothing about pieces
  std::vector<std::string> used;        // names of the folder's files that were read
};
// Data error naming file and member for a tokenizer that is not read.
Result<ImportedVocabulary> importedVocabulary(const std::string& folder, TextForm form = TextForm::Rows);

}  // namespace fathom
