// SPDX-License-Identifier: Apache-2.0
// Texts become GPT-2's ids (tests/fixtures/make_gpt2_folder.py), whichever files of the tokenizer are there;
// what a run keeps of it goes out again as files that give the same ids.
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/tasks/encoder_vocabulary.h"
#include "core/tasks/exported_vocabulary.h"

using namespace fathom;

namespace {

const std::string kGpt2Folder = FATHOM_SOURCE_DIR "/tests/fixtures/encoders/gpt2/";

TokenizerFiles someFiles(const QStringList& names) {
  TokenizerFiles files;
  for (const QString& name : names)
    files.bytes[name.toStdString()] = readFile(kGpt2Folder + "model/" + name.toStdString()).value();
  return files;
}

// The ids of every text; those of the fixture are of the library's own tokenizer.
void compareIds(const EncoderTokenizer& made) {
  const Json expected = readJsonFile(kGpt2Folder + "pieces.json").value();
  QCOMPARE(expected.at("texts").size(), expected.at("ids").size());
  QVERIFY(expected.at("texts").size() > 20);
  for (std::size_t i = 0; i < expected.at("texts").size(); ++i) {
    const std::string text = expected.at("texts")[i].get<std::string>();
    QVERIFY2(Json(made.pipeline->encode(text)) == expected.at("ids")[i], text.c_str());
  }
  QVERIFY(made.pipeline->find("<|endoftext|>") == expected.at("end").get<std::int64_t>());
}

}  // namespace

class TestGpt2Pieces : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sameIds_data() {
    QTest::addColumn<QStringList>("names");
    QTest::newRow("all") << QStringList{"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
                                        "vocab.json", "merges.txt"};
    QTest::newRow("tokenizer.json") << QStringList{"tokenizer.json"};
    QTest::newRow("vocab.json") << QStringList{"vocab.json", "merges.txt"};
    QTest::newRow("vocab.json and settings")
        << QStringList{"vocab.json", "merges.txt", "tokenizer_config.json", "special_tokens_map.json"};
  }
  void sameIds() {
    QFETCH(const QStringList, names);
    const TokenizerFiles files = someFiles(names);
    const EncoderTokenizer made = readEncoderTokenizer(files, false, false, TextForm::Running).value();
    compareIds(made);
    TokenizerFiles again;
    again.bytes = made.files;
    compareIds(readEncoderTokenizer(again, false, false, TextForm::Running).value());
    QVERIFY(made.plainFiles.contains("vocab.json"));
    // An encoder's rows need marks.
    const auto rows = readEncoderTokenizer(files);
    QVERIFY(!rows.ok());
    QVERIFY2(rows.error().text().find("cls_token") != std::string::npos, rows.error().text().c_str());
  }

  void importAndExport() {
    const ImportedVocabulary imported = importedVocabulary(kGpt2Folder + "model", TextForm::Running).value();
    QVERIFY(imported.notes.empty() && imported.passedOver.empty());
    QCOMPARE(imported.pieces, std::int64_t{301});
    QVERIFY(imported.options.at("kind") == "byte_bpe" && imported.options.at("file") == "vocab.json");
    for (const char* file : {"tokenizer.json", "tokenizer_config.json", "vocab.json", "merges.txt"})
      QVERIFY2(imported.files.contains(file), file);
    std::map<std::string, std::string> kept = imported.files;
    kept["vocabulary.json"] = kept.at("vocab.json");
    kept.erase("vocab.json");
    const std::map<std::string, std::int64_t> facts = {{"vocabulary", 301}, {"pad_id", 300}, {"eos_id", 300}};
    std::map<std::string, std::string> plain = kept;  // what a run keeps of a vocabulary that stands alone
    plain.erase("tokenizer.json");
    plain.erase("tokenizer_config.json");
    for (const auto& artifacts : {kept, plain}) {
      const ExportedVocabulary made = exportedVocabulary(artifacts, facts, 24, TextForm::Running).value();
      QVERIFY(made.notes.empty());
      const Json settings = Json::parse(made.files.at("tokenizer_config.json"));
      QVERIFY(settings.at("eos_token") == "<|endoftext|>" && settings.at("bos_token") == "<|endoftext|>");
      QVERIFY(settings.at("model_max_length") == 24);
      QVERIFY(Json::parse(made.files.at("special_tokens_map.json")).at("eos_token") == "<|endoftext|>");
      TokenizerFiles files;
      files.bytes = made.files;
      const EncoderTokenizer again = readEncoderTokenizer(files, false, false, TextForm::Running).value();
      compareIds(again);
      const Json own = Json::parse(made.files.at("tokenizer.json"));
      const Json theirs = readJsonFile(kGpt2Folder + "model/tokenizer.json").value();
      for (const char* part : {"normalizer", "pre_tokenizer", "post_processor", "decoder"})
        QVERIFY2(own.at(part) == theirs.at(part), part);
      QVERIFY(own.at("model").at("vocab") == theirs.at("model").at("vocab"));
      QCOMPARE(own.at("model").at("merges").size(), theirs.at("model").at("merges").size());
    }
  }
};

QTEST_APPLESS_MAIN(TestGpt2Pieces)
#include "tst_gpt2_pieces.moc"
