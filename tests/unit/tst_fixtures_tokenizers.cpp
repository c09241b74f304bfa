// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/text/utf8.h"
#include "core/tasks/squad/squad_windows.h"
#include "core/text/byte_bpe_tokenizer.h"
#include "core/text/character_classes.h"
#include "core/text/sequence_pair.h"
#include "core/text/wordpiece_tokenizer.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

using Ids = std::vector<std::int64_t>;

struct Files {
  fixtures::Case common, wordpiece, byteBpe, minilm;
  std::vector<std::string> texts;  // by line number
};

// Read once for each folder of fixtures.
const Files& files() {
  static std::map<std::string, Files> read;
  const auto [found, fresh] = read.try_emplace(fixtures::folder());
  if (!fresh) return found->second;
  found->second = [] {
    Files result;
    for (const auto& one : fixtures::cases("tokenizers")) {
      if (one.name.ends_with("common")) result.common = one;
      if (one.name.ends_with("wordpiece")) result.wordpiece = one;
      if (one.name.ends_with("byte_bpe")) result.byteBpe = one;
      if (one.name.ends_with("minilm_spider")) result.minilm = one;
    }
    if (result.common.files.empty()) return result;
    for (const Json& row : fixtures::readJsonLines(result.common.file("/lines.jsonl.gz")))
      result.texts.push_back(row.at("text").get<std::string>());
    return result;
  }();
  return found->second;
}

const std::string& textOf(const Json& row, const char* key = "n") {
  return files().texts.at(row.at(key).get<std::size_t>());
}

// The vocabulary of the word pieces: beside the case, or in the real data; "" when neither has that very
// file.
const std::string& bertVocabulary() {
  static std::map<std::string, std::string> read;
  const auto [found, fresh] = read.try_emplace(fixtures::folder());
  if (!fresh) return found->second;
  found->second = [] {
    const std::string described = files().wordpiece.file("/vocabulary.json");
    if (described.empty()) return std::string();
    const Json about = fixtures::readJson(described);
    const std::string own = files().wordpiece.file("/vocab.txt");
    const std::string path = own.empty() ? fixtures::dataPath("bert_vocab/vocab_uncased.txt") : own;
    const auto bytes = readFile(path);
    const bool right = bytes.ok() && sha256Hex(*bytes) == about.at("sha256").get<std::string>();
    return right ? *bytes : std::string();
  }();
  return found->second;
}

// Special ids of the vocabulary: line numbers.
std::int64_t wordId(const std::string& piece) {
  const std::string& text = bertVocabulary();
  const std::size_t at = ("\n" + text).find("\n" + piece + "\n");
  return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
}

PairFormat bertFormat(std::int64_t length) {
  return {PairLayout::Bert, wordId("[CLS]"), wordId("[SEP]"), length, SpareToken::Second};
}

WordPieceTokenizer wordPiece(const WordPieceOptions& options) {
  return WordPieceTokenizer::fromText(bertVocabulary(), "vocab.txt", options).value();
}

ByteBpeTokenizer byteBpe(const ByteBpeOptions& options) {
  const std::string vocabulary = files().byteBpe.file("vocab.json"),
                    merges = files().byteBpe.file("merges.txt");
  return ByteBpeTokenizer::fromFiles(readFile(vocabulary).value(), vocabulary, readFile(merges).value(),
                                     merges, options)
      .value();
}

// Ranges in code points, as the fixtures have them.
Json offsetsOf(const std::string& text, const EncodedText& encoded) {
  std::vector<std::int64_t> points(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    points[i + 1] = points[i] + ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80 ? 1 : 0);
  // points[i]: characters that begin before byte i.
  Json offsets = Json::array();
  for (const TextRange& range : encoded.ranges)
    offsets.push_back(
        {points[static_cast<std::size_t>(range.begin)], points[static_cast<std::size_t>(range.end)]});
  return offsets;
}

std::string differs(const Json& row, const char* key, const Json& got) {
  return "line " + row.at("n").dump() + " " + key + ": " + got.dump() + " instead of " + row.at(key).dump();
}

