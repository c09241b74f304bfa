// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// Folders of encoders as transformers writes them (tests/fixtures/encoders/folders): what import-encoder says
// of each, that a run starts from it, which pieces it cuts texts into, and what is exported again.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <iterator>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "tests/process/support_engine_forks.h"

using namespace fathom;
using test::Ended;

namespace {

const QString kFolders = QStringLiteral(FATHOM_SOURCE_DIR "/tests/fixtures/encoders/folders/");
const char* const kSpareNote =
    "The token table has 122 rows, the vocabulary 114 pieces: 8 rows are kept and used by nobody.";
constexpr int kPieces = 114;

// The bytes of a safetensors file with so many rows in every tensor that has one for each of `from`, the new
// ones zero.
std::string withRows(const std::string& bytes, int from, int rows) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const Json header = Json::parse(bytes.substr(sizeof length, length));
  Json out = Json::object();
  std::string data;
  for (const auto& [name, entry] : header.items()) {
    out[name] = entry;
    if (name == "__metadata__") continue;
    const auto begin = entry["data_offsets"][0].get<std::size_t>();
    const auto end = entry["data_offsets"][1].get<std::size_t>(), at = data.size();
    data += bytes.substr(sizeof length + length + begin, end - begin);
    if (entry["shape"][0] == from) {
      out[name]["shape"][0] = rows;
      data.append((end - begin) / std::size_t(from) * std::size_t(rows - from), '\0');
    }
    out[name]["data_offsets"] = {at, data.size()};
  }
  const std::string head = out.dump();
  length = head.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + head + data;
}

}  // namespace

class EncoderCasesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void imports_data();
  void imports();
  void sameWeights();
  void saysWhatItLeftOut();
  void startsRuns_data();
  void startsRuns();
  void addedTokensKeepTheirIds();
  void spareRowsAreExported_data();
  void spareRowsAreExported();
  void tooManySpareRows();
  void wrongTypes_data();
  void wrongTypes();

 private:
  QString path(const QString& name) const { return m_dir.filePath(name); }
  Ended engine(const QStringList& words) const { return m_forks.run(words); }
  // A copy of a folder of the fixtures, to be changed.
  QString copied(const QString& folder, const QString& name) const;
  void write(const QString& name, const std::string& text) const;
  // padded-vocab with another number of rows.
  QString padded(int rows) const;
  Ended import(const QString& from, const QString& out, const QStringList& more = {}) const;
  Ended train(const QString& encoder, const QString& run, const QStringList& assignments) const;
  // The words that an example of the validation set is cut into, joined by blanks.
  QString wordsOf(const QString& run, int example) const;
  QTemporaryDir m_dir;
  mutable test::EngineForks m_forks;
};

QString EncoderCasesTest::copied(const QString& folder, const QString& name) const {
  QDir().mkpath(path(name));
  const QDir from(kFolders + folder);
  for (const QString& file : from.entryList(QDir::Files)) {
    const QString to = path(name + QLatin1Char('/') + file);
    QFile::copy(from.filePath(file), to);
    QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner);
  }
  return path(name);
}

void EncoderCasesTest::write(const QString& name, const std::string& text) const {
  writeFileAtomically(path(name).toStdString(), text).value();
}

Ended EncoderCasesTest::import(const QString& from, const QString& out, const QStringList& more) const {
  return engine(QStringList{QStringLiteral("import-encoder"), QStringLiteral("--from"), from,
                            QStringLiteral("--out"), path(out)} +
                more);
}

Ended EncoderCasesTest::train(const QString& encoder, const QString& run,
                              const QStringList& assignments) const {
  QStringList words = {QStringLiteral("train"),
                       QStringLiteral("--config"),
                       kFolders + QStringLiteral("glue.json"),
                       QStringLiteral("--run"),
                       path(run),
                       QStringLiteral("--set"),
                       QStringLiteral("model.bert.weights=") + path(encoder)};
  for (const QString& assignment : assignments) words << QStringLiteral("--set") << assignment;
  return engine(words);
}

