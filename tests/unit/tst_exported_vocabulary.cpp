// SPDX-License-Identifier: Apache-2.0
// The tokenizer.json of an exported encoder gives the run's pieces and ids in Hugging Face's tokenizers
// (tests/fixtures/make_encoder_exports.py); what it cannot say is refused by its name.
// FATHOM_REGENERATE=FOLDER writes the files from which the script makes the expected ids.
#include <QDir>
#include <QTest>
#include <bit>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/tasks/exported_vocabulary.h"
#include "core/text/byte_bpe_tokenizer.h"
#include "core/text/encoder_tokenizer.h"
#include "core/text/sentencepiece_export.h"
#include "core/text/sentencepiece_file.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/wordpiece_tokenizer.h"
#include "support_byte_vocabulary.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

using Files = std::map<std::string, std::string>;
using Facts = std::map<std::string, std::int64_t>;

constexpr std::int64_t kMost = 32;
const std::string kPieces = FATHOM_SOURCE_DIR "/tests/fixtures/encoders/exports/pieces.json.gz";

std::string modelOf(SentencePieceTraining::Model kind) {
  const char* const lines[] = {"the cat sat on the mat .", "a cat and a hat , and the cat 's mat !",
                               "café möchte 北京 大学", "aaaa bababa 12 345.67 --- ...",
                               "that was the whole of it , the other said"};
  SentencePieceTraining training;
  training.model = kind;
  training.vocabularySize = kind == SentencePieceTraining::Model::Bpe ? 90 : 52;
  std::size_t next = 0;
  const SentenceSource source = [&](std::string_view& sentence) {
    if (next == 5 * std::size(lines)) return false;
    sentence = lines[next++ % std::size(lines)];
    return true;
  };
  return trainSentencePiece(training, source).value().bytes;
}

std::string wordPieces() {
  std::string text;
  for (const char* piece :
       {"[PAD]", "[UNK]", "[CLS]", "[SEP]",    "[MASK]",      "the",          "cat",          "sat",    "on",
        "mat",   "The",   "CAT",   "cafe",     "caf\xc3\xa9", "m\xc3\xb6",    "mo",           "##chte", ".",
        "-",     "a",     "##a",   "b",        "12",          "\xe5\x8c\x97", "\xe4\xba\xac", "don",    "'",
        "t",     "x",     "##x",   "\xcf\x83", "##\xcf\x83",  "##ing"})
    text += std::string(piece) + "\n";
  return text;
}

// One way in which a run cuts texts: what it keeps, what its task says, and its own tokenizer.
struct Kind {
  Files kept;
  Facts facts;
  std::shared_ptr<const Tokenizer> own;
};

Kind wordPieceKind(bool lower) {
  WordPieceOptions options;
  options.lowerCase = lower;
  auto own = std::make_shared<const WordPieceTokenizer>(
      WordPieceTokenizer::fromText(wordPieces(), "vocab.txt", options).value());
  return {{{"vocabulary.txt", wordPieces()}}, {{"lower_case", lower ? 1 : 0}, {"mask_id", own->mask()}}, own};
}

Kind byteKind(bool blank) {
  const test::ByteVocabulary bytes = test::byteVocabulary();
  ByteBpeOptions options;
  options.addPrefixSpace = blank;
  auto own = std::make_shared<const ByteBpeTokenizer>(
      ByteBpeTokenizer::fromFiles(bytes.vocabulary, "vocab.json", bytes.merges, "merges.txt", options)
          .value());
  return {{{"vocabulary.json", bytes.vocabulary}, {"merges.txt", bytes.merges}},
          {{"lower_case", 0}, {"prefix_blank", blank ? 1 : 0}, {"mask_id", own->mask()}},
          own};
}

Kind modelKind(SentencePieceTraining::Model kind) {
  const std::string bytes = modelOf(kind);
  const auto own = SentencePieceTokenizer::fromBytes(bytes, "vocabulary.model", true).value();
  return {{{"vocabulary.model", bytes}},
          {{"mask_id", own->vocabularySize()}, {"vocabulary", own->vocabularySize() + 1}},
          own};
}