// Compares every row with the tokenizer that takes special tokens for text and with the one that does not.
template <typename Tokenizer>
void compareRows(const std::string& file, const Tokenizer& plain, const Tokenizer& matching,
                 int offsetsMayDiffer) {
  int offsetRows = 0;
  const auto rows = fixtures::readJsonLines(file);
  QVERIFY(!rows.empty());
  for (const Json& row : rows) {
    const std::string& text = textOf(row);
    const char* ids = row.contains("plain_ids") ? "plain_ids" : "ids";
    const char* offsets = row.contains("plain_ids") ? "plain_offsets" : "offsets";
    const EncodedText encoded = plain.encodeWithRanges(text);
    QVERIFY2(Json(encoded.ids) == row.at(ids), differs(row, ids, encoded.ids).c_str());
    const Json got = offsetsOf(text, encoded);
    if (got != row.at(offsets)) {
      if (++offsetRows > offsetsMayDiffer) QVERIFY2(false, differs(row, offsets, got).c_str());
    }
    const EncodedText matched = matching.encodeWithRanges(text);
    QVERIFY2(Json(matched.ids) == row.at("ids"), differs(row, "ids", matched.ids).c_str());
  }
  qInfo("%s: %zu lines, offsets of %d differ", file.c_str(), rows.size(), offsetRows);
}

// Leaves the test function when what it reads is absent, and says what.
#define SKIP_WITHOUT(file)                       \
  do {                                           \
    if ((file).empty()) QSKIP("absent: " #file); \
  } while (false)
#define SKIP_WITHOUT_WORD_PIECES(name)          \
  do {                                          \
    SKIP_WITHOUT(bertVocabulary());             \
    SKIP_WITHOUT(files().wordpiece.file(name)); \
    SKIP_WITHOUT(files().texts);                \
  } while (false)
#define SKIP_WITHOUT_BYTE_PIECES(name)                \
  do {                                                \
    SKIP_WITHOUT(files().byteBpe.file("vocab.json")); \
    SKIP_WITHOUT(files().byteBpe.file(name));         \
    SKIP_WITHOUT(files().texts);                      \
  } while (false)

}  // namespace

class TokenizerFixturesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"tokenizers"}); !why.empty()) QSKIP(why.c_str());
  }

  // Every code point, against the fixture's table.
  void characterClasses();
  void wordPieceLines_data();
  void wordPieceLines();
  void wordPieceVariants();
  void byteBpeLines_data();
  void byteBpeLines();
  void spiderWordsAndItems();
  void minilmQuestions();
  void pairs();
  void windows();
  void badVocabularies();
};

void TokenizerFixturesTest::characterClasses() {
  const std::string words = files().wordpiece.file("/char_classes.json.gz"),
                    pieces = files().byteBpe.file("/char_classes.json.gz");
  if (words.empty() || pieces.empty()) QSKIP("a table of characters is absent");
  const Json all = fixtures::readJson(words), bytes = fixtures::readJson(pieces);
  std::vector<std::uint8_t> expected(0x110000);
  const auto mark = [&](const Json& ranges, std::uint8_t bit) {
    for (const Json& entry : ranges) {
      const QStringList ends = QString::fromStdString(entry.get<std::string>()).split('-');
      for (std::uint32_t c = ends.first().toUInt(nullptr, 16); c <= ends.last().toUInt(nullptr, 16); ++c)
        expected[c] |= bit;
    }
  };
  const CharacterClasses& classes = CharacterClasses::instance();
  mark(all["cased"]["space"], CharacterClasses::Space);
  mark(all["cased"]["removed"], CharacterClasses::Removed);
  mark(all["cased"]["isolated"], CharacterClasses::Isolated);
  mark(bytes["L"], CharacterClasses::Letter);
  mark(bytes["N"], CharacterClasses::Number);
  mark(bytes["S"], CharacterClasses::ByteSpace);
  for (std::uint32_t c = 0; c < 0x110000; ++c)
    QCOMPARE(classes.of(c) & ~(CharacterClasses::Mark | CharacterClasses::Mapped), int{expected[c]});
  expected.assign(0x110000, 0);
  mark(all["uncased"]["removed"], 1);
  mark(all["uncased"]["isolated"], 2);
  std::map<std::uint32_t, std::string> mapped;
  for (const auto& [code, text] : all["uncased"]["mapped"].items())
    mapped[QString::fromStdString(code).toUInt(nullptr, 16)] = text.get<std::string>();
  for (std::uint32_t c = 0; c < 0x110000; ++c) {
    const std::uint8_t bits = classes.of(c);
    QCOMPARE((bits & (CharacterClasses::Removed | CharacterClasses::Mark)) != 0, (expected[c] & 1) != 0);
    QCOMPARE((bits & CharacterClasses::Mapped) != 0, mapped.contains(c));
    std::string image;
    std::uint8_t isolated = bits & CharacterClasses::Isolated;
    if (bits & CharacterClasses::Mapped) {
      for (const char32_t code : classes.lowered(c))
        if (code != 0) appendCodePoint(image, code);
      QCOMPARE(image, mapped[c]);
      isolated = classes.of(classes.lowered(c)[0]) & CharacterClasses::Isolated;
    }
    QCOMPARE(isolated != 0, (expected[c] & 2) != 0);
  }
}

