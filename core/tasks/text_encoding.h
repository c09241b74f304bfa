// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/option_field.h"
#include "core/tasks/host_batch.h"
#include "core/tasks/task.h"
#include "core/text/encoder_tokenizer.h"
#include "core/text/sequence_pair.h"
#include "core/text/token_ranges.h"
#include "core/text/tokenizer.h"

namespace fathom {

enum class TextVocabularyKind { WordPiece, ByteBpe, Model, Tokenizer };

// One row of pieces as an encoder reads it: the second segment begins at `second`.
struct TextRow {
  std::vector<std::int32_t> ids;
  std::int32_t second = 0;  // = ids.size(): one segment
  std::int64_t size() const { return static_cast<std::int64_t>(ids.size()); }
};

// Turns one or two texts of a task into the input of a pre-trained encoder (docs/fine_tuning.md §1):
// [CLS] A [SEP] B [SEP] with WordPiece or SentencePiece, <s> A </s></s> B </s> with byte-level BPE. The one
// place that does. Immutable, any thread.
class TextEncoding {
 public:
  // From the options text.vocabulary.*, or what the run kept. The tokenizer's other files beside a vocabulary
  // act (encoder_vocabulary.h). Data errors name the file.
  static Result<TextEncoding> make(const OptionValues& options, const TaskSetup& setup);
  static Result<TextEncoding> ofWordPieces(std::string_view vocabulary, const std::string& file,
                                           bool lowerCase);

  EncodedText encode(std::string_view text) const;
  // Special tokens of a row with two texts.
  std::int64_t marksOfPair() const { return m_layout == PairLayout::Bert ? 3 : 4; }
  // Cut to `longest` pieces, marks included, as the released BERT code does: the last piece of the longer
  // text goes, of the second one where both are equally long. `cut` is counted up, may be null.
  TextRow row(const EncodedText& text, std::int64_t longest, std::int64_t* cut = nullptr) const;
  TextRow row(const EncodedText& first, const EncodedText& second, std::int64_t longest,
              std::int64_t* cut = nullptr) const;
  // Row of pieces that are cut already, such as a window of the second text.
  TextRow pairOf(std::span<const std::int32_t> first, std::span<const std::int32_t> second) const;

  std::int64_t size() const { return m_size; }
  std::int64_t cls() const { return m_special.bos; }
  std::int64_t sep() const { return m_special.eos; }
  std::int64_t pad() const { return m_special.pad; }
  std::int64_t unk() const { return m_special.unk; }
  bool lowerCase() const { return m_lowerCase; }
  bool byteLevel() const { return m_layout == PairLayout::Roberta; }
  bool wordPieces() const { return m_kind == TextVocabularyKind::WordPiece; }
  std::string piece(std::int64_t id) const;
  std::string decode(std::span<const std::int64_t> ids) const { return m_tokenizer->decode(ids); }
  // Facts for models and exports: vocabulary, pad_id, cls_id, sep_id, unk_id, segments, lower_case.
  std::map<std::string, std::int64_t> sizes() const;
  // Odd lines of the vocabulary, said once.
  const std::vector<Phrase>& notes() const { return m_notes; }
  // "vocabulary.txt", "vocabulary.model", or "vocabulary.json" and "merges.txt"; "tokenizer.json" and
  // "tokenizer_config.json" where such files govern.
  const std::map<std::string, std::string>& artifacts() const { return m_artifacts; }

 private:
  TextEncoding() = default;
  static Result<TextEncoding> ofTokenizer(EncoderTokenizer tokenizer, TextVocabularyKind kind);
  Status finish(TextVocabularyKind kind);
  TextRow packed(const PairInput& input) const;
  PairFormat format(std::int64_t longest) const;

  std::shared_ptr<const Tokenizer> m_tokenizer;
  EncodedText (*m_encode)(const Tokenizer& tokenizer, std::string_view text) = nullptr;
  TextVocabularyKind m_kind = TextVocabularyKind::WordPiece;
  PairLayout m_layout = PairLayout::Bert;
  SpecialIds m_special;
  std::int64_t m_size = 0;
  bool m_lowerCase = false;
  std::map<std::string, std::string> m_artifacts;
  std::vector<Phrase> m_notes;
};

// Options text.vocabulary.*, which every such task lists.
std::vector<OptionField> textEncodingFields();
// TaskEntry::encoderOptions of a task: these options, and `task`.
Json textEncoderOptions(const char* task, const Json& vocabulary);

// tokens, segments [R, T] and lengths [R] of the rows; padding has the id `pad` and segment 0. `width` 0: as
// wide as the longest row.
void putTextRows(HostBatch& batch, const std::vector<const TextRow*>& rows, std::int64_t pad,
                 std::int64_t width = 0);
// Task::pieces of the row of such a batch.
TokenRow pieceTexts(const HostBatch& batch, std::int64_t row, const TextEncoding& encoding);

}  // namespace fathom
