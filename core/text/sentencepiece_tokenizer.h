// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"
#include "core/text/tokenizer.h"

namespace fathom {

struct SentencePieceTraining {
  enum class Model { Unigram, Bpe };
  Model model = Model::Bpe;
  std::int64_t vocabularySize = 8000;  // pieces, the four special ones included
  double characterCoverage = 1.0;      // share of the characters of the text that get a piece of their own
  std::int64_t maxSentenceBytes =
      4192;  // longer sentences do not take part in training; see SentencePieceModel
  bool byteFallback = false;
};

struct SentencePieceModel {
  std::string bytes;           // the .model file
  std::int64_t sentences = 0;  // used in training
  std::int64_t tooLong = 0;    // left out
};

// Sentences one after the other; false at the end. The view must stay valid until the next call.
using SentenceSource = std::function<bool(std::string_view& sentence)>;

// Trains a model with ids bos 0, pad 1, eos 2, unk 3 (fairseq's), normalisation nmt_nfkc. The same sentences
// and options give the same bytes: one thread, sentences from memory, no path in the file. Data error when
// the text is too small for the vocabulary (the message names the largest possible size); interrupted when
// `stop` asks while sentences are read.
Result<SentencePieceModel> trainSentencePiece(const SentencePieceTraining& options,
                                              const SentenceSource& next, const StopToken& stop = {});

// A SentencePiece model. Special symbols the model lacks (pad, often) get ids behind its pieces when
// `addMissingSpecials` is given. Thread-safe.
class SentencePieceTokenizer : public Tokenizer {
 public:
  static Result<std::shared_ptr<SentencePieceTokenizer>> fromBytes(std::string_view modelFile,
                                                                   const std::string& name,
                                                                   bool addMissingSpecials = false);
  ~SentencePieceTokenizer() override;

  std::vector<std::int64_t> encode(std::string_view text) const override;
  std::string decode(std::span<const std::int64_t> ids) const override;
  std::int64_t vocabularySize() const override;
  SpecialIds special() const override;
  std::string piece(std::int64_t id) const override;

  struct Piece {
    std::int64_t id = 0;
    std::string text;  // as in the vocabulary; an unknown piece: the normalised text
    TextRange range;   // bytes of the original text
  };
  std::vector<Piece> encodeWithRanges(std::string_view text) const;

 private:
  struct Impl;
  explicit SentencePieceTokenizer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace fathom