void TokenizerFixturesTest::wordPieceLines_data() {
  QTest::addColumn<bool>("lowerCase");
  QTest::addColumn<QString>("file");
  QTest::newRow("uncased") << true << "/uncased.jsonl.gz";
  QTest::newRow("cased") << false << "/cased.jsonl.gz";
}

void TokenizerFixturesTest::wordPieceLines() {
  QFETCH(bool, lowerCase);
  QFETCH(QString, file);
  SKIP_WITHOUT_WORD_PIECES(file.toStdString());
  WordPieceOptions options;
  options.lowerCase = lowerCase;
  const auto plain = wordPiece(options);
  options.matchSpecialTokens = true;
  compareRows(files().wordpiece.file(file.toStdString()), plain, wordPiece(options), lowerCase ? 20 : 0);
}

// The Python tokenizers: listed ids where they differ from the fast one, else its ids.
void TokenizerFixturesTest::wordPieceVariants() {
  SKIP_WITHOUT_WORD_PIECES("slow_and_original_differ.jsonl.gz");
  std::map<std::pair<std::string, std::size_t>, Json> differing;
  for (const Json& row : fixtures::readJsonLines(files().wordpiece.file("slow_and_original_differ.jsonl.gz")))
    differing[{row.at("case").get<std::string>(), row.at("n").get<std::size_t>()}] = row;
  for (const bool lowerCase : {true, false}) {
    const std::string name = lowerCase ? "uncased" : "cased";
    for (const WordPieceVariant variant : {WordPieceVariant::HfSlow, WordPieceVariant::Google}) {
      const bool slow = variant == WordPieceVariant::HfSlow;
      WordPieceOptions options;
      options.variant = variant;
      options.lowerCase = lowerCase;
      options.matchSpecialTokens = slow;
      const auto tokenizer = wordPiece(options);
      int wrong = 0;
      for (const Json& row : fixtures::readJsonLines(files().wordpiece.file("/" + name + ".jsonl.gz"))) {
        const auto found = differing.find({name, row.at("n").get<std::size_t>()});
        const char* key = slow ? "slow_ids" : "original_ids";
        const bool listed = found != differing.end() && found->second.contains(key);
        const Json& expected = listed ? found->second.at(key) : row.at("ids");
        if (Json(tokenizer.encode(textOf(row))) == expected) continue;
        if (++wrong <= 3)
          qWarning("%s %s n=%zu: %s\ninstead of %s", name.c_str(), wordOf(kWordPieceVariants, variant),
                   row.at("n").get<std::size_t>(), Json(tokenizer.encode(textOf(row))).dump().c_str(),
                   expected.dump().c_str());
      }
      QCOMPARE(wrong, 0);
    }
  }
}

void TokenizerFixturesTest::byteBpeLines_data() {
  QTest::addColumn<bool>("prefix");
  QTest::addColumn<QString>("file");
  QTest::newRow("prefix space") << true << "/prefix_space.jsonl.gz";
  QTest::newRow("no prefix space") << false << "/no_prefix_space.jsonl.gz";
}

void TokenizerFixturesTest::byteBpeLines() {
  QFETCH(bool, prefix);
  QFETCH(QString, file);
  SKIP_WITHOUT_BYTE_PIECES(file.toStdString());
  ByteBpeOptions options;
  options.addPrefixSpace = prefix;
  const auto plain = byteBpe(options);
  options.matchSpecialTokens = true;
  const std::string path = files().byteBpe.file(file.toStdString());
  compareRows(path, plain, byteBpe(options), 0);
  for (const Json& row : fixtures::readJsonLines(path)) {
    const std::string& text = textOf(row);
    const std::string decoded = plain.decode(plain.encode(text));
    QVERIFY2(decoded == text || (prefix && decoded == " " + text), decoded.c_str());
  }
}

