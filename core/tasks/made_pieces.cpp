// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/made_pieces.h"

#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/text/byte_bpe_tokenizer.h"

namespace fathom {

namespace {

bool ofWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

struct MadePieces::Built {
  Json ids = Json::object();
  std::string merges = "#version: 0.2\n";
  void add(const std::string& piece) {
    if (!ids.contains(piece)) ids[piece] = ids.size();
  }
  // Letter after letter from the first one: a pair begins where a word does, so no pair is found within
  // another word.
  void chain(std::string piece, std::string_view letters) {
    for (const char letter : letters) {
      const std::string longer = piece + letter;
      if (!ids.contains(longer)) merges += piece + " " + letter + "\n";
      add(longer);
      piece = longer;
    }
  }
};

void MadePieces::add(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && ofWord(text[end])) ++end;
    if (end > at) {
      const bool inner = at > 0 && text[at - 1] == ' ';
      (inner ? m_inner : m_first).insert(std::string(text.substr(at, end - at)));
    }
    at = end + 1;
  }
}

// Words behind a blank come first: their pairs win where a word is known in both ways.
MadePieces::Built MadePieces::build() const {
  Built built;
  for (const char* mark : {"<s>", "<pad>", "</s>", "<unk>"}) built.add(mark);
  for (int byte = 0; byte < 256; ++byte) built.add(byteCharacter(static_cast<std::uint8_t>(byte)));
  for (const std::string& word : m_inner) built.chain(byteCharacter(' '), word);
  for (const std::string& word : m_first) built.chain(word.substr(0, 1), std::string_view(word).substr(1));
  built.add("<mask>");
  return built;
}

int MadePieces::size() const {
  return static_cast<int>(build().ids.size());
}

Json MadePieces::files(const std::string& folder) {
  return {{"text.vocabulary.file", folder + "/vocab.json"},
          {"text.vocabulary.merges", folder + "/merges.txt"}};
}

Json MadePieces::options(const std::string& folder) {
  Json options = files(folder);
  options["text.vocabulary.kind"] = "byte_bpe";
  return options;
}

Status MadePieces::write(const std::string& folder) const {
  const Built built = build();
  const Json to = files(folder);
  FATHOM_CHECK(writeFileAtomically(to["text.vocabulary.file"].get<std::string>(), built.ids.dump(1) + "\n"));
  return writeFileAtomically(to["text.vocabulary.merges"].get<std::string>(), built.merges);
}

}  // namespace fathom
