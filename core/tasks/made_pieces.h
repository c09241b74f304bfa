// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// The vocabulary of made data for tasks that read texts with an encoder's pieces (text_encoding.h):
// byte-level BPE in RoBERTa's files, which goes with encoders of one and of two segment kinds. Every word
// that was added is one piece; whatever else is asked is spelled in bytes.
class MadePieces {
 public:
  // Words of letters and digits, apart where they stand behind a blank and where a text begins with them.
  void add(std::string_view text);
  int size() const;
  // vocab.json and merges.txt into the folder, which exists.
  Status write(const std::string& folder) const;
  // The options that read them.
  static Json options(const std::string& folder);
  // {"text.vocabulary.file": …, "text.vocabulary.merges": …}
  static Json files(const std::string& folder);

 private:
  struct Built;
  Built build() const;
  std::set<std::string> m_inner, m_first;
};

}  // namespace fathom
