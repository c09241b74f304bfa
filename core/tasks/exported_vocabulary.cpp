// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/exported_vocabulary.h"

#include "core/base/errors/error_key.h"
#include "core/text/encoder_tokenizer.h"
#include "core/text/sentencepiece_export.h"

namespace fathom {

namespace {

using Files = std::map<std::string, std::string>;
using Facts = std::map<std::string, std::int64_t>;

constexpr const char* kSpecialTokensMap = "special_tokens_map.json";
constexpr const char* kRoleKeys[] = {"bos_token", "eos_token", "cls_token", "sep_token",
                                     "pad_token", "unk_token", "mask_token"};
// Names among the artifacts of a run, and those that transformers gives them. A SentencePiece model keeps its
// own: nobody else reads it, our import does.
constexpr std::pair<const char*, const char*> kPlainFiles[] = {{"vocabulary.txt", "vocab.txt"},
                                                               {"vocabulary.json", "vocab.json"},
                                                               {"merges.txt", "merges.txt"},
                                                               {"vocabulary.model", "vocabulary.model"}};

std::int64_t factOf(const Facts& facts, const std::string& name, std::int64_t otherwise) {
  const auto found = facts.find(name);
  return found == facts.end() ? otherwise : found->second;
}

Json configOf(const TokenRoles& roles) {
  Json config = {{"cls_token", roles.cls},
                 {"sep_token", roles.sep},
                 {"pad_token", roles.pad},
                 {"unk_token", roles.unknown}};
  if (!roles.mask.empty()) config["mask_token"] = roles.mask;
  return config;
}

// Nothing stands around running text, and nothing in it is masked.
void leaveMarksOut(SentencePieceJson& made) {
  made.tokenizer["post_processor"] = nullptr;
  auto& added = made.tokenizer["added_tokens"].get_ref<Json::array_t&>();
  std::erase_if(added, [&](const Json& token) { return token["content"] == made.roles.mask; });
  made.roles.mask.clear();
}

// The files from which the tokenizer is read once more: what is written is what they say.
Result<TokenizerFiles> filesToRead(const Files& artifacts, const Facts& facts, TextForm form,
                                   std::vector<Phrase>& notes) {
  TokenizerFiles files;
  const auto has = [&](const char* name) { return artifacts.contains(name); };
  if (has(kTokenizerJson)) {
    for (const char* name : {kTokenizerJson, kTokenizerConfig})
      if (has(name)) files.bytes[name] = artifacts.at(name);
  } else if (has("vocabulary.txt")) {
    files.bytes["vocab.txt"] = artifacts.at("vocabulary.txt");
    files.bytes[kTokenizerConfig] = Json{{"do_lower_case", factOf(facts, "lower_case", 1) != 0}}.dump();
  } else if (has("vocabulary.json")) {
    files.bytes["vocab.json"] = artifacts.at("vocabulary.json");
    files.bytes["merges.txt"] = artifacts.at("merges.txt");
    files.bytes[kTokenizerConfig] = Json{{"add_prefix_space", factOf(facts, "prefix_blank", 0) != 0}}.dump();
  } else if (has("vocabulary.model")) {
    FATHOM_TRY(SentencePieceJson made,
               sentencePieceJson(artifacts.at("vocabulary.model"), "vocabulary.model"));
    if (form == TextForm::Running) leaveMarksOut(made);
    files.bytes[kTokenizerJson] = made.tokenizer.dump();
    files.bytes[kTokenizerConfig] = configOf(made.roles).dump();
    notes = std::move(made.notes);
  }
  return files;
}

// The marks stand where the model was trained to find them.
Status checkIds(const PipelineTokenizer& made, const Facts& facts, TextForm form) {
  const SpecialIds special = made.special();
  const std::pair<const char*, std::int64_t> marks[] = {{"cls_id", special.bos},
                                                        {"sep_id", special.eos},
                                                        {"pad_id", special.pad},
                                                        {"unk_id", special.unk},
                                                        {"mask_id", made.mask()}};
  for (const auto& [name, id] : marks) {
    if (id < 0 && form == TextForm::Running) continue;  // the end of a text stands for it
    const std::int64_t own = factOf(facts, name, id);
    if (own != id)
      return internalError(std::string(name) + " is " + std::to_string(own) +
                           " in the run, tokenizer.json says " + std::to_string(id));
  }
  const std::int64_t rows = factOf(facts, "vocabulary", made.vocabularySize());
  if (made.vocabularySize() <= rows) return {};
  return internalError("tokenizer.json has " + std::to_string(made.vocabularySize()) + " pieces, the model " +
                       std::to_string(rows) + " rows");
}

// tokenizer.json is to be taken as it is: classes of a model's own make it anew from their own defaults.
void completeConfig(const PipelineTokenizer& made, std::int64_t mostTokens, const Facts& facts, TextForm form,
                    Files& files) {
  Json config = Json::parse(files.at(kTokenizerConfig)), marks = Json::object();
  config["tokenizer_class"] = "PreTrainedTokenizerFast";
  config["model_max_length"] = mostTokens;
  const std::int64_t end = factOf(facts, "eos_id", -1);
  if (form == TextForm::Running && end >= 0)
    for (const char* key : {"bos_token", "eos_token"}) config[key] = made.piece(end);
  config["model_input_names"] = made.pairs() == PairLayout::Roberta || form == TextForm::Running
                                    ? Json::array({"input_ids", "attention_mask"})
                                    : Json::array({"input_ids", "token_type_ids", "attention_mask"});
  for (const char* key : kRoleKeys)
    if (config.contains(key)) marks[key] = config[key];
  files[kTokenizerConfig] = config.dump(1) + "\n";
  files[kSpecialTokensMap] = marks.dump(1) + "\n";
}

}  // namespace

Result<ExportedVocabulary> exportedVocabulary(const Files& artifacts, const Facts& facts,
                                              std::int64_t mostTokens, TextForm form) {
  ExportedVocabulary exported;
  if (factOf(facts, "own_words", 0) != 0)
    return usageError(
        Phrase::tr("the run cuts words as hf_slow or google do, and tokenizer.json knows hf_fast alone"),
        Phrase::tr(
            "write the weights without a tokenizer (--tokenizer none), and cut texts with the code of that "
            "variant"));
  FATHOM_TRY(const TokenizerFiles files, filesToRead(artifacts, facts, form, exported.notes));
  if (files.bytes.empty()) return exported;
  FATHOM_TRY(const EncoderTokenizer made, readEncoderTokenizer(files, false, false, form));
  FATHOM_CHECK(checkIds(*made.pipeline, facts, form));
  exported.files = made.files;
  for (const auto& [own, theirs] : kPlainFiles)
    if (const auto kept = artifacts.find(own); kept != artifacts.end()) exported.files[theirs] = kept->second;
  completeConfig(*made.pipeline, mostTokens, facts, form, exported.files);
  return exported;
}

}  // namespace fathom