// Imported with settings of its own, and a token that is found in texts.
Kind importedKind() {
  TokenizerFiles files;
  files.bytes["vocab.txt"] = wordPieces();
  files.bytes[kTokenizerConfig] = R"({"do_lower_case": true, "strip_accents": false})";
  files.bytes["added_tokens.json"] = R"({"[E1]": 33})";
  const EncoderTokenizer made = readEncoderTokenizer(files).value();
  Files kept = made.files;
  kept["vocabulary.txt"] = made.plainFiles.at("vocab.txt");
  return {kept, {{"lower_case", 1}, {"mask_id", made.pipeline->mask()}, {"vocabulary", 40}}, made.pipeline};
}

Kind kindOf(const std::string& name) {
  if (name == "bpe") return modelKind(SentencePieceTraining::Model::Bpe);
  if (name == "unigram") return modelKind(SentencePieceTraining::Model::Unigram);
  if (name == "uncased" || name == "cased") return wordPieceKind(name == "uncased");
  if (name == "imported") return importedKind();
  return byteKind(name == "bytes_blank");
}

ExportedVocabulary exportedOf(const Kind& kind) {
  Facts facts = kind.facts;
  const SpecialIds special = kind.own->special();
  facts.insert(
      {{"cls_id", special.bos}, {"sep_id", special.eos}, {"pad_id", special.pad}, {"unk_id", special.unk}});
  facts.insert({"vocabulary", kind.own->vocabularySize()});
  return exportedVocabulary(kind.kept, facts, kMost).value();
}

Json jsonOf(const ExportedVocabulary& exported, const char* name) {
  return Json::parse(exported.files.at(name));
}

}  // namespace

