// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Rules of a SentencePiece model, for whoever writes it in another form: the library tells pieces
// and scores, but no rules. Names and numbers as in sentencepiece_model.proto.
struct SentencePieceFile {
  enum class Sort { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };
  struct Piece {
    std::string text;
    float score = 0;
    Sort sort = Sort::Normal;
  };
  enum class Model { Unigram = 1, Bpe, Word, Char };
  std::vector<Piece> pieces;  // by id
  Model model = Model::Unigram;
  bool byteFallback = false, suffix = false;  // suffix: the mark of a blank stands behind its word
  std::string normalization, charsmap;        // the name of the rules, their table (empty: none)
  bool prefixBlank = true, singleBlanks = true, marksBlanks = true;

  // Data error for bytes that are no such file.
  static Result<SentencePieceFile> parse(std::string_view bytes, const std::string& name);
};

}  // namespace fathom