QString EncoderCasesTest::wordsOf(const QString& run, int example) const {
  QDir results(path(run + QStringLiteral("/analyses/attention_maps")));
  results.removeRecursively();
  const Ended ended =
      engine({QStringLiteral("probe"), QStringLiteral("--run"), path(run), QStringLiteral("--analysis"),
              QStringLiteral("attention_maps"), QStringLiteral("--split"), QStringLiteral("validation"),
              QStringLiteral("--set"), QStringLiteral("example=%1").arg(example)});
  if (ended.code != 0) return QString::fromUtf8(ended.err);
  const QString folder = results.entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
  const auto result = readJsonFile(results.filePath(folder + QStringLiteral("/result.json")).toStdString());
  if (!result.ok()) return QString::fromStdString(result.error().text());
  QStringList words;
  for (const Json& word : result->at("attentions").at(0).at("queries"))
    words << QString::fromStdString(word.get<std::string>());
  return words.join(QLatin1Char(' '));
}

void EncoderCasesTest::imports_data() {
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("pieces");
  QTest::addColumn<int>("parameters");
  QTest::addColumn<QString>("added");
  QTest::addColumn<QString>("note");
  QTest::newRow("legacy-bin") << 114 << 114 << 7572 << QString() << QString();
  QTest::newRow("sharded-safetensors") << 114 << 114 << 7572 << QString() << QString();
  QTest::newRow("tokenizer-json-only") << 114 << 114 << 7572 << QString() << QString();
  QTest::newRow("strip-accents") << 114 << 114 << 7572 << QString() << QString();
  // A row of 16 and a bias of the head for each piece.
  QTest::newRow("added-tokens") << 116 << 116 << 7606 << QStringLiteral("[E1] [E2]") << QString();
  QTest::newRow("padded-vocab") << 122 << 114 << 7708 << QString() << QString::fromLatin1(kSpareNote);
}
void EncoderCasesTest::imports() {
  QFETCH(int, rows);
  QFETCH(int, pieces);
  QFETCH(int, parameters);
  QFETCH(QString, added);
  QFETCH(QString, note);
  const QString name = QString::fromLatin1(QTest::currentDataTag());
  const Ended ended = import(kFolders + name, name);
  QVERIFY2(ended.code == 0, ended.err.constData());
  const Json said = ended.json();
  QCOMPARE(said.at("kind").get<std::string>(), std::string("bert"));
  QCOMPARE(said.at("vocabulary").get<int>(), rows);
  QCOMPARE(said.at("pieces").get<int>(), pieces);
  QCOMPARE(said.at("parameters").get<int>(), parameters);
  QStringList tokens;
  for (const Json& token : said.at("added_tokens"))
    tokens << QString::fromStdString(token.get<std::string>());
  QCOMPARE(tokens.join(QLatin1Char(' ')), added);
  for (const char* list : {"ignored", "passed_over", "files_left"}) QVERIFY2(said.at(list).empty(), list);
  QCOMPARE(said.at("notes"), note.isEmpty() ? Json::array() : Json::array({note.toStdString()}));
  QCOMPARE(QString::fromUtf8(ended.err).trimmed(), note);
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"})
    QVERIFY2(QFile::exists(path(name + QLatin1Char('/') + QString::fromLatin1(file))), file);
  // With --json the same without words.
  const Ended quiet = import(kFolders + name, name + QStringLiteral(" again"), {QStringLiteral("--json")});
  QCOMPARE(quiet.code, 0);
  QVERIFY2(quiet.err.isEmpty(), quiet.err.constData());
  QCOMPARE(quiet.json().at("notes"), said.at("notes"));
}

