// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/encoder_vocabulary.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/options/named_files.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/vocabulary_lines.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostVocabularyBytes = std::size_t{256} << 20;
// Names under which vocabularies lie in folders of encoders and among the artifacts of runs, by kind.
constexpr std::pair<const char*, const char*> kPlainNames[] = {
    {"wordpiece", "vocab.txt"},      {"wordpiece", "vocabulary.txt"}, {"byte_bpe", "vocab.json"},
    {"byte_bpe", "vocabulary.json"}, {"model", "vocabulary.model"},   {"tokenizer", kTokenizerJson}};

// A file of another name is somebody's own and stands alone.
bool hasCompany(const std::string& name) {
  return name == kTokenizerJson || std::any_of(std::begin(kPlainNames), std::end(kPlainNames),
                                               [&](const auto& known) { return name == known.second; });
}

Result<TokenizerFiles> filesAround(const VocabularyChoice& choice) {
  const fs::path path(choice.file);
  FATHOM_TRY(TokenizerFiles files, tokenizerFilesIn(path.parent_path().string()));
  const std::string name = path.filename().string();
  files.bytes.erase("vocab.txt");
  files.bytes.erase("vocab.json");
  if (name.ends_with(".txt")) {
    FATHOM_TRY(files.bytes["vocab.txt"], readFile(choice.file, kMostVocabularyBytes));
  } else if (name != kTokenizerJson) {
    FATHOM_TRY(files.bytes["vocab.json"], readFile(choice.file, kMostVocabularyBytes));
  } else if (!files.has(kTokenizerJson)) {
    FATHOM_TRY(files.bytes[kTokenizerJson], readFile(choice.file, kMostVocabularyBytes));
  }
  if (!choice.merges.empty()) {
    FATHOM_TRY(files.bytes["merges.txt"], readFile(choice.merges, kMostVocabularyBytes));
  }
  return files;
}

// A vocabulary that was changed beside a tokenizer.json that was not.
Status checkSamePieces(const TokenizerFiles& files, const EncoderTokenizer& made, const std::string& file) {
  const PieceTable& table = made.pipeline->table();
  const auto differs = [&](const std::string& piece, std::int64_t id) {
    return dataErrorAt(files.path(kTokenizerJson), 0,
                       Phrase::tr("'%1' has the id %2, in %3 it has %4")(piece, table.find(piece), file, id),
                       Phrase::tr("delete the file that is out of date"));
  };
  if (files.has("vocab.txt")) {
    const VocabularyLines lines = vocabularyLines(files.bytes.at("vocab.txt"), file);
    std::map<std::string_view, std::int64_t> ids;
    for (std::size_t i = 0; i < lines.tokens.size(); ++i) ids[lines.tokens[i]] = static_cast<std::int64_t>(i);
    for (const auto& [piece, id] : ids)
      if (table.find(piece) != id) return differs(std::string(piece), id);
  }
  if (!files.has("vocab.json")) return {};
  FATHOM_TRY(const Json pieces, parseJson(files.bytes.at("vocab.json"), file));
  if (!pieces.is_object()) return dataErrorAt(file, 0, Phrase::tr("is not a JSON object"));
  for (const auto& [piece, id] : pieces.items())
    if (!id.is_number_integer() || table.find(piece) != id.get<std::int64_t>())
      return differs(piece, id.is_number_integer() ? id.get<std::int64_t>() : -1);
  return {};
}

std::optional<TokenizerFiles> filesKept(const TaskSetup& setup) {
  const auto kept = setup.artifacts.find(kTokenizerJson);
  if (kept == setup.artifacts.end()) return std::nullopt;
  TokenizerFiles files;
  files.bytes[kTokenizerJson] = kept->second;
  const auto config = setup.artifacts.find(kTokenizerConfig);
  if (config != setup.artifacts.end()) files.bytes[kTokenizerConfig] = config->second;
  return files;
}

bool keepsVocabulary(const TaskSetup& setup) {
  return std::any_of(std::begin(kPlainNames), std::end(kPlainNames),
                     [&](const auto& known) { return setup.artifacts.contains(known.second); });
}

}  // namespace

Result<std::string> encoderVocabularyFile(const OptionValues& options, const std::string& prefix,
                                          const TaskSetup& setup) {
  const std::string key = prefix + ".file", named = options.text(key);
  if (!named.empty() || keepsVocabulary(setup)) return named;
  const std::string kind = options.text(prefix + ".kind");
  const std::string folder = namedWeights(options);
  for (const char* inside : {"/", "/artifacts/"})
    for (const auto& [known, name] : kPlainNames)
      if (!folder.empty() && kind == known && fileExists(folder + inside + name))
        return folder + inside + name;
  return aboutKey(key,
                  usageError(Phrase::tr("%1 names no file")(key),
                             folder.empty() ? Phrase::tr("name the vocabulary of the encoder")
                                            : Phrase::tr("%1 holds no vocabulary of the kind %2: name it, or "
                                                         "choose another kind")(folder, kind)));
}

