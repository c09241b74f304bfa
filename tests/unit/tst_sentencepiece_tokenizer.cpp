// SPDX-License-Identifier: Apache-2.0
#include "core/text/sentencepiece_tokenizer.h"

#include <QTest>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/text/utf8.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

using Ids = std::vector<std::int64_t>;

std::vector<std::string> sentences() {
  std::vector<std::string> result;
  const char* words[] = {"Haus",   "house", "garden", "Garten",  "größer",
                         "bigger", "the",   "der",    "running", "läuft"};
  for (int i = 0; i < 400; ++i) {
    std::string sentence;
    for (int w = 0; w < 6; ++w) sentence += std::string(words[(i * 7 + w * w * 3 + w) % 10]) + " ";
    result.push_back(sentence + std::to_string(i));
  }
  return result;
}

Result<SentencePieceModel> train(const std::vector<std::string>& text, const SentencePieceTraining& options,
                                 const StopToken& stop = {}) {
  std::size_t next = 0;
  return trainSentencePiece(
      options,
      [&](std::string_view& sentence) {
        if (next >= text.size()) return false;
        sentence = text[next++];
        return true;
      },
      stop);
}

// Code points before the byte offset.
std::int64_t codePoints(const std::string& text, std::int64_t bytes) {
  return countCodePoints(std::string_view(text).substr(0, static_cast<std::size_t>(bytes)));
}

// Length of the numbers' common part, to name the first difference.
std::string different(const Json& row, const Ids& ids) {
  std::string text = "line " + std::to_string(row.at("n").get<int>()) + ":";
  for (const std::int64_t id : ids) text += " " + std::to_string(id);
  return text + " instead of " + row.at("ids").dump();
}

void compareRow(const SentencePieceTokenizer& tokenizer, const std::string& text, const Json& row) {
  const Ids ids = tokenizer.encode(text);
  const Ids expected = row.at("ids").get<Ids>();
  if (ids != expected) {  // exact ties of the score, broken differently between versions
    QVERIFY2(row.contains("older_ids") && ids == row.at("older_ids").get<Ids>(), different(row, ids).c_str());
    return;
  }
  QCOMPARE(tokenizer.decode(ids), row.at("decoded").get<std::string>());
  const auto pieces = tokenizer.encodeWithRanges(text);
  QCOMPARE(pieces.size(), expected.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    QCOMPARE(pieces[i].text, row.at("pieces")[i].get<std::string>());
    QCOMPARE(codePoints(text, pieces[i].range.begin), row.at("offsets")[i][0].get<std::int64_t>());
    QCOMPARE(codePoints(text, pieces[i].range.end), row.at("offsets")[i][1].get<std::int64_t>());
  }
}

}  // namespace

class SentencePieceTokenizerTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fixtureLines() {
    const auto cases = fixtures::cases("tokenizers");
    if (cases.empty()) QSKIP("no fixtures");
    std::string linesFile;
    for (const auto& one : cases)
      if (!one.file("/lines.jsonl.gz").empty()) linesFile = one.file("/lines.jsonl.gz");
    if (linesFile.empty()) QSKIP("the lines are absent");
    const auto lines = fixtures::readJsonLines(linesFile);
    for (const auto& one : cases) {
      if (!one.name.ends_with("sentencepiece")) continue;
      for (const std::string& file : one.files) {
        if (!file.ends_with(".model")) continue;
        const auto tokenizer = SentencePieceTokenizer::fromBytes(readFile(file).value(), file).value();
        const auto rows = fixtures::readJsonLines(file.substr(0, file.size() - 6) + ".jsonl.gz");
        QVERIFY(!rows.empty());
        for (const Json& row : rows)
          compareRow(*tokenizer, lines.at(row.at("n").get<std::size_t>()).at("text").get<std::string>(), row);
        qInfo("%s: %zu lines", file.c_str(), rows.size());
      }
    }
  }

  void sameTextSameBytes() {
    for (const auto model : {SentencePieceTraining::Model::Bpe, SentencePieceTraining::Model::Unigram}) {
      SentencePieceTraining options;
      options.model = model;
      options.vocabularySize = 70;
      const auto first = train(sentences(), options).value(), second = train(sentences(), options).value();
      QCOMPARE(first.bytes, second.bytes);
      QCOMPARE(first.sentences, 400);
      const auto tokenizer = SentencePieceTokenizer::fromBytes(first.bytes, "model").value();
      QCOMPARE(tokenizer->vocabularySize(), 70);
      QCOMPARE(tokenizer->special().bos, 0);
      QCOMPARE(tokenizer->special().pad, 1);
      QCOMPARE(tokenizer->special().eos, 2);
      QCOMPARE(tokenizer->special().unk, 3);
      for (const std::string& text : {std::string("the Garten is größer"), std::string("Haus 17")})
        QCOMPARE(tokenizer->decode(tokenizer->encode(text)).substr(0, 4), text.substr(0, 4));
    }
  }

  void specialIdsAreLeftOutAndUnknownShown() {
    SentencePieceTraining options;
    options.vocabularySize = 70;
    const auto tokenizer =
        SentencePieceTokenizer::fromBytes(train(sentences(), options).value().bytes, "m").value();
    Ids ids = tokenizer->encode("house");
    const std::string plain = tokenizer->decode(ids);
    ids.insert(ids.begin(), 0);
    ids.push_back(2);
    ids.push_back(1);
    QCOMPARE(tokenizer->decode(ids), plain);
    QCOMPARE(tokenizer->encode("</s>").front() == 2, false);
    QVERIFY(tokenizer->decode(Ids{9999, -5}).find("\u2047") != std::string::npos);
    QCOMPARE(tokenizer->piece(9999), std::string("<unk>"));
  }

  void missingSpecialsAreAdded() {
    std::string model;
    for (const auto& one : fixtures::cases("tokenizers"))
      if (!one.file("/bpe.model").empty()) model = one.file("/bpe.model");
    if (model.empty()) QSKIP("no BPE model");
    const std::string bytes = readFile(model).value();
    const auto plain = SentencePieceTokenizer::fromBytes(bytes, "bpe").value();
    QCOMPARE(plain->special().pad, -1);
    const auto added = SentencePieceTokenizer::fromBytes(bytes, "bpe", true).value();
    QCOMPARE(added->special().pad, plain->vocabularySize());
    QCOMPARE(added->vocabularySize(), plain->vocabularySize() + 1);
    QCOMPARE(added->special().bos, 1);
  }

  void refusals() {
    SentencePieceTraining options;
    options.vocabularySize = 5000;
    const auto large = train(sentences(), options);
    QCOMPARE(large.error().kind, ErrorKind::Data);
    QVERIFY(large.error().message.find("pieces: Vocabulary size too high (5000)") != std::string::npos);
    options.vocabularySize = 10;
    QVERIFY(train(sentences(), options).error().message.find("required_chars") != std::string::npos);
    options.vocabularySize = 3;
    QCOMPARE(train(sentences(), options).error().kind, ErrorKind::Usage);
    options.vocabularySize = 70;
    QCOMPARE(train({}, options).error().kind, ErrorKind::Data);
    QCOMPARE(train({"", ""}, options).error().kind, ErrorKind::Data);
    StopToken stop;
    stop.requestStop();
    QCOMPARE(train(sentences(), options, stop).error().kind, ErrorKind::Interrupted);
    auto text = sentences();
    text.push_back(std::string(5000, 'a'));
    QCOMPARE(train(text, options).value().tooLong, 1);
    for (const char* bytes : {"", "no model", "\x0a\x05hello"})
      QCOMPARE(SentencePieceTokenizer::fromBytes(bytes, "x.model").error().kind, ErrorKind::Data);
  }
};

QTEST_APPLESS_MAIN(SentencePieceTokenizerTest)
#include "tst_sentencepiece_tokenizer.moc"