// The four folders hold the same weights, however they are written.
void EncoderCasesTest::sameWeights() {
  std::string first;
  for (const char* name : {"legacy-bin", "sharded-safetensors", "tokenizer-json-only", "strip-accents"}) {
    const QString out = QStringLiteral("same ") + QString::fromLatin1(name);
    QCOMPARE(import(kFolders + QString::fromLatin1(name), out).code, 0);
    const auto bytes = readFile(path(out + QStringLiteral("/model.safetensors")).toStdString());
    QVERIFY2(bytes.ok() && !bytes->empty(), name);
    if (first.empty()) first = *bytes;
    QVERIFY2(*bytes == first, name);
  }
}

void EncoderCasesTest::saysWhatItLeftOut() {
  const QString from = copied(QStringLiteral("padded-vocab"), QStringLiteral("left"));
  write(QStringLiteral("left/tokenizer_config.json"), R"({"do_lower_case": true, "colour": "blue"})");
  write(QStringLiteral("left/notes.md"), "of no use\n");
  const Ended ended = import(from, QStringLiteral("left out"));
  QVERIFY2(ended.code == 0, ended.err.constData());
  const Json said = ended.json();
  QCOMPARE(said.at("passed_over"), Json::array({"tokenizer_config.json: colour"}));
  QCOMPARE(said.at("files_left"), Json::array({"notes.md"}));
  QCOMPARE(QString::fromUtf8(ended.err),
           QString::fromLatin1(kSpareNote) +
               QStringLiteral("\nnot read, members that say nothing about pieces or are unknown: "
                              "tokenizer_config.json: colour\nnot read, files: notes.md\n"));
}

void EncoderCasesTest::startsRuns_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QString>("vocabulary");
  QTest::addColumn<QString>("words");
  const auto row = [](const char* name, const char* task, const char* vocabulary, const char* words) {
    QTest::newRow(name) << QString::fromLatin1(task) << QString::fromLatin1(vocabulary)
                        << QString::fromUtf8(words);
  };
  const char* pair = "[CLS] the cat sat on the mat 0 . [SEP] the cat mochte uber cafe . [SEP]";
  row("tokenizer-json-only", "rte", "", pair);
  row("added-tokens", "rte", "vocab.txt", pair);
  row("padded-vocab", "rte", "vocab.txt", pair);
  row("strip-accents", "sst2", "vocab.txt", "[CLS] möchte the cat [SEP]");
}
void EncoderCasesTest::startsRuns() {
  QFETCH(QString, task);
  QFETCH(QString, vocabulary);
  QFETCH(QString, words);
  const QString name = QString::fromLatin1(QTest::currentDataTag());
  const QString encoder = QStringLiteral("encoder ") + name, run = QStringLiteral("run ") + name;
  QCOMPARE(import(kFolders + name, encoder).code, 0);
  const bool pairs = task == QLatin1String("rte");
  const QString training = pairs ? QStringLiteral("train.tsv") : QStringLiteral("sst.tsv");
  const QString validation = pairs ? QStringLiteral("dev.tsv") : training;
  QStringList assignments = {QStringLiteral("glue.task=") + task,
                             QStringLiteral("data.train=") + kFolders + training,
                             QStringLiteral("data.validation=") + kFolders + validation};
  if (!vocabulary.isEmpty())
    assignments << QStringLiteral("text.vocabulary.file=") + path(encoder + QLatin1Char('/') + vocabulary);
  const Ended ended = train(encoder, run, assignments);
  QVERIFY2(ended.code == 0, ended.err.constData());
  QCOMPARE(wordsOf(run, 0), words);
}

