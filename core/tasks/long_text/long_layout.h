// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

enum class GlobalKind : std::int32_t { Padding, Cls, Question, Candidate, Paragraph, Sentence };

// What a layout asks of a tokenizer, and the ids of special and of global tokens.
struct LongPieces {
  std::function<std::vector<std::int64_t>(std::string_view)> encode;
  std::function<std::string(std::int64_t)> piece;  // as the vocabulary writes it
  // Text of pieces that are no WordPieces; empty: they are, and "##" joins them.
  std::function<std::string(std::span<const std::int64_t>)> decode = {};
  bool lowerCase = true;  // WordPieces of an uncased vocabulary
  std::int64_t cls = -1, sep = -1, pad = 0;
  std::int64_t outside = 0, sentence = 1, question = 3, candidate = 4, paragraph = 5;  // ETC's unused pieces
};

// Kinds of tokens as ETC's code numbers them.
struct LongTypes {
  static constexpr std::int32_t kText = 1, kTitle = 2, kQuestion = 3, kCandidate = 4;
  static constexpr std::int32_t kGlobal = 0, kQuestionGlobal = 5, kCandidateGlobal = 6, kParagraphGlobal = 7;
};

// The two streams of an example, not padded. -1: none.
struct LongLayout {
  std::vector<std::int32_t> tokens, types;              // of long tokens
  std::vector<std::int32_t> sentence, paragraph, link;  // places in the global stream
  std::vector<std::int32_t> word;                       // of its sentence or text
  std::vector<std::int32_t> breaks;                     // 1: the last token of a context
  std::vector<std::int32_t> globalTokens, globalTypes, globalBreaks;
  std::vector<GlobalKind> globalKinds;

  std::int64_t length() const { return static_cast<std::int64_t>(tokens.size()); }
  std::int64_t globals() const { return static_cast<std::int64_t>(globalTokens.size()); }
  // Its place.
  std::int32_t addGlobal(std::int64_t token, std::int32_t type, GlobalKind kind);
  void addLong(std::int64_t token, std::int32_t type, std::int32_t sentencePlace,
               std::int32_t paragraphPlace = -1, std::int32_t wordPlace = -1);
  // A context ends behind what was added; a stream without tokens since the last end has no break.
  void endContext();
};

// Numbers of contexts from 1; 0 behind the last break, where padding is.
std::vector<std::int32_t> contextsOf(const std::vector<std::int32_t>& breaks, std::size_t length);

// Words between the five white-space characters of BERT's reading tasks: blank, tab, CR, LF, U+202F.
std::vector<std::string> readingWords(std::string_view text);

}  // namespace fathom
