// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Tokens of the examples of one stack, as a person gives them beside arrays. Either list may be empty: no
// texts, or nobody says which are real.
struct StackTokens {
  std::vector<std::vector<std::string>> texts;  // [example][place]; "" = padding
  std::vector<std::vector<char>> real;          // [example][place], 1 = a token, 0 = padding
  std::string textsName, realName;              // of the members, for errors
};

// A JSON file of tokens: {"tokens": [[text, …], …], "attention_mask": [[1, 0, …], …], "decoder_tokens",
// "decoder_attention_mask"}, any of them, others passed over: what a tokenizer of transformers gives, saved;
// or the list of tokens alone. One example may be a list of texts.
class GivenTokens {
 public:
  GivenTokens() = default;
  // Data error naming the file and the member.
  static Result<GivenTokens> read(const std::string& file);
  // Those of a stack; `beside`: of a model with another stack before it, which has the names without
  // "decoder_".
  const StackTokens& of(const std::string& stack, bool beside) const;
  const std::string& file() const { return m_file; }

 private:
  std::string m_file;
  StackTokens m_plain, m_decoder;
};

// Which places of every example are real, [examples][places], by mask or tokens; all of them where nobody
// says. Data error naming the tokens' file and the place where they do not fit.
Result<std::vector<std::vector<char>>> realPlaces(const GivenTokens& given, const StackTokens& tokens,
                                                  std::int64_t examples, std::int64_t places,
                                                  const std::string& array);
// Texts of the real places of one example; their numbers, from 1, where there are no texts.
std::vector<std::string> tokenTexts(const StackTokens& tokens, const std::vector<char>& real,
                                    std::int64_t example);

}  // namespace fathom