Result<std::optional<EncoderTokenizer>> tokenizerBeside(const VocabularyChoice& choice,
                                                        const TaskSetup& setup) {
  if (const auto kept = filesKept(setup)) {
    FATHOM_TRY(EncoderTokenizer made, readEncoderTokenizer(*kept, false, choice.prefixBlank, choice.form));
    return std::optional<EncoderTokenizer>(std::move(made));
  }
  const bool alone = keepsVocabulary(setup) || !hasCompany(fs::path(choice.file).filename().string());
  if (alone) return std::optional<EncoderTokenizer>();
  FATHOM_TRY(const TokenizerFiles files, filesAround(choice));
  const bool told = std::any_of(files.bytes.begin(), files.bytes.end(), [](const auto& file) {
    return file.first.ends_with(".json") && file.first != "vocab.json";
  });
  if (!told) return std::optional<EncoderTokenizer>();
  FATHOM_TRY(EncoderTokenizer made, readEncoderTokenizer(files, false, choice.prefixBlank, choice.form));
  if (files.has(kTokenizerJson)) FATHOM_CHECK(checkSamePieces(files, made, choice.file));
  if (!choice.lowerCase && made.lowerCase)
    return aboutKey(
        choice.lowerCaseKey,
        usageError(Phrase::tr("%1=false, but the tokenizer's files beside %2 lower-case texts")(
                       choice.lowerCaseKey, choice.file),
                   Phrase::tr("correct the files, or use a copy of the vocabulary without them")));
  return std::optional<EncoderTokenizer>(std::move(made));
}

std::map<std::string, std::string> tokenizerArtifacts(const EncoderTokenizer& tokenizer) {
  std::map<std::string, std::string> kept = tokenizer.files;
  for (const auto& [name, bytes] : tokenizer.plainFiles)
    kept[name == "vocab.txt" ? "vocabulary.txt" : name == "vocab.json" ? "vocabulary.json" : name] = bytes;
  return kept;
}

namespace {

constexpr const char* kOwnModel = "vocabulary.model";

void describe(const EncoderTokenizer& made, TextForm form, ImportedVocabulary& imported) {
  const PipelineTokenizer& own = *made.pipeline;
  const TokenRoles& roles = own.roles();
  for (const AddedToken& token : own.added())
    if (token.content != roles.cls && token.content != roles.sep && token.content != roles.pad &&
        token.content != roles.unknown && token.content != roles.mask)
      imported.added.push_back(token.content);
  imported.pieces = own.vocabularySize();
  imported.notes = made.notes;
  imported.passedOver = made.passedOver;
  imported.files = made.files;
  for (const auto& [name, bytes] : made.plainFiles) imported.files[name] = bytes;
  if (made.plainFiles.contains("vocab.txt") && form == TextForm::Rows) {
    imported.options = {{"kind", "wordpiece"}, {"file", "vocab.txt"}, {"lower_case", made.lowerCase}};
  } else if (made.plainFiles.contains("vocab.json")) {
    imported.options = {{"kind", "byte_bpe"}, {"file", "vocab.json"}, {"merges", "merges.txt"}};
  } else {
    imported.options = {{"kind", "tokenizer"}, {"file", kTokenizerJson}};
  }
}

// Pieces and ids of a SentencePiece model are those of the tokenizer.json beside it. Running text knows no
// mark of masked words.
Status checkSameModel(const SentencePieceTokenizer& own, const PipelineTokenizer& made,
                      const TokenizerFiles& files, bool running) {
  const SpecialIds special = own.special(), there = made.special();
  const bool marks = special.bos == there.bos && special.pad == there.pad && special.eos == there.eos &&
                     special.unk == there.unk && (running || made.mask() == own.vocabularySize());
  std::int64_t id = 0;
  while (id < own.vocabularySize() && made.piece(id) == own.piece(id)) ++id;
  if (marks && id == own.vocabularySize()) return {};
  return dataErrorAt(files.path(kTokenizerJson), 0,
                     Phrase::tr("gives other pieces or marks than %1")(files.path(kOwnModel)),
                     Phrase::tr("delete the file that is out of date"));
}

// A model of ours, with the tokenizer.json that was exported of it or alone.
Result<ImportedVocabulary> importedModel(const TokenizerFiles& files, TextForm form) {
  ImportedVocabulary imported;
  const std::string path = files.path(kOwnModel);
  FATHOM_TRY(std::string bytes, readFile(path, kMostVocabularyBytes));
  imported.used = {kOwnModel};
  if (files.has(kTokenizerJson)) {
    FATHOM_TRY(const auto own, SentencePieceTokenizer::fromBytes(bytes, path, true));
    FATHOM_TRY(const EncoderTokenizer made, readEncoderTokenizer(files, false, false, form));
    const bool running = form == TextForm::Running;
    FATHOM_CHECK(checkSameModel(*own, *made.pipeline, files, running));
    imported.pieces = own->vocabularySize() + (running ? 0 : 1);  // and the mark of masked words
    for (const auto& [name, content] : files.bytes) imported.used.push_back(name);
  }
  imported.files[kOwnModel] = std::move(bytes);
  imported.options = {{"kind", "model"}, {"file", kOwnModel}};
  return imported;
}

}  // namespace

Result<ImportedVocabulary> importedVocabulary(const std::string& folder, TextForm form) {
  FATHOM_TRY(const TokenizerFiles files, tokenizerFilesIn(folder));
  const bool plain = files.has("vocab.txt") || files.has("vocab.json");
  if (!plain && fileExists(files.path(kOwnModel))) return importedModel(files, form);
  ImportedVocabulary imported;
  if (files.has(kTokenizerJson) || plain) {
    FATHOM_TRY(const EncoderTokenizer made, readEncoderTokenizer(files, false, false, form));
    if (files.has(kTokenizerJson))
      for (const char* name : {"vocab.txt", "vocab.json"})
        if (files.has(name)) {
          TokenizerFiles one = files;
          one.bytes.erase(std::string(name) == "vocab.txt" ? "vocab.json" : "vocab.txt");
          FATHOM_CHECK(checkSamePieces(one, made, files.path(name)));
        }
    describe(made, form, imported);
    for (const auto& [name, bytes] : files.bytes) imported.used.push_back(name);
    return imported;
  }
  imported.notes.push_back(
      Phrase::tr("No vocabulary that is read lies beside the weights: name one when you train with them."));
  return imported;
}

}  // namespace fathom
