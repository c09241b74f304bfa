// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/nmt_vocabulary.h"

#include <vector>

#include "core/base/errors/phrase.h"
#include "core/tasks/kept_files.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/vocabulary.h"

namespace fathom {

namespace {

using TokenizerPtr = std::shared_ptr<const Tokenizer>;

bool isWords(const NmtOptions& options) {
  return options.vocabulary == NmtVocabularyKind::Words;
}

// "" for a joined vocabulary, else "source" or "target".
std::string artifactName(const NmtOptions& options, const std::string& side) {
  return "vocabulary" + (side.empty() ? "" : "." + side) + (isWords(options) ? ".txt" : ".model");
}

Result<TokenizerPtr> fromArtifact(const NmtOptions& options, const std::string& bytes,
                                  const std::string& name) {
  if (isWords(options)) {
    FATHOM_TRY(Vocabulary vocabulary, Vocabulary::fromText(bytes, name));
    return TokenizerPtr(std::make_shared<const Vocabulary>(std::move(vocabulary)));
  }
  FATHOM_TRY(auto tokenizer, SentencePieceTokenizer::fromBytes(bytes, name, true));
  const SpecialIds special = tokenizer->special();
  if (special.unk < 0)
    return dataError(Phrase::tr("%1: the SentencePiece model has no unknown symbol")(name));
  return TokenizerPtr(std::move(tokenizer));
}

// All texts of the columns one after the other.
SentenceSource sentencesOf(std::vector<const TextColumn*> columns) {
  return [columns, column = std::size_t{0}, row = std::int64_t{0}](std::string_view& sentence) mutable {
    while (column < columns.size() && row >= columns[column]->size()) {
      ++column;
      row = 0;
    }
    if (column >= columns.size()) return false;
    sentence = (*columns[column])[row++];
    return true;
  };
}

Result<std::string> trainBytes(const NmtOptions& options, const std::vector<const TextColumn*>& columns,
                               const TaskSetup& setup, NmtVocabulary& vocabulary) {
  if (isWords(options)) {
    Vocabulary::Builder builder;
    const SentenceSource next = sentencesOf(columns);
    for (std::string_view sentence; next(sentence);) {
      if (setup.stop.stopRequested()) return interruptedError();
      builder.add(sentence);
      ++vocabulary.sentences;
    }
    Vocabulary::Options wanted;
    wanted.minimumCount = options.minimumCount;
    return builder.build(wanted).toText();
  }
  FATHOM_TRY(auto model, trainSentencePiece(options.pieces, sentencesOf(columns), setup.stop));
  vocabulary.sentences += model.sentences;
  vocabulary.tooLong += model.tooLong;
  return std::move(model.bytes);
}

// Bytes of the vocabulary of one side: kept with the run, given as a file, or trained.
Result<std::string> bytesOf(const NmtOptions& options, const std::string& side,
                            const std::vector<const TextColumn*>& columns, const TaskSetup& setup,
                            NmtVocabulary& vocabulary) {
  const std::string name = artifactName(options, side);
  if (options.vocabulary == NmtVocabularyKind::Model)
    return keptFile(name, side == "target" ? options.targetModel : options.model, setup);
  return keptOr(name, setup, [&] { return trainBytes(options, columns, setup, vocabulary); });
}

}  // namespace

Result<NmtVocabulary> makeNmtVocabulary(const NmtOptions& options, const TextColumn* source,
                                        const TextColumn* target, const TaskSetup& setup) {
  if (setup.progress != nullptr)
    setup.progress->begin(Phrase::tr("preparing the vocabulary").english, "", -1);
  NmtVocabulary vocabulary;
  vocabulary.joined = options.joined;
  vocabulary.words = isWords(options);
  const auto make = [&](const std::string& side, std::vector<const TextColumn*> columns,
                        TokenizerPtr& into) -> Status {
    FATHOM_TRY(std::string bytes, bytesOf(options, side, columns, setup, vocabulary));
    const std::string name = artifactName(options, side);
    FATHOM_TRY(into, fromArtifact(options, bytes, name));
    vocabulary.artifacts[name] = std::move(bytes);
    return {};
  };
  if (options.joined) {
    FATHOM_CHECK(make("", {source, target}, vocabulary.source));
    vocabulary.target = vocabulary.source;
  } else {
    FATHOM_CHECK(make("source", {source}, vocabulary.source));
    FATHOM_CHECK(make("target", {target}, vocabulary.target));
  }
  return vocabulary;
}

}  // namespace fathom