void TokenizerFixturesTest::spiderWordsAndItems() {
  SKIP_WITHOUT_BYTE_PIECES("spider_words_and_items.jsonl.gz");
  const auto tokenizer = byteBpe({});
  for (const Json& row : fixtures::readJsonLines(files().byteBpe.file("spider_words_and_items.jsonl.gz"))) {
    for (std::size_t i = 0; i < row.at("words").size(); ++i)
      QVERIFY(Json(tokenizer.encode(row["words"][i].get<std::string>())) == row["word_ids"][i]);
    for (std::size_t i = 0; i < row.at("items").size(); ++i)
      QVERIFY(Json(tokenizer.encode(row["items"][i].get<std::string>())) == row["item_ids"][i]);
  }
}

void TokenizerFixturesTest::minilmQuestions() {
  SKIP_WITHOUT(bertVocabulary());
  SKIP_WITHOUT(files().minilm.file("questions.jsonl.gz"));
  const auto tokenizer = wordPiece({});
  for (const Json& row : fixtures::readJsonLines(files().minilm.file("questions.jsonl.gz"))) {
    QVERIFY(Json(tokenizer.encode(row["question"].get<std::string>())) == row["question_ids"]);
    for (std::size_t i = 0; i < row.at("items").size(); ++i)
      QVERIFY(Json(tokenizer.encode(row["items"][i].get<std::string>())) == row["item_ids"][i]);
  }
}

namespace {

// Offsets of a pair in code points of the two texts.
Json pairOffsets(const PairInput& input, const std::string& first, const std::string& second) {
  Json offsets = Json::array();
  for (std::size_t i = 0; i < input.ids.size(); ++i) {
    EncodedText one;
    one.add(input.ids[i], input.ranges[i]);
    offsets.push_back(offsetsOf(input.parts[i] == 1 ? second : first, one)[0]);
  }
  return offsets;
}

template <typename Tokenizer>
PairInput inputOf(const Tokenizer& tokenizer, const Json& row, const PairFormat& format) {
  const EncodedText first = tokenizer.encodeWithRanges(textOf(row, "a"));
  if (row["b"].is_null()) return makeSingleInput(first, format);
  return makePairInput(first, tokenizer.encodeWithRanges(textOf(row, "b")), format);
}

// `prefixed`: behind a special token inside the text the reference's range of a piece with an added blank
// misses its first character; those rows are compared by ids only.
template <typename Tokenizer>
void comparePairs(const std::string& file, const Tokenizer& tokenizer, const PairFormat& format,
                  bool prefixed) {
  const auto rows = fixtures::readJsonLines(file);
  QVERIFY(!rows.empty());
  int idsOnly = 0;
  for (const Json& row : rows) {
    const std::string& first = textOf(row, "a");
    const std::string second = row["b"].is_null() ? std::string() : textOf(row, "b");
    const PairInput input = inputOf(tokenizer, row, format);
    QVERIFY2(Json(input.ids) == row["ids"], row.dump().c_str());
    QVERIFY(Json(input.segments) == row["token_types"]);
    const std::string both = first + second;
    bool special = false;
    for (const char* token : {"<s>", "</s>", "<pad>", "<unk>", "<mask>"})
      special = special || both.find(token) != std::string::npos;
    idsOnly += prefixed && special ? 1 : 0;
    if (prefixed && special) continue;
    QVERIFY2(pairOffsets(input, first, second) == row["offsets"], row.dump().c_str());
  }
  qInfo("%s: %zu rows, %d by ids only", file.c_str(), rows.size(), idsOnly);
}

// The Python tokenizer: its own splitting, the spare token to the first text.
void compareSlowPairs(const std::string& file, const WordPieceTokenizer& slow, PairFormat format) {
  format.spare = SpareToken::First;
  for (const Json& row : fixtures::readJsonLines(file)) {
    const PairInput input = inputOf(slow, row, format);
    const bool differs = row.contains("slow_ids");
    QVERIFY2(Json(input.ids) == row[differs ? "slow_ids" : "ids"], row.dump().c_str());
    QVERIFY(Json(input.segments) ==
            row[row.contains("slow_token_types") ? "slow_token_types" : "token_types"]);
  }
}

}  // namespace