// Found as they are written, in the case of the text, too (they are lower-cased with it).
void EncoderCasesTest::addedTokensKeepTheirIds() {
  QCOMPARE(import(kFolders + QStringLiteral("added-tokens"), QStringLiteral("added")).code, 0);
  std::string table = "sentence\tlabel\n";
  for (int i = 0; i < 6; ++i) table += "[E1] the cat [E2]\t0\nthe cat [e1]\t1\n";
  write(QStringLiteral("added.tsv"), table);
  const QString file = path(QStringLiteral("added.tsv"));
  const Ended ended =
      train(QStringLiteral("added"), QStringLiteral("added run"),
            {QStringLiteral("glue.task=sst2"), QStringLiteral("data.train=") + file,
             QStringLiteral("data.validation=") + file,
             QStringLiteral("text.vocabulary.file=") + path(QStringLiteral("added/vocab.txt"))});
  QVERIFY2(ended.code == 0, ended.err.constData());
  QCOMPARE(wordsOf(QStringLiteral("added run"), 0), QStringLiteral("[CLS] [E1] the cat [E2] [SEP]"));
  QCOMPARE(wordsOf(QStringLiteral("added run"), 1), QStringLiteral("[CLS] the cat [E1] [SEP]"));
  const Json kept =
      readJsonFile(path(QStringLiteral("added run/artifacts/tokenizer.json")).toStdString()).value();
  std::map<std::string, int> ids;
  for (const Json& token : kept.at("added_tokens"))
    ids[token.at("content").get<std::string>()] = token.at("id").get<int>();
  QCOMPARE(ids["[E1]"], 114);
  QCOMPARE(ids["[E2]"], 115);
}

QString EncoderCasesTest::padded(int rows) const {
  const QString name = QStringLiteral("padded %1").arg(rows),
                from = copied(QStringLiteral("padded-vocab"), name);
  Json config = readJsonFile((from + QStringLiteral("/config.json")).toStdString()).value();
  const int before = config["vocab_size"].get<int>();
  config["vocab_size"] = rows;
  write(name + QStringLiteral("/config.json"), config.dump());
  const std::string bytes = readFile((from + QStringLiteral("/model.safetensors")).toStdString()).value();
  write(name + QStringLiteral("/model.safetensors"), withRows(bytes, before, rows));
  return from;
}

// However many rows an import keeps, a run trains with them and exports them again.
void EncoderCasesTest::spareRowsAreExported_data() {
  QTest::addColumn<int>("rows");
  QTest::newRow("a few") << 122;
  QTest::newRow("more than padding") << kPieces + 1500;
}
void EncoderCasesTest::spareRowsAreExported() {
  QFETCH(int, rows);
  for (const char* name : {"padded", "padded run", "exported", "padded again"})
    QDir(path(QString::fromLatin1(name))).removeRecursively();
  const std::string note = "The token table has " + std::to_string(rows) +
                           " rows, the vocabulary 114 pieces: " + std::to_string(rows - kPieces) +
                           " rows are kept and used by nobody.";
  const Ended imported = import(padded(rows), QStringLiteral("padded"));
  QVERIFY2(imported.code == 0, imported.err.constData());
  QCOMPARE(imported.json().at("notes"), Json::array({note}));
  const char* const words[] = {"the", "cat", "sat", "on", "mat"};
  std::string text;
  for (std::size_t line = 0; line < 80; ++line) {
    for (std::size_t word = 0; word < 7; ++word)
      text += std::string(words[(line + word * word) % std::size(words)]) + " ";
    text += line % 4 == 3 ? ".\n\n" : ".\n";
  }
  write(QStringLiteral("text.txt"), text);
  QStringList line = {QStringLiteral("train"), QStringLiteral("--config"),
                      path(QStringLiteral("padded/config.json")), QStringLiteral("--run"),
                      path(QStringLiteral("padded run"))};
  for (const QString& assignment :
       {QStringLiteral("data.train=") + path(QStringLiteral("text.txt")),
        QStringLiteral("mlm.validation_share=0.2"), QStringLiteral("mlm.test_share=0.2"),
        QStringLiteral("mlm.max_length=32"), QStringLiteral("batch.sequences=8"),
        QStringLiteral("training.length=2u"), QStringLiteral("validation.score_interval=never"),
        QStringLiteral("device=cpu"), QStringLiteral("threads=1")})
    line << QStringLiteral("--set") << assignment;
  const Ended run = engine(line);
  QVERIFY2(run.code == 0, run.err.constData());
  QVERIFY2(run.err.contains(("The token table of the weights has " + std::to_string(rows) + " rows").c_str()),
           run.err.constData());
  const Ended out =
      engine({QStringLiteral("export-encoder"), QStringLiteral("--run"), path(QStringLiteral("padded run")),
              QStringLiteral("--out"), path(QStringLiteral("exported"))});
  QVERIFY2(out.code == 0, out.err.constData());
  const Json config = readJsonFile(path(QStringLiteral("exported/config.json")).toStdString()).value();
  QCOMPARE(config.at("vocab_size").get<int>(), rows);
  const Ended again = import(path(QStringLiteral("exported")), QStringLiteral("padded again"));
  QVERIFY2(again.code == 0, again.err.constData());
  QCOMPARE(again.json().at("vocabulary").get<int>(), rows);
  QCOMPARE(again.json().at("pieces").get<int>(), kPieces);
  QCOMPARE(again.json().at("notes"), Json::array({note}));
}

