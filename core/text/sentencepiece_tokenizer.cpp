// SPDX-License-Identifier: Apache-2.0
#include "core/text/sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <unordered_map>

#include "core/base/json/json.h"

namespace fathom {

namespace {

// Hands sentences to the trainer from memory: no path ends up in the model file.
class SourceIterator : public sentencepiece::SentenceIterator {
 public:
  SourceIterator(const SentenceSource& next, const StopToken& stop, std::int64_t maxBytes)
      : m_next(next), m_stop(stop), m_maxBytes(static_cast<std::size_t>(maxBytes)) {
    Next();
  }
  bool done() const override { return m_done; }
  void Next() override {
    std::string_view sentence;
    while (!m_done) {
      m_done = m_stop.stopRequested() || !m_next(sentence);
      if (m_done || sentence.empty()) continue;
      if (sentence.size() > m_maxBytes) {
        ++m_tooLong;
        continue;
      }
      m_value.assign(sentence);
      ++m_sentences;
      return;
    }
  }
  const std::string& value() const override { return m_value; }
  sentencepiece::util::Status status() const override { return {}; }
  std::int64_t sentences() const { return m_sentences; }
  std::int64_t tooLong() const { return m_tooLong; }

 private:
  const SentenceSource& m_next;
  const StopToken& m_stop;
  std::size_t m_maxBytes;
  std::string m_value;
  bool m_done = false;
  std::int64_t m_sentences = 0, m_tooLong = 0;
};

std::unordered_map<std::string, std::string> trainerArguments(const SentencePieceTraining& options) {
  return {{"model_type", options.model == SentencePieceTraining::Model::Bpe ? "bpe" : "unigram"},
          {"vocab_size", std::to_string(options.vocabularySize)},
          {"character_coverage", jsonNumber(options.characterCoverage)},
          {"max_sentence_length", std::to_string(options.maxSentenceBytes)},
          {"byte_fallback", options.byteFallback ? "true" : "false"},
          {"num_threads", "1"},
          {"bos_id", "0"},
          {"pad_id", "1"},
          {"eos_id", "2"},
          {"unk_id", "3"},
          {"minloglevel", "3"}};
}

// The library's message without its source line and condition.
std::string plainMessage(const sentencepiece::util::Status& status) {
  std::string message = status.message();
  const std::size_t place = message.find(")] ");
  return place == std::string::npos ? message : message.substr(place + 3);
}

Status checkTraining(const SentencePieceTraining& options) {
  if (options.vocabularySize < 8 || options.vocabularySize > 1'000'000)
    return usageError(Phrase::tr("vocabulary of %1 pieces")(options.vocabularySize),
                      Phrase::tr("choose 8 to 1000000"));
  if (!(options.characterCoverage > 0.9 && options.characterCoverage <= 1.0))
    return usageError(Phrase::tr("character coverage %1")(jsonNumber(options.characterCoverage)),
                      Phrase::tr("choose above .9, up to 1"));
  return {};
}

}  // namespace

Result<SentencePieceModel> trainSentencePiece(const SentencePieceTraining& options,
                                              const SentenceSource& next, const StopToken& stop) {
  FATHOM_CHECK(checkTraining(options));
  SourceIterator iterator(next, stop, options.maxSentenceBytes);
  if (iterator.done() && !stop.stopRequested())
    return dataError(Phrase::tr("no text to train the vocabulary from"),
                     iterator.tooLong() > 0 ? Phrase::tr("every line is longer than the limit") : Phrase());
  SentencePieceModel model;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(trainerArguments(options), &iterator, &model.bytes);
  if (stop.stopRequested()) return interruptedError();
  if (!status.ok())
    return dataError(Phrase::tr("cannot train a vocabulary of %1 pieces: %2")(options.vocabularySize,
                                                                              plainMessage(status)),
                     Phrase::tr("change the vocabulary size"));
  model.sentences = iterator.sentences();
  model.tooLong = iterator.tooLong();
  return model;
}

struct SentencePieceTokenizer::Impl {
  sentencepiece::SentencePieceProcessor processor;
  std::string bytes;
  SpecialIds special;
  std::int64_t pieces = 0;  // of the model
  std::int64_t size = 0;    // with added special symbols
};

SentencePieceTokenizer::SentencePieceTokenizer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
SentencePieceTokenizer::~SentencePieceTokenizer() = default;

Result<std::shared_ptr<SentencePieceTokenizer>> SentencePieceTokenizer::fromBytes(std::string_view modelFile,
                                                                                  const std::string& name,
                                                                                  bool addMissingSpecials) {
  auto impl = std::make_unique<Impl>();
  impl->bytes.assign(modelFile);
  const Phrase hint = Phrase::tr("a .model file made by SentencePiece is expected");
  if (modelFile.empty()) return dataError(Phrase::tr("%1: the SentencePiece model is empty")(name), hint);
  const auto status = impl->processor.LoadFromSerializedProto(impl->bytes);
  if (!status.ok())
    return dataError(Phrase::tr("%1: not a SentencePiece model: %2")(name, plainMessage(status)), hint);
  impl->pieces = impl->processor.GetPieceSize();
  impl->size = impl->pieces;
  const auto use = [&](int id) -> std::int64_t {
    if (id >= 0) return id;
    return addMissingSpecials ? impl->size++ : -1;
  };
  impl->special.bos = use(impl->processor.bos_id());
  impl->special.pad = use(impl->processor.pad_id());
  impl->special.eos = use(impl->processor.eos_id());
  impl->special.unk = impl->processor.unk_id();
  return std::shared_ptr<SentencePieceTokenizer>(new SentencePieceTokenizer(std::move(impl)));
}

std::vector<std::int64_t> SentencePieceTokenizer::encode(std::string_view text) const {
  std::vector<int> ids;
  const auto status = m_impl->processor.Encode(text, &ids);
  if (!status.ok())
    throw Failure(dataError(Phrase::tr("SentencePiece cannot encode: %1")(plainMessage(status))));
  return {ids.begin(), ids.end()};
}

std::string SentencePieceTokenizer::decode(std::span<const std::int64_t> ids) const {
  std::vector<int> known;
  known.reserve(ids.size());
  for (const std::int64_t id : ids) {
    const SpecialIds& special = m_impl->special;
    if (id == special.bos || id == special.pad || id == special.eos) continue;
    known.push_back(static_cast<int>(id >= 0 && id < m_impl->pieces ? id : special.unk));
  }
  std::string text;
  const auto status = m_impl->processor.Decode(known, &text);
  if (!status.ok())
    throw Failure(dataError(Phrase::tr("SentencePiece cannot decode: %1")(plainMessage(status))));
  return text;
}

std::int64_t SentencePieceTokenizer::vocabularySize() const {
  return m_impl->size;
}
SpecialIds SentencePieceTokenizer::special() const {
  return m_impl->special;
}
std::string SentencePieceTokenizer::piece(std::int64_t id) const {
  if (id >= 0 && id < m_impl->pieces) return m_impl->processor.IdToPiece(static_cast<int>(id));
  if (id == m_impl->special.pad) return "<pad>";
  if (id == m_impl->special.bos) return "<s>";
  if (id == m_impl->special.eos) return "</s>";
  return "<unk>";
}

std::vector<SentencePieceTokenizer::Piece> SentencePieceTokenizer::encodeWithRanges(
    std::string_view text) const {
  const auto encoded = m_impl->processor.EncodeAsImmutableProto(text);
  std::vector<Piece> pieces;
  pieces.reserve(encoded.pieces_size());
  for (const auto& piece : encoded.pieces())
    pieces.push_back({piece.id(), piece.piece(), {piece.begin(), piece.end()}});
  return pieces;
}

}  // namespace fathom