void TokenizerFixturesTest::pairs() {
  SKIP_WITHOUT_WORD_PIECES("uncased_pairs_64.jsonl.gz");
  SKIP_WITHOUT_BYTE_PIECES("no_prefix_space_pairs_64.jsonl.gz");
  WordPieceOptions words;
  words.matchSpecialTokens = true;
  const auto wordPieces = wordPiece(words);
  const PairFormat bert = bertFormat(64);
  comparePairs(files().wordpiece.file("uncased_pairs_64.jsonl.gz"), wordPieces, bert, false);
  words.variant = WordPieceVariant::HfSlow;
  compareSlowPairs(files().wordpiece.file("uncased_pairs_64.jsonl.gz"), wordPiece(words), bert);
  const PairFormat roberta{PairLayout::Roberta, 0, 2, 64, SpareToken::Second};
  ByteBpeOptions options;
  options.matchSpecialTokens = true;
  comparePairs(files().byteBpe.file("no_prefix_space_pairs_64.jsonl.gz"), byteBpe(options), roberta, false);
  options.addPrefixSpace = true;
  comparePairs(files().byteBpe.file("/prefix_space_pairs_64.jsonl.gz"), byteBpe(options), roberta, true);
}

void TokenizerFixturesTest::windows() {
  SKIP_WITHOUT_WORD_PIECES("uncased_windows.jsonl.gz");
  const auto tokenizer = wordPiece({});
  for (const Json& row : fixtures::readJsonLines(files().wordpiece.file("uncased_windows.jsonl.gz"))) {
    const std::string question = row["question"].get<std::string>();
    const std::string& context = textOf(row, "context");
    const PairFormat format = bertFormat(row["max_length"].get<std::int64_t>());
    const EncodedText asked = tokenizer.encodeWithRanges(question), all = tokenizer.encodeWithRanges(context);
    // Transformers says how many pieces neighbours share, ours how far they are apart.
    const std::int64_t room = format.maxLength - 3 - asked.size();
    const auto windows = squadWindows(all.size(), room, room - row["stride"].get<std::int64_t>());
    QCOMPARE(windows.size(), row["windows"].size());
    for (std::size_t i = 0; i < windows.size(); ++i) {
      EncodedText part;
      for (std::int64_t at = windows[i].start; at < windows[i].start + windows[i].length; ++at)
        part.add(all.ids[static_cast<std::size_t>(at)], all.ranges[static_cast<std::size_t>(at)]);
      const PairInput input = makePairInput(asked, part, format);
      QVERIFY(Json(input.ids) == row["windows"][i]["ids"]);
      QVERIFY(Json(input.segments) == row["windows"][i]["token_types"]);
      QVERIFY(pairOffsets(input, question, context) == row["windows"][i]["offsets"]);
    }
  }
}

void TokenizerFixturesTest::badVocabularies() {
  SKIP_WITHOUT_BYTE_PIECES("merges.txt");
  const auto wordError = [](const char* text) {
    return WordPieceTokenizer::fromText(text, "vocab.txt").error();
  };
  // Of a token that comes twice the last line counts, as in the tokenizers library.
  const auto twice = WordPieceTokenizer::fromText("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\na\n", "vocab.txt");
  QCOMPARE(twice.value().encode("a"), (std::vector<std::int64_t>{5}));
  QVERIFY(wordError("a\nb\n").message.find("[UNK]") != std::string::npos);
  QVERIFY(wordError("").message.find("[UNK]") != std::string::npos);
  QCOMPARE(wordError("[PAD]\n\xff\n").line, 2);
  const std::string vocabulary = readFile(files().byteBpe.file("vocab.json")).value();
  const auto bpeError = [](const std::string& json, const char* merges) {
    return ByteBpeTokenizer::fromFiles(json, "vocab.json", merges, "merges.txt").error();
  };
  QCOMPARE(bpeError(vocabulary, "#version: 0.2\nq zzzz\n").line, 2);
  QCOMPARE(bpeError(vocabulary, "ab\n").line, 1);
  QVERIFY(bpeError("[1]", "").message.find("not a vocabulary") != std::string::npos);
  QVERIFY(bpeError("{\"a\": 0, \"b\": 7}", "").message.find("'b'") != std::string::npos);
  QVERIFY(bpeError("{\"a\": 0}", "").message.find("byte") != std::string::npos);
  QVERIFY(!bpeError("{\"a\": ", "").message.empty());
}

QTEST_APPLESS_MAIN(TokenizerFixturesTest)
#include "tst_fixtures_tokenizers.moc"
