// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_vocabulary.h"

#include <filesystem>

#include "core/base/atomic_file.h"
#include "core/base/phrase.h"
#include "core/text/byte_bpe_tokenizer.h"
#include "core/text/wordpiece_tokenizer.h"

namespace fathom {

namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{256} << 20;

}  // namespace

Result<std::string> keptFile(const std::string& name, const std::string& file, const TaskSetup& setup) {
  if (const auto kept = setup.artifacts.find(name); kept != setup.artifacts.end()) return kept->second;
  if (setup.inputOnly)
    return dataError(Phrase::tr("the run has no file %1")(name),
                     Phrase::tr("it is needed to read input; train again, or copy it into the run"));
  return readFile(file, kMostKeptBytes);
}

Result<TextToSqlVocabulary> makeTextToSqlVocabulary(const TextToSqlOptions& options, const TaskSetup& setup) {
  TextToSqlVocabulary vocabulary;
  auto& kept = vocabulary.artifacts;
  if (!options.row.bytes) {
    FATHOM_TRY(kept["vocabulary.txt"], keptFile("vocabulary.txt", options.vocabularyFile, setup));
    WordPieceOptions wanted;
    wanted.lowerCase = options.lowerCase;
    FATHOM_TRY(WordPieceTokenizer made,
               WordPieceTokenizer::fromText(kept["vocabulary.txt"], options.vocabularyFile, wanted));
    vocabulary.tokenizer = std::make_shared<const WordPieceTokenizer>(std::move(made));
    return vocabulary;
  }
  namespace fs = std::filesystem;
  const std::string merges = options.mergesFile.empty()
                                 ? (fs::path(options.vocabularyFile).parent_path() / "merges.txt").string()
                                 : options.mergesFile;
  FATHOM_TRY(kept["vocabulary.json"], keptFile("vocabulary.json", options.vocabularyFile, setup));
  FATHOM_TRY(kept["merges.txt"], keptFile("merges.txt", merges, setup));
  const std::string &json = kept["vocabulary.json"], &pairs = kept["merges.txt"];
  auto made = ByteBpeTokenizer::fromFiles(json, options.vocabularyFile, pairs, merges);
  if (!made) return made.error();
  const SpecialIds special = made->special();
  if (special.bos < 0 || special.eos < 0 || special.pad < 0 || special.unk < 0)
    return dataErrorAt(options.vocabularyFile, 0,
                       Phrase::tr("the vocabulary has no <s>, </s>, <pad> or <unk>"),
                       Phrase::tr("a vocab.json of RoBERTa is expected"));
  vocabulary.tokenizer = std::make_shared<const ByteBpeTokenizer>(std::move(*made));
  return vocabulary;
}

}  // namespace fathom