// A vocabulary of a fraction of the rows belongs to other weights: said before anything is written.
void EncoderCasesTest::tooManySpareRows() {
  const Ended most = import(padded(16 * kPieces), QStringLiteral("most"));
  QVERIFY2(most.code == 0, most.err.constData());
  const Ended more = import(padded(16 * kPieces + 1), QStringLiteral("more"));
  QCOMPARE(more.code, 30);
  QVERIFY2(more.err.contains("the vocabulary has 114 pieces, the token table 1825 rows: 1711 are left over, "
                             "at most 1710 are kept"),
           more.err.constData());
  QVERIFY(!QFile::exists(path(QStringLiteral("more"))));
}

// A member of the wrong type is named with its file, in our words; nothing is written.
void EncoderCasesTest::wrongTypes_data() {
  QTest::addColumn<QString>("folder");
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("pointer");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("words");
  const auto row = [](const char* name, const char* folder, const char* file, const char* pointer,
                      const char* value, const char* words) {
    QTest::newRow(name) << QString::fromLatin1(folder) << QString::fromLatin1(file)
                        << QString::fromLatin1(pointer) << QString::fromLatin1(value)
                        << QString::fromLatin1(words);
  };
  row("a text for a size", "padded-vocab", "config.json", "/hidden_size", R"("16")",
      "member 'hidden_size' must be a whole number");
  row("a text for a flag", "padded-vocab", "tokenizer_config.json", "/strip_accents", R"("false")",
      "member 'strip_accents' must be true or false");
  row("a text for an id", "tokenizer-json-only", "tokenizer.json", "/model/vocab/the", R"("7")",
      "member 'model.vocab' gives 'the' the id \"7\"");
  row("a text for the id of an added token", "added-tokens", "added_tokens.json", "/[E1]", R"("114")",
      "'[E1]' must be a whole number");
  row("a number for a file", "sharded-safetensors", "model.safetensors.index.json",
      "/weight_map/bert.embeddings.word_embeddings.weight", "3",
      "member 'weight_map' gives tensor 'bert.embeddings.word_embeddings.weight' no file");
}
void EncoderCasesTest::wrongTypes() {
  QFETCH(QString, folder);
  QFETCH(QString, file);
  QFETCH(QString, pointer);
  QFETCH(QString, value);
  QFETCH(QString, words);
  const QString name = QString::fromLatin1(QTest::currentDataTag());
  const QString from = copied(folder, name), changed = name + QLatin1Char('/') + file;
  Json json = readJsonFile(path(changed).toStdString()).value();
  json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
  write(changed, json.dump());
  const Ended ended = import(from, name + QStringLiteral(" out"));
  QCOMPARE(ended.code, 30);
  QVERIFY2(ended.err.contains(words.toUtf8()), ended.err.constData());
  QVERIFY2(ended.err.contains((from + QLatin1Char('/') + file).toUtf8()), ended.err.constData());
  QVERIFY2(!ended.err.contains("json.exception"), ended.err.constData());
  QVERIFY(!QFile::exists(path(name + QStringLiteral(" out"))));
}

QTEST_GUILESS_MAIN(EncoderCasesTest)
#include "tst_encoder_cases.moc"
