// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/text/added_tokens.h"
#include "core/text/piece_models.h"
#include "core/text/sequence_pair.h"
#include "core/text/text_cutters.h"
#include "core/text/tokenizer.h"

namespace fathom {

// Which tokens mark what; texts that stand in nobody's text.
struct TokenRoles {
  std::string cls, sep, pad, unknown, mask;
};

// Rows: texts between marks, as encoders read them; cls_token, sep_token and pad_token are needed. Running:
// text without an end, as GPT-2 reads it; they may be missing.
enum class TextForm { Rows, Running };

// A tokenizer.json of Hugging Face's tokenizers, with the ids that it gives (docs/tokenizers.md §6): added
// tokens are found, the text between is normalised, cut and made pieces. The tokens of the roles spelt in a
// text are ordinary text unless `matchRoles`, or where texts have no marks around them. Thread-safe.
class PipelineTokenizer : public Tokenizer {
 public:
  // `roles`: those that are not named are found in the file. Data error naming file and member for what is
  // not read.
  static Result<std::shared_ptr<const PipelineTokenizer>> fromJson(const Json& json, const std::string& file,
                                                                   TokenRoles roles = {},
                                                                   bool matchRoles = false,
                                                                   TextForm form = TextForm::Rows);

  std::vector<std::int64_t> encode(std::string_view text) const override {
    return encodeWithRanges(text).ids;
  }
  EncodedText encodeWithRanges(std::string_view text) const;
  std::string decode(std::span<const std::int64_t> ids) const override;
  std::int64_t vocabularySize() const override { return m_size; }
  SpecialIds special() const override { return m_special; }
  std::string piece(std::int64_t id) const override;
  std::int64_t find(std::string_view piece) const;  // -1 if unknown
  std::int64_t mask() const { return m_mask; }      // -1 if there is none
  const TokenRoles& roles() const { return m_roles; }
  // The file's way of joining two texts.
  PairLayout pairs() const { return m_pairs; }
  bool continuesWord(std::int64_t id) const;
  // "WordPiece", "BPE", "Unigram", "WordLevel"; and whether pieces are bytes as characters.
  const std::string& model() const { return m_model->type(); }
  bool byteLevel() const { return m_byteLevel; }
  const PieceTable& table() const { return m_model->table(); }
  const std::vector<AddedToken>& added() const { return m_added; }
  // Members that are known to nobody, or say nothing about pieces: "padding", "model.foo".
  const std::vector<std::string>& passedOver() const { return m_passedOver; }

 private:
  PipelineTokenizer() = default;
  void read(const Json& json, const std::string& file, bool matchRoles, TextForm form);
  void readAdded(SettingsReader& from);
  void readPairs(const Json& json, SettingsReader& from);
  void readProcessing(SettingsReader& from, bool roberta);
  void readTemplate(SettingsReader& from);
  void takeMarks(const SettingsReader& from, const std::string& key, const std::string& cls,
                 const std::string& sep);
  void readRoles(const std::string& file, TextForm form);
  void watchAdded(bool matchRoles);
  void encodePlain(TextCharacters characters, std::int64_t origin, EncodedText& into) const;
  std::int64_t role(std::string& name, std::initializer_list<const char*> usual) const;

  TextNormalizer m_normalizer;
  TextCutter m_cutter;
  std::shared_ptr<const PieceModel> m_model;
  std::vector<AddedToken> m_added;
  AddedTokenFinder m_raw, m_normalized;
  TokenRoles m_roles;
  SpecialIds m_special;
  PairLayout m_pairs = PairLayout::Bert;
  bool m_byteLevel = false, m_pairsKnown = false;
  std::int64_t m_mask = -1, m_size = 0;
  std::vector<std::string> m_passedOver;
};

}  // namespace fathom
