// SPDX-License-Identifier: Apache-2.0
// Every setting of tokenizer.json that is read gives the ids of Hugging Face's tokenizers
// (tests/fixtures/make_tokenizer_settings.py), every other one is refused by its name; vocabularies with odd
// lines; the files beside a vocabulary.
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/base/text/utf8.h"
#include "core/text/encoder_tokenizer.h"
#include "core/text/vocabulary_lines.h"
#include "core/text/wordpiece_tokenizer.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

const std::string kFolder = FATHOM_SOURCE_DIR "/tests/fixtures/tokenizers/settings/";

const Json& golden() {
  static const Json found = fixtures::readJson(kFolder + "cases.json.gz");
  return found;
}

// The tokenizer.json of a case.
Json fileOf(const Json& one) {
  Json model = golden().at("models").at(one.at("model").get<std::string>());
  for (const auto& [key, value] : one.at("changes").items()) model[key] = value;
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens", one.at("added")},
          {"normalizer", one.at("normalizer")},
          {"pre_tokenizer", one.at("pre_tokenizer")},
          {"post_processor", nullptr},
          {"decoder", nullptr},
          {"model", model}};
}

// Marks that every vocabulary of the cases has.
TokenRoles rolesOf(const Json& one) {
  if (one.at("model") == "wordpiece") return {};
  return {"<s>", "</s>", "<pad>", "<unk>", "<mask>"};
}

std::shared_ptr<const PipelineTokenizer> tokenizerOf(const Json& one) {
  return PipelineTokenizer::fromJson(fileOf(one), "tokenizer.json", rolesOf(one), true).value();
}

// The digests of all code points, 4,096 at a time.
template <typename ResultOf>
QString firstDifference(const Json& digests, const ResultOf& resultOf) {
  for (const auto& [block, digest] : digests.items()) {
    const auto first = static_cast<char32_t>(std::stoul(block)) << 12;
    std::string all;
    for (char32_t code = first; code < first + 4096; ++code) all += resultOf(code) + "\n";
    if (sha256Hex(all).substr(0, 12) != asText(digest))
      return QStringLiteral("block of U+%1").arg(static_cast<uint>(first), 4, 16);
  }
  return {};
}

TokenizerFiles filesOf(std::map<std::string, std::string> bytes) {
  TokenizerFiles files;
  files.folder = "enc";
  files.bytes = std::move(bytes);
  return files;
}

const std::string kWords =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nmochte\nmöchte\nThe\n[\n]\ne\n##1\n1\n";

EncodedText encoded(const EncoderTokenizer& made, const std::string& text) {
  return made.pipeline->encodeWithRanges(text);
}

}  // namespace

class TokenizerSettingsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void idsAreThoseOfTokenizers_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const Json& one : golden().at("cases"))
      QTest::newRow(one.at("name").get<std::string>().c_str()) << index++;
  }
  void idsAreThoseOfTokenizers() {
    QFETCH(int, index);
    const Json& one = golden().at("cases").at(static_cast<std::size_t>(index));
    const auto made = tokenizerOf(one);
    const Json& texts = golden().at("texts");
    QCOMPARE(one.at("ids").size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const EncodedText got = made->encodeWithRanges(texts[i].get<std::string>());
      QVERIFY2(
          Json(got.ids) == one.at("ids")[i],
          (texts[i].dump() + ": " + Json(got.ids).dump() + " instead of " + one.at("ids")[i].dump()).c_str());
      const auto size = static_cast<std::int64_t>(texts[i].get<std::string>().size());
      for (const TextRange& range : got.ranges)
        QVERIFY(range.begin >= 0 && range.begin <= range.end && range.end <= size);
    }
  }

  void everyCharacter_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    const Json all = fixtures::readJson(kFolder + "characters.json.gz");
    for (const Json& one : all) QTest::newRow(one.at("name").get<std::string>().c_str()) << index++;
  }
  void everyCharacter() {
    QFETCH(int, index);
    static const Json all = fixtures::readJson(kFolder + "characters.json.gz");
    const Json& one = all.at(static_cast<std::size_t>(index));
    std::vector<std::string> unknown;
    QString wrong;
    if (one.contains("normalizer")) {
      const TextNormalizer made = makeNormalizer(one.at("normalizer"), "f", "normalizer", unknown);
      wrong = firstDifference(one.at("digests"), [&](char32_t code) {
        TextCharacters text = {{code, {0, 1}}};
        made(text);
        return utf8Of(text);
      });
    } else {
      const TextCutter made = makeCutter(one.at("pre_tokenizer"), "f", "pre_tokenizer", unknown);
      wrong = firstDifference(one.at("digests"), [&](char32_t code) {
        CutText text = {{{{U'a', {0, 1}}, {code, {1, 2}}, {U'b', {2, 3}}}, 0}};
        made(text);
        std::string joined;
        for (const CutPart& part : text) joined += (joined.empty() ? "" : "|") + utf8Of(part.characters);
        return joined;
      });
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
  }

  void refusedByName_data() {
    QTest::addColumn<QString>("changes");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* changes, const char* words) {
      QTest::newRow(name) << QString::fromUtf8(changes) << QString::fromUtf8(words);
    };
    row("normalizer", R"({"normalizer": {"type": "Rot13"}})", "'normalizer.type' is \"Rot13\"");
    row("inside a sequence", R"({"normalizer": {"type": "Sequence", "normalizers": [{"type": "Rot13"}]}})",
        "'normalizer.normalizers.0.type'");
    row("regular expression",
        R"({"normalizer": {"type": "Replace", "pattern": {"Regex": "(a|b)+"}, "content": ""}})",
        "'normalizer.pattern'");
    row("pre-tokenizer", R"({"pre_tokenizer": {"type": "UnicodeScripts"}})", "'pre_tokenizer.type'");
    row("dropout", R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.1}})",
        "'model.dropout' is 0.1");
    row("model", R"({"model": {"type": "Markov", "vocab": {"a": 0}}})", "'model.type'");
    row("flag as a text", R"({"normalizer": {"type": "BertNormalizer", "lowercase": "yes"}})",
        "'normalizer.lowercase' must be true or false");
    row("strip_accents as a number", R"({"normalizer": {"type": "BertNormalizer", "strip_accents": 0}})",
        "'normalizer.strip_accents' must be true or false");
    row("model without pieces", R"({"model": {"type": "WordPiece", "vocab": {}}})",
        "'model.vocab' holds no pieces");
    row("post-processor", R"({"post_processor": {"type": "Roulette"}})", "'post_processor.type'");
    row("pairs of another form", R"({"post_processor": {"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [], "special_tokens": {}}})",
        "'post_processor.single'");
    row("cut on the left", R"({"truncation": {"direction": "Left", "max_length": 5}})",
        "'truncation.direction'");
    row("padded on the left", R"({"padding": {"direction": "Left"}})", "'padding.direction'");
    row("id of an added token", R"({"added_tokens": [{"id": 4000, "content": "[E1]"}]})",
        "'added_tokens.0' gives '[E1]' the id 4000, the tokenizers library gives it");
  }
  void refusedByName() {
    QFETCH(QString, changes);
    QFETCH(QString, words);
    Json file = fileOf(golden().at("cases").front());
    const Json changed = Json::parse(changes.toStdString());
    for (const auto& [key, value] : changed.items()) file[key] = value;
    const auto made = readEncoderTokenizer(filesOf({{"tokenizer.json", file.dump()}}));
    QVERIFY(!made.ok());
    QCOMPARE(made.error().kind, ErrorKind::Data);
    const std::string text = made.error().text();
    QVERIFY2(text.find(words.toStdString()) != std::string::npos, text.c_str());
    QVERIFY2(text.find("enc/tokenizer.json") != std::string::npos, text.c_str());
    QVERIFY2(text.find("json.exception") == std::string::npos, text.c_str());
  }

  void settingsBesideAct_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("others");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("pieces");
    const auto row = [](const char* name, const char* config, const char* others, const char* text,
                        const char* pieces) {
      QTest::newRow(name) << QString::fromUtf8(config) << QString::fromUtf8(others) << QString::fromUtf8(text)
                          << QString::fromUtf8(pieces);
    };
    row("nothing said", "{}", "", "Möchte The", "mochte the");
    row("accents stay", R"({"strip_accents": false})", "", "Möchte The", "möchte the");
    row("accents null", R"({"strip_accents": null})", "", "Möchte The", "mochte the");
    row("cased", R"({"do_lower_case": false})", "", "möchte The", "möchte The");
    row("cased without accents", R"({"do_lower_case": false, "strip_accents": true})", "", "möchte The",
        "mochte The");
    row("added tokens of before", "{}", R"({"added_tokens.json": {"[E1]": 15, "[E2]": 16}})",
        "[E1] the cat [e2]", "[E1] the cat [E2]");
    row("added and special", R"({"additional_special_tokens": ["[E1]"]})",
        R"({"added_tokens.json": {"[E1]": 15}})", "[E1] the [e1]", "[E1] the [ e ##1 ]");
    row("additional ones are numbered", R"({"additional_special_tokens": ["<x>"]})", "", "the<x>cat",
        "the <x> cat");
    row("decoder of added tokens",
        R"({"added_tokens_decoder": {"15": {"content": "[E1]", "single_word": false, "lstrip": false,
            "rstrip": false, "normalized": false, "special": true}}})",
        "", "the [E1] cat", "the [E1] cat");
    row("split special tokens", R"({"additional_special_tokens": ["cat"], "split_special_tokens": true})", "",
        "the cat", "the cat");
    row("other unknown", R"({"unk_token": "[PAD]"})", "", "the dog", "the [PAD]");
    row("special map", "{}", R"({"special_tokens_map.json": {"unk_token": {"content": "[MASK]"}}})",
        "the dog", "the [MASK]");
  }
  void settingsBesideAct() {
    QFETCH(QString, config);
    QFETCH(QString, others);
    QFETCH(QString, text);
    QFETCH(QString, pieces);
    std::map<std::string, std::string> files = {{"vocab.txt", kWords},
                                                {"tokenizer_config.json", config.toStdString()}};
    const Json more = others.isEmpty() ? Json::object() : Json::parse(others.toStdString());
    for (const auto& [name, json] : more.items()) files[name] = json.dump();
    const auto made = readEncoderTokenizer(filesOf(files));
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().text().c_str());
    QStringList got;
    for (const std::int64_t id : encoded(*made, text.toStdString()).ids)
      got << QString::fromStdString(made->pipeline->piece(id));
    QCOMPARE(got.join(QLatin1Char(' ')), pieces);
    // What is kept of it reads back to the same.
    const auto again = readEncoderTokenizer(filesOf(made->files));
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
    QCOMPARE(encoded(*again, text.toStdString()).ids, encoded(*made, text.toStdString()).ids);
    QCOMPARE(again->files, made->files);
  }

  void settingsBesideAreRefused_data() {
    QTest::addColumn<QString>("files");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* files, const char* file, const char* words) {
      QTest::newRow(name) << QString::fromUtf8(files) << QString::fromUtf8(file) << QString::fromUtf8(words);
    };
    const char* config = "enc/tokenizer_config.json";
    row("basic", R"({"tokenizer_config.json": {"do_basic_tokenize": false}})", config, "'do_basic_tokenize'");
    row("never split", R"({"tokenizer_config.json": {"never_split": ["the"]}})", config, "'never_split'");
    row("class", R"({"tokenizer_config.json": {"tokenizer_class": "BertJapaneseTokenizer"}})", config,
        "'tokenizer_class' is \"BertJapaneseTokenizer\"");
    row("left", R"({"tokenizer_config.json": {"truncation_side": "left"}})", config, "'truncation_side'");
    row("a text for a flag", R"({"tokenizer_config.json": {"do_lower_case": "true"}})", config,
        "'do_lower_case' must be true or false");
    row("a number for a token", R"({"tokenizer_config.json": {"unk_token": 5}})", config, "'unk_token'");
    row("an id that is no number", R"({"added_tokens.json": {"[E1]": "15"}})", "enc/added_tokens.json",
        "'[E1]' must be a whole number");
    row("a gap", R"({"added_tokens.json": {"[E1]": 20}})", "enc/tokenizer.json",
        "'[E1]' the id 20, the tokenizers library gives it 15");
    row("contradiction",
        R"({"tokenizer_config.json": {"unk_token": "[UNK]"}, "special_tokens_map.json": {"unk_token": "[PAD]"}})",
        "enc/special_tokens_map.json", "'unk_token' is '[PAD]', tokenizer_config.json says '[UNK]'");
    row("a list", R"({"tokenizer_config.json": []})", config, "is not a JSON object");
  }
  void settingsBesideAreRefused() {
    QFETCH(QString, files);
    QFETCH(QString, file);
    QFETCH(QString, words);
    std::map<std::string, std::string> bytes = {{"vocab.txt", kWords}};
    const Json more = Json::parse(files.toStdString());
    for (const auto& [name, json] : more.items()) bytes[name] = json.dump();
    const auto made = readEncoderTokenizer(filesOf(bytes));
    QVERIFY(!made.ok());
    const std::string text = made.error().text();
    QVERIFY2(text.find(words.toStdString()) != std::string::npos, text.c_str());
    QVERIFY2(text.find(file.toStdString()) != std::string::npos, text.c_str());
  }

  void contradictionToTokenizerJson() {
    const auto base = readEncoderTokenizer(filesOf({{"vocab.txt", kWords}})).value();
    QVERIFY(base.plainWordPiece && base.lowerCase);
    const auto with = [&](const char* config) {
      return readEncoderTokenizer(
          filesOf({{"tokenizer.json", base.files.at("tokenizer.json")}, {"tokenizer_config.json", config}}));
    };
    QVERIFY(with(R"({"do_lower_case": true})").ok());
    const auto made = with(R"({"do_lower_case": false})");
    QVERIFY(!made.ok());
    QVERIFY2(
        made.error().text().find("'do_lower_case' is false, but 'normalizer.lowercase' of enc/tokenizer.json "
                                 "is true") != std::string::npos,
        made.error().text().c_str());
    QVERIFY(!with(R"({"strip_accents": false})").ok());
    QVERIFY(with(R"({"strip_accents": true})").ok());
  }

  // Members that say nothing about pieces are listed once.
  void unknownMembersAreListed() {
    const auto made =
        readEncoderTokenizer(
            filesOf({{"vocab.txt", kWords},
                     {"tokenizer_config.json", R"({"colour": "blue", "model_max_length": 512})"},
                     {"special_tokens_map.json", R"({"shape": 1})"}}))
            .value();
    QCOMPARE(made.passedOver,
             (std::vector<std::string>{"tokenizer_config.json: colour", "special_tokens_map.json: shape"}));
  }

  // The odd lines of a vocab.txt as the library reads them: a mark before the first token, white space behind
  // tokens, empty lines, a token twice.
  void oddLines() {
    const std::string text =
        "\xEF\xBB\xBF[PAD]\r\n[UNK]\n[CLS]\n[SEP] \nthe\t\n\ncat\u3000\n\nthe\n##s\nthe\n";
    const VocabularyLines lines = vocabularyLines(text, "vocab.txt");
    QCOMPARE(lines.tokens, (std::vector<std::string>{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "", "cat", "",
                                                     "the", "##s", "the"}));
    QCOMPARE(lines.notes.size(), std::size_t{3});
    const auto plain = WordPieceTokenizer::fromText(text, "vocab.txt", {});
    QVERIFY2(plain.ok(), plain.ok() ? "" : plain.error().text().c_str());
    QCOMPARE(plain->encode("the cats"), (std::vector<std::int64_t>{10, 6, 9}));
    QCOMPARE(plain->vocabularySize(), std::int64_t{11});
    QCOMPARE(plain->special().pad, std::int64_t{0});
    QCOMPARE(plain->notes().size(), std::size_t{3});
    const auto made = readEncoderTokenizer(filesOf({{"vocab.txt", text}})).value();
    QCOMPARE(encoded(made, "the cats").ids, (std::vector<std::int64_t>{10, 6, 9}));
    QCOMPARE(made.notes.size(), std::size_t{3});
    // A mark before a word makes it another token, there as here.
    const auto word = vocabularyLines("\xEF\xBB\xBFthe\n[UNK]\n", "vocab.txt");
    QCOMPARE(word.tokens.front(), std::string("\xEF\xBB\xBFthe"));
  }

  void tokenizerJsonOfPlainBert() {
    const auto base = readEncoderTokenizer(filesOf({{"vocab.txt", kWords}})).value();
    const auto again = readEncoderTokenizer(filesOf(base.files)).value();
    QVERIFY(again.plainWordPiece);
    QCOMPARE(again.plainFiles.at("vocab.txt"), kWords);
    QCOMPARE(again.pipeline->special().bos, std::int64_t{2});
    QCOMPARE(again.pipeline->special().eos, std::int64_t{3});
    QCOMPARE(again.pipeline->special().pad, std::int64_t{0});
    QCOMPARE(again.pipeline->mask(), std::int64_t{4});
    QVERIFY(again.pipeline->pairs() == PairLayout::Bert);
    QCOMPARE(again.pipeline->decode(again.pipeline->encode("The cat e1")), std::string("the cat e1"));
  }
};

QTEST_APPLESS_MAIN(TokenizerSettingsTest)
#include "tst_tokenizer_settings.moc"