class TestExportedVocabulary : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void givesTheRunsIds_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"bpe", "unigram", "uncased", "cased", "bytes", "bytes_blank", "imported"})
      QTest::newRow(kind) << QString::fromLatin1(kind);
  }
  void givesTheRunsIds() {
    QFETCH(QString, kind);
    const Kind own = kindOf(kind.toStdString());
    const ExportedVocabulary exported = exportedOf(own);
    if (const QByteArray folder = qgetenv("FATHOM_REGENERATE"); !folder.isEmpty()) {
      const QString path = QString::fromUtf8(folder) + QLatin1Char('/') + kind;
      QVERIFY(QDir().mkpath(path));
      for (const auto& [name, bytes] : exported.files)
        QVERIFY(writeFileAtomically(path.toStdString() + "/" + name, bytes).ok());
      QSKIP("the files are written, the script makes the expected ids");
    }
    const Json golden = fixtures::readJson(kPieces);
    const Json& expected = golden.at("kinds").at(kind.toStdString());
    // The file whose ids the library told is the one that is written today.
    QCOMPARE(sha256Hex(exported.files.at("tokenizer.json")), expected.at("sha256").get<std::string>());
    const Json& texts = golden.at("texts");
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string text = texts[i].get<std::string>();
      // Two ways to cut it have equal scores: what the note of the export is about.
      if (kind == QLatin1String("unigram") && text.starts_with("aaaaaaa")) continue;
      QVERIFY2(own.own->encode(text) == expected.at("ids")[i].get<std::vector<std::int64_t>>(), text.c_str());
    }
    const auto first = own.own->encode(texts[0].get<std::string>()),
               second = own.own->encode(texts[1].get<std::string>());
    const bool roberta = kind.startsWith(QLatin1String("bytes"));
    std::vector<std::int64_t> pair = {own.own->special().bos};
    pair.insert(pair.end(), first.begin(), first.end());
    pair.insert(pair.end(), roberta ? 2 : 1, own.own->special().eos);
    pair.insert(pair.end(), second.begin(), second.end());
    pair.push_back(own.own->special().eos);
    QCOMPARE(expected.at("pair").get<std::vector<std::int64_t>>(), pair);
  }

  // The three files agree, and say what transformers asks of them.
  void configurationGoesWithIt() {
    const ExportedVocabulary bpe = exportedOf(kindOf("bpe")), bytes = exportedOf(kindOf("bytes"));
    const Json config = jsonOf(bpe, "tokenizer_config.json"), marks = jsonOf(bpe, "special_tokens_map.json");
    QCOMPARE(config.at("tokenizer_class").get<std::string>(), std::string("PreTrainedTokenizerFast"));
    QCOMPARE(config.at("model_max_length").get<std::int64_t>(), kMost);
    QCOMPARE(config.at("model_input_names").size(), std::size_t{3});
    QCOMPARE(jsonOf(bytes, "tokenizer_config.json").at("model_input_names").size(), std::size_t{2});
    for (const auto& [key, name] : marks.items()) QVERIFY2(config.at(key).dump() == name.dump(), key.c_str());
    QCOMPARE(marks.at("mask_token").get<std::string>(), std::string("[MASK]"));
    QCOMPARE(marks.at("cls_token").get<std::string>(), std::string("<s>"));
    QVERIFY(bpe.notes.empty());
    QCOMPARE(exportedOf(kindOf("unigram")).notes.size(), std::size_t{1});
    for (const char* name : {"vocab.json", "merges.txt"}) QVERIFY2(bytes.files.contains(name), name);
    const Json added = jsonOf(exportedOf(kindOf("imported")), "tokenizer.json").at("added_tokens");
    QCOMPARE(added.back().at("content").get<std::string>(), std::string("[E1]"));
    QCOMPARE(added.back().at("id").get<int>(), 33);
  }

  // A run without a vocabulary exports without one.
  void nothingKeptIsNothingWritten() { QVERIFY(exportedVocabulary({}, {}, kMost).value().files.empty()); }

  void otherRulesAreRefused() {
    Kind google = wordPieceKind(true);
    google.facts["own_words"] = 1;
    const auto refused = exportedVocabulary(google.kept, google.facts, kMost);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().text().find("hf_fast") != std::string::npos, refused.error().text().c_str());
    QVERIFY(refused.error().hint.find("--tokenizer none") != std::string::npos);
    const Facts moved = {{"cls_id", 3}};
    QVERIFY(!exportedVocabulary(google.kept, moved, kMost).ok());
  }

  // "zzz" is cut as "zz z" or "z zz", whichever comes out of the rounding: no reason to refuse the model.
  void tiesAreNoOtherPieces() {
    const std::string bytes = modelOf(SentencePieceTraining::Model::Unigram);
    const auto piece = [](const std::string& text, float score) {
      const auto bits = std::bit_cast<std::uint32_t>(score);
      std::string own = "\x0a" + std::string(1, static_cast<char>(text.size())) + text + "\x15";
      for (int shift = 0; shift < 32; shift += 8) own.push_back(static_cast<char>(bits >> shift & 0xFF));
      return "\x0a" + std::string(1, static_cast<char>(own.size())) + own;
    };
    for (float score = -3; score > -4; score -= 0.037F) {
      const std::string more = piece("z", score) + piece("zz", score - 1.3F) + piece("zzz", -100);
      const auto made = sentencePieceJson(bytes + more, "m");
      QVERIFY2(made.ok(), made.ok() ? "" : made.error().text().c_str());
    }
  }

  // Changed in the file itself: a piece of a user's own, one that is not used, no blanks before words.
  void otherModelsAreRefused() {
    const std::string bytes = modelOf(SentencePieceTraining::Model::Bpe);
    QVERIFY(sentencePieceJson(bytes, "m").ok());
    const auto pieces = SentencePieceFile::parse(bytes, "m").value().pieces;
    QVERIFY(pieces.size() == 90 && pieces[3].sort == SentencePieceFile::Sort::Unknown);
    QCOMPARE(pieces[4].sort, SentencePieceFile::Sort::Normal);
    // One more piece at the end of the file: text, score -1000, sort.
    const auto withPiece = [&](char sort) {
      const std::string piece = std::string("\x0a\x02zz\x15\x00\x00\x7a\xc4\x18", 10) + sort;
      return bytes + "\x0a" + std::string(1, static_cast<char>(piece.size())) + piece;
    };
    const auto said = [&](const std::string& changed) {
      const auto made = sentencePieceJson(changed, "m");
      return made.ok() ? std::string("written") : made.error().text();
    };
    QVERIFY2(said(withPiece(4)).find("'zz'") != std::string::npos, said(withPiece(4)).c_str());
    QVERIFY2(said(withPiece(5)).find("not used") != std::string::npos, said(withPiece(5)).c_str());
    QVERIFY2(said(withPiece(1)).find("no piece") != std::string::npos, said(withPiece(1)).c_str());
    const std::string unescaped = bytes + std::string("\x1a\x02\x28\x00", 4);
    QVERIFY2(said(unescaped).find("blanks") != std::string::npos, said(unescaped).c_str());
    QVERIFY(!SentencePieceFile::parse(std::string_view(bytes).substr(0, bytes.size() - 3), "m").ok());
  }
};

QTEST_GUILESS_MAIN(TestExportedVocabulary)
#include "tst_exported_vocabulary.moc"
