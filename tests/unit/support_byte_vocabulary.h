// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json/json.h"

namespace fathom::test {

// A vocabulary of RoBERTa's form: its special symbols, the 256 bytes and a few merged pieces. 266 tokens,
// <s> 0, <pad> 1, </s> 2, <unk> 3, <mask> 265.
struct ByteVocabulary {
  std::string vocabulary, merges;  // bytes of vocab.json and merges.txt
};

// GPT-2 writes printable Latin-1 bytes as they are, the others as U+0100 and following.
inline std::string byteSymbol(int byte, int& extra) {
  const bool plain =
      (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  const int code = plain ? byte : 256 + extra++;
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
}

inline ByteVocabulary byteVocabulary() {
  Json ids = Json::object();
  int next = 0, extra = 0;
  for (const char* special : {"<s>", "<pad>", "</s>", "<unk>"}) ids[special] = next++;
  for (int byte = 0; byte < 256; ++byte) ids[byteSymbol(byte, extra)] = next++;
  const std::string blank = "\xc4\xa0";
  ByteVocabulary made;
  made.merges = "#version: 0.2\n";
  const std::pair<std::string, std::string> merges[] = {
      {blank, "t"}, {"h", "e"}, {blank + "t", "he"}, {blank, "w"}, {blank, "s"}};
  for (const auto& [left, right] : merges) {
    made.merges += left + " " + right + "\n";
    ids[left + right] = next++;
  }
  ids["<mask>"] = next;
  made.vocabulary = ids.dump();
  return made;
}

}  // namespace fathom::test
