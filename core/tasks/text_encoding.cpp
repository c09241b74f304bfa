// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_encoding.h"

#include <algorithm>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/tasks/data_options.h"
#include "core/tasks/encoder_vocabulary.h"
#include "core/tasks/kept_files.h"
#include "core/text/byte_bpe_tokenizer.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/wordpiece_tokenizer.h"

namespace fathom {

namespace {

constexpr EnumWord<TextVocabularyKind> kTextVocabularies[] = {
    {TextVocabularyKind::WordPiece, "wordpiece", "WordPiece (BERT's vocab.txt)"},
    {TextVocabularyKind::ByteBpe, "byte_bpe", "Byte-level BPE (RoBERTa's vocab.json)"},
    {TextVocabularyKind::Model, "model", "SentencePiece model"},
    {TextVocabularyKind::Tokenizer, "tokenizer", "tokenizer.json of Hugging Face"}};

template <typename Kind>
EncodedText encodedBy(const Tokenizer& tokenizer, std::string_view text) {
  return static_cast<const Kind&>(tokenizer).encodeWithRanges(text);
}

template <>
EncodedText encodedBy<SentencePieceTokenizer>(const Tokenizer& tokenizer, std::string_view text) {
  EncodedText encoded;
  for (const auto& piece : static_cast<const SentencePieceTokenizer&>(tokenizer).encodeWithRanges(text))
    encoded.add(piece.id, piece.range);
  return encoded;
}

}  // namespace

Result<TextEncoding> TextEncoding::ofWordPieces(std::string_view vocabulary, const std::string& file,
                                                bool lowerCase) {
  WordPieceOptions wanted;
  wanted.lowerCase = lowerCase;
  FATHOM_TRY(WordPieceTokenizer made, WordPieceTokenizer::fromText(vocabulary, file, wanted));
  TextEncoding encoding;
  encoding.m_notes = made.notes();
  encoding.m_tokenizer = std::make_shared<const WordPieceTokenizer>(std::move(made));
  encoding.m_encode = encodedBy<WordPieceTokenizer>;
  encoding.m_lowerCase = lowerCase;
  FATHOM_CHECK(encoding.finish(TextVocabularyKind::WordPiece));
  return encoding;
}

Result<TextEncoding> TextEncoding::ofTokenizer(EncoderTokenizer tokenizer, TextVocabularyKind kind) {
  const PipelineTokenizer& own = *tokenizer.pipeline;
  const bool words = own.model() == "WordPiece", bytes = own.model() == "BPE" && own.byteLevel();
  if ((kind == TextVocabularyKind::WordPiece && !words) || (kind == TextVocabularyKind::ByteBpe && !bytes))
    return aboutKey(
        "text.vocabulary.kind",
        usageError(Phrase::tr("text.vocabulary.kind=%1, but the tokenizer's files hold a model %2")(
                       wordOf(kTextVocabularies, kind), own.model()),
                   Phrase::tr("choose tokenizer")));
  if (tokenizer.plainWordPiece) {  // the same ids, sooner
    FATHOM_TRY(TextEncoding made,
               ofWordPieces(tokenizer.plainFiles.at("vocab.txt"), "vocab.txt", tokenizer.lowerCase));
    made.m_artifacts = tokenizerArtifacts(tokenizer);
    made.m_notes = std::move(tokenizer.notes);
    return made;
  }
  TextEncoding made;
  made.m_artifacts = tokenizerArtifacts(tokenizer);
  made.m_notes = std::move(tokenizer.notes);
  made.m_lowerCase = tokenizer.lowerCase;
  made.m_encode = encodedBy<PipelineTokenizer>;
  made.m_tokenizer = tokenizer.pipeline;
  FATHOM_CHECK(made.finish(words ? TextVocabularyKind::WordPiece : kind));
  made.m_layout = own.pairs();
  return made;
}

Result<TextEncoding> TextEncoding::make(const OptionValues& options, const TaskSetup& setup) {
  const TextVocabularyKind kind = valueOf(kTextVocabularies, options.text("text.vocabulary.kind"));
  FATHOM_TRY(const std::string file, encoderVocabularyFile(options, "text.vocabulary", setup));
  if (kind != TextVocabularyKind::Model) {
    const bool lowerCase =
        kind != TextVocabularyKind::WordPiece || options.flag("text.vocabulary.lower_case");
    const VocabularyChoice choice{file, options.text("text.vocabulary.merges"), lowerCase,
                                  "text.vocabulary.lower_case"};
    FATHOM_TRY(auto beside, tokenizerBeside(choice, setup));
    if (beside) return ofTokenizer(std::move(*beside), kind);
    if (kind == TextVocabularyKind::Tokenizer)
      return dataErrorAt(file, 0, Phrase::tr("a file named tokenizer.json is expected"));
  }
  if (kind == TextVocabularyKind::WordPiece) {
    FATHOM_TRY(std::string bytes, keptFile("vocabulary.txt", file, setup));
    FATHOM_TRY(TextEncoding made, ofWordPieces(bytes, file, options.flag("text.vocabulary.lower_case")));
    made.m_artifacts["vocabulary.txt"] = std::move(bytes);
    return made;
  }
  TextEncoding made;
  if (kind == TextVocabularyKind::Model) {
    FATHOM_TRY(std::string bytes, keptFile("vocabulary.model", file, setup));
    FATHOM_TRY(made.m_tokenizer, SentencePieceTokenizer::fromBytes(bytes, file, true));
    made.m_encode = encodedBy<SentencePieceTokenizer>;
    made.m_artifacts["vocabulary.model"] = std::move(bytes);
    FATHOM_CHECK(made.finish(kind));
    ++made.m_size;  // behind its pieces comes the mask symbol of the run that trained on it
    return made;
  }
  FATHOM_TRY(ByteBpeTokenizer bytes, keptByteBpe(file, options.text("text.vocabulary.merges"), {},
                                                 {"<s>", "</s>", "<pad>", "<unk>"}, setup, made.m_artifacts));
  made.m_tokenizer = std::make_shared<const ByteBpeTokenizer>(std::move(bytes));
  made.m_encode = encodedBy<ByteBpeTokenizer>;
  FATHOM_CHECK(made.finish(kind));
  return made;
}

Status TextEncoding::finish(TextVocabularyKind kind) {
  m_kind = kind;
  m_layout = kind == TextVocabularyKind::ByteBpe ? PairLayout::Roberta : PairLayout::Bert;
  m_special = m_tokenizer->special();
  m_size = m_tokenizer->vocabularySize();
  if (m_special.bos < 0 || m_special.eos < 0 || m_special.pad < 0)
    return dataError(Phrase::tr("the vocabulary has no marks for the beginning and the end of a text, or no "
                                "padding"),
                     Phrase::tr("use the vocabulary that belongs to the encoder"));
  return {};
}

EncodedText TextEncoding::encode(std::string_view text) const {
  return m_encode(*m_tokenizer, text);
}

std::string TextEncoding::piece(std::int64_t id) const {
  return id >= m_tokenizer->vocabularySize() && id < m_size ? "[MASK]" : m_tokenizer->piece(id);
}

PairFormat TextEncoding::format(std::int64_t longest) const {
  return {m_layout, cls(), sep(), longest, SpareToken::First};
}

TextRow TextEncoding::packed(const PairInput& input) const {
  TextRow row;
  row.ids.assign(input.ids.begin(), input.ids.end());
  const auto second = std::find(input.segments.begin(), input.segments.end(), 1);
  row.second = static_cast<std::int32_t>(second - input.segments.begin());
  return row;
}

TextRow TextEncoding::row(const EncodedText& text, std::int64_t longest, std::int64_t* cut) const {
  if (cut != nullptr && text.size() + 2 > longest) ++*cut;
  return packed(makeSingleInput(text, format(longest)));
}

TextRow TextEncoding::row(const EncodedText& first, const EncodedText& second, std::int64_t longest,
                          std::int64_t* cut) const {
  if (cut != nullptr && first.size() + second.size() + marksOfPair() > longest) ++*cut;
  return packed(makePairInput(first, second, format(longest)));
}

TextRow TextEncoding::pairOf(std::span<const std::int32_t> first,
                             std::span<const std::int32_t> second) const {
  const auto mark = static_cast<std::int32_t>(sep());
  TextRow row;
  row.ids.push_back(static_cast<std::int32_t>(cls()));
  row.ids.insert(row.ids.end(), first.begin(), first.end());
  row.ids.push_back(mark);
  if (byteLevel()) row.ids.push_back(mark);
  row.second = static_cast<std::int32_t>(row.ids.size());
  row.ids.insert(row.ids.end(), second.begin(), second.end());
  row.ids.push_back(mark);
  if (byteLevel()) row.second = static_cast<std::int32_t>(row.ids.size());  // one segment
  return row;
}

std::map<std::string, std::int64_t> TextEncoding::sizes() const {
  return {{"vocabulary", m_size},
          {"pad_id", pad()},
          {"cls_id", cls()},
          {"sep_id", sep()},
          {"unk_id", unk()},
          {"segments", 2},
          {"lower_case", m_lowerCase ? 1 : 0}};
}

std::vector<OptionField> textEncodingFields() {
  return fromPaper(
      "BERT, tokenization",
      inGroup("Vocabulary",
              {choiceField("text.vocabulary.kind", "Vocabulary of the encoder",
                           "How texts become pieces: as for the encoder that reads them.",
                           choicesOf(kTextVocabularies)),
               pathField(
                   "text.vocabulary.file", "File of the encoder's vocabulary",
                   "BERT's vocab.txt, RoBERTa's vocab.json, a SentencePiece model or a tokenizer.json, with "
                   "the tokenizer's other files beside it; empty takes the one beside the weights that "
                   "the model starts from."),
               mergesFileField("text.vocabulary", "Merges of the encoder's vocabulary"),
               lowerCaseField("text.vocabulary", "Lower case, as the encoder")}));
}

Json textEncoderOptions(const char* task, const Json& vocabulary) {
  Json options = {{"task", task}};
  for (const char* name : {"kind", "file", "merges", "lower_case"})
    if (vocabulary.contains(name)) options[std::string("text.vocabulary.") + name] = vocabulary[name];
  return options;
}

void putTextRows(HostBatch& batch, const std::vector<const TextRow*>& rows, std::int64_t pad,
                 std::int64_t width) {
  for (const TextRow* row : rows) width = std::max(width, row->size());
  const auto count = static_cast<std::int64_t>(rows.size());
  HostArray tokens(HostDtype::I64, {count, width}), segments(HostDtype::I64, {count, width});
  HostArray lengths(HostDtype::I64, {count});
  const auto ids = tokens.values<std::int64_t>(), kinds = segments.values<std::int64_t>();
  std::fill(ids.begin(), ids.end(), pad);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t begin = r * static_cast<std::size_t>(width);
    std::copy(rows[r]->ids.begin(), rows[r]->ids.end(), ids.begin() + static_cast<std::ptrdiff_t>(begin));
    for (auto i = static_cast<std::size_t>(rows[r]->second); i < rows[r]->ids.size(); ++i)
      kinds[begin + i] = 1;
    lengths.values<std::int64_t>()[r] = rows[r]->size();
  }
  batch.paddedUnits = count * width;
  batch.arrays.insert_or_assign("tokens", std::move(tokens));
  batch.arrays.insert_or_assign("segments", std::move(segments));
  batch.arrays.insert_or_assign("lengths", std::move(lengths));
}

TokenRow pieceTexts(const HostBatch& batch, std::int64_t row, const TextEncoding& encoding) {
  TokenRow tokens;
  for (const std::int64_t id : rowOf(batch.array("tokens"), row)) tokens.texts.push_back(encoding.piece(id));
  return tokens;
}

}  // namespace fathom
