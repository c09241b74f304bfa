// SPDX-License-Identifier: Apache-2.0
// Data sets are told by their files, and their files become options: published ones where they are there, and
// made ones of each kind, whole and in part.
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/record/presets.h"
#include "core/tasks/data_set.h"
#include "core/tasks/task.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;

namespace {

constexpr const char* kWordPieces = "[PAD]\n[unused1]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n";

std::string textOf(const Json& options, const char* key) {
  return options.contains(key) ? options[key].get<std::string>() : std::string();
}

QStringList missingKeys(const FoundDataSet& found, bool needed) {
  QStringList keys;
  for (const MissingData& each : found.missing)
    if (each.needed == needed) keys.append(QString::fromStdString(each.key));
  return keys;
}

}  // namespace

class DataSetsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }
  void everyKindNamesWhatThereIs();
  void publishedSets_data();
  void publishedSets();
  void spiderSaysWhatIsMissing();
  void glueTasksAreToldByTheirHeading_data();
  void glueTasksAreToldByTheirHeading();
  void aFileLeadsToItsNeighbours();
  void theWantedTaskIsTaken();
  void anEncoderBesideIsTaken();
  void aSubFolderIsFound();
  void othersAreNone_data();
  void othersAreNone();
  void sentencePairs_data();
  void sentencePairs();

 private:
  std::string put(const std::string& name, const std::string& text) const {
    const std::string path = m_folder->filePath(QString::fromStdString(name)).toStdString();
    makeFolders(path.substr(0, path.rfind('/'))).value();
    writeFileAtomically(path, text).value();
    return path;
  }
  std::string at(const char* name) const { return m_folder->filePath(QLatin1String(name)).toStdString(); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

void DataSetsTest::everyKindNamesWhatThereIs() {
  QVERIFY(dataSetKinds().size() >= 8);
  for (const DataSetKind& kind : dataSetKinds()) {
    QVERIFY2(findTask(kind.task) != nullptr, kind.id.c_str());
    const auto preset = findPreset(kind.preset);
    QVERIFY2(preset.ok(), kind.preset.c_str());
    QVERIFY2(taskOf(preset->options)->id == kind.task, kind.id.c_str());
    QVERIFY2(kind.source.english().find("https://") != std::string::npos, kind.id.c_str());
  }
}

void DataSetsTest::publishedSets_data() {
  QTest::addColumn<QString>("inside");
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QStringList>("files");  // option=name of the file
  QTest::newRow("spider") << "spider"
                          << "spider"
                          << QStringList{"data.train=train_spider.json.gz", "data.validation=dev.json",
                                         "spider.train_others=train_others.json.gz",
                                         "spider.tables=tables.json"};
  QTest::newRow("spider, a file of it")
      << "spider/dev.json"
      << "spider" << QStringList{"data.train=train_spider.json.gz", "data.validation=dev.json"};
  QTest::newRow("cola") << "blimp_cola_format"
                        << "glue"
                        << QStringList{"data.train=train.tsv", "data.validation=dev.tsv", "glue.task=cola"};
  QTest::newRow("rte") << "folio_rte_format/train.tsv"
                       << "glue"
                       << QStringList{"data.train=train.tsv", "data.validation=dev.tsv", "glue.task=rte"};
  QTest::newRow("squad") << "squad_v1.1_xquad_en"
                         << "squad"
                         << QStringList{"data.train=train.json", "data.validation=dev.json",
                                        "squad.version=1.1"};
  QTest::newRow("reclor") << "cosmosqa_reclor_format"
                          << "reclor" << QStringList{"data.train=train.json", "data.validation=val.json"};
  QTest::newRow("hotpotqa") << "hotpotqa_distractor_sample"
                            << "hotpotqa" << QStringList{"data.validation=dev.json"};
  QTest::newRow("tatoeba") << "tatoeba_de_en"
                           << "sentence_pairs"
                           << QStringList{"data.train=deu-eng.tsv.gz", "data.source_language=de",
                                          "data.target_language=en"};
  QTest::newRow("wikitext") << "wikitext2_raw/wiki.valid.raw.gz"
                            << "wikitext"
                            << QStringList{"data.validation=wiki.valid.raw.gz", "data.test=wiki.test.raw.gz"};
}

void DataSetsTest::publishedSets() {
  QFETCH(QString, inside);
  QFETCH(QString, kind);
  QFETCH(QStringList, files);
  const std::string path = fixtures::dataPath(inside.toStdString());
  if (path.empty()) QSKIP("no real data here");
  const auto found = findDataSet(path);
  QVERIFY(found.has_value());
  QCOMPARE(QString::fromStdString(found->kind), kind);
  const OptionSchema schema(taskOptionFields(), taskOptionRules());
  for (const auto& [key, value] : found->options.items()) {
    if (key.starts_with("validation.")) continue;  // the loop's
    QVERIFY2(schema.find(key) != nullptr, key.c_str());
  }
  for (const QString& each : files) {
    const std::string key = each.section('=', 0, 0).toStdString();
    const QString value = QString::fromStdString(textOf(found->options, key.c_str()));
    QCOMPARE(value.section('/', -1), each.section('=', 1));
    if (value.contains('/')) QVERIFY2(fileExists(value.toStdString()), qPrintable(value));
  }
  // The vocabulary of BERT lies beside them.
  if (!found->vocabulary.empty())
    QVERIFY(textOf(found->options, (found->vocabulary + ".file").c_str())
                .ends_with("/bert_vocab/vocab_uncased.txt"));
}

void DataSetsTest::spiderSaysWhatIsMissing() {
  put("s/tables.json", R"([{"column_names": [[-1, "*"]], "db_id": "a"}])");
  put("s/dev.json", R"([{"db_id": "a", "query": "SELECT 1", "question": "one?"}])");
  auto found = findDataSet(at("s"));
  QVERIFY(found.has_value());
  QCOMPARE(missingKeys(*found, true), (QStringList{"data.train", "spider.vocabulary.file"}));
  QCOMPARE(missingKeys(*found, false), (QStringList{"spider.train_others", "spider.databases"}));
  QVERIFY(found->options["validation.execution"] == Json(false));
  QCOMPARE(found->files, 2);
  makeFolders(at("s/database")).value();
  put("s/train_spider.json", R"([{"db_id": "a", "query": "SELECT 1", "question": "one?"}])");
  put("s/bert/vocab.txt", kWordPieces);
  found = findDataSet(at("s"));
  QCOMPARE(missingKeys(*found, true), QStringList());
  QCOMPARE(textOf(found->options, "spider.databases"), at("s/database"));
  QCOMPARE(textOf(found->options, "spider.vocabulary.file"), at("s/bert/vocab.txt"));
  QVERIFY(!found->options.contains("validation.execution"));
  // Predictions that lie in the same folder are no data set.
  QVERIFY(!findDataSet(put("s/pred.sql", "SELECT 1\n")).has_value());
}

void DataSetsTest::glueTasksAreToldByTheirHeading_data() {
  QTest::addColumn<QByteArray>("head");
  QTest::addColumn<QString>("task");
  QTest::newRow("mrpc") << QByteArray("Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t1\t2\ta\tb\n")
                        << "mrpc";
  QTest::newRow("sst2") << QByteArray("sentence\tlabel\ngood\t1\n") << "sst2";
  QTest::newRow("qqp") << QByteArray("id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n") << "qqp";
  QTest::newRow("mnli") << QByteArray("index\tpromptID\tpairID\tgenre\tsentence1_binary_parse\n") << "mnli";
  QTest::newRow("qnli") << QByteArray("index\tquestion\tsentence\tlabel\n") << "qnli";
  QTest::newRow("cola") << QByteArray("gj04\t1\t\tOur friends won't buy this.\n") << "cola";
  QTest::newRow("a table of one's own") << QByteArray("text\tlabel\na\tb\n") << "";
}

void DataSetsTest::glueTasksAreToldByTheirHeading() {
  QFETCH(QByteArray, head);
  QFETCH(QString, task);
  put("g/train.tsv", head.toStdString());
  const std::string dev = put(task == "mnli" ? "g/dev_matched.tsv" : "g/dev.tsv", head.toStdString());
  const auto found = findDataSet(at("g"));
  QCOMPARE(found.has_value(), !task.isEmpty());
  if (!found) return;
  QCOMPARE(QString::fromStdString(textOf(found->options, "glue.task")), task);
  QCOMPARE(textOf(found->options, "data.validation"), dev);
}

void DataSetsTest::aFileLeadsToItsNeighbours() {
  const std::string text = R"({"version": "v2.0", "data": [{"title": "a", "paragraphs": [{"context": "b",
    "qas": [{"id": "1", "question": "c", "is_impossible": true, "answers": []}]}]}]})";
  const std::string train = put("q/train-v2.0.json", text), dev = put("q/dev-v2.0.json", text);
  put("q/dev-v1.1.json", text);
  put("q/nbest_dev-v2.0.json", R"({"1": "an answer"})");
  const auto found = findDataSet(dev);
  QVERIFY(found.has_value());
  QCOMPARE(textOf(found->options, "data.train"), train);
  QCOMPARE(textOf(found->options, "data.validation"), dev);
  QCOMPARE(textOf(found->options, "squad.version"), std::string("2.0"));
  QVERIFY(!findDataSet(at("q/nbest_dev-v2.0.json")).has_value());
  // One of any name is trained on.
  const auto own = findDataSet(put("q/mine.json", text));
  QVERIFY(own.has_value());
  QCOMPARE(textOf(own->options, "data.train"), at("q/mine.json"));
}

void DataSetsTest::theWantedTaskIsTaken() {
  put("w/wiki.train.raw", " \n = A title = \n \n Words .\n");
  QCOMPARE(findDataSet(at("w"))->kind, std::string("wikitext"));
  const auto causal = findDataSet(at("w"), "causal_lm");
  QCOMPARE(causal->kind, std::string("causal_text"));
  QCOMPARE(textOf(causal->options, "causal_lm.documents"), std::string("wikitext"));
  QCOMPARE(findDataSet(at("w"), "squad")->kind, std::string("wikitext"));
}

void DataSetsTest::anEncoderBesideIsTaken() {
  put("data/g/train.tsv", "sentence\tlabel\ngood\t1\n");
  const std::string weights = at("data/minilm");
  put("data/minilm/model.safetensors", "x");
  put("data/minilm/config.json", Json{{"format", 1},
                                      {"options",
                                       {{"task", "text_to_sql"},
                                        {"model", "bert"},
                                        {"model.bert.weights", weights},
                                        {"model.bert.head", "pretraining"},
                                        {"model.width", 384},
                                        {"spider.vocabulary.kind", "wordpiece"},
                                        {"spider.vocabulary.file", weights + "/vocab.txt"}}}}
                                     .dump());
  const auto found = findDataSet(at("data/g"));
  QVERIFY(found.has_value() && found->missing.size() == 1);  // no dev.tsv
  QCOMPARE(textOf(found->options, "text.vocabulary.file"), weights + "/vocab.txt");
  QCOMPARE(textOf(found->options, "model.bert.weights"), weights);
  QVERIFY(found->options["model.width"] == Json(384));
  for (const char* other : {"task", "model", "model.bert.head", "spider.vocabulary.file"})
    QVERIFY2(!found->options.contains(other), other);
}

void DataSetsTest::aSubFolderIsFound() {
  put("unpacked/RTE/train.tsv", "index\tsentence1\tsentence2\tlabel\n");
  QCOMPARE(textOf(findDataSet(at("unpacked"))->options, "data.train"), at("unpacked/RTE/train.tsv"));
  // Two of them: nobody knows which one is meant.
  put("unpacked/SST-2/train.tsv", "sentence\tlabel\n");
  QVERIFY(!findDataSet(at("unpacked")).has_value());
}

void DataSetsTest::othersAreNone_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("content");
  QTest::newRow("a log") << "log.tsv" << QByteArray("step\tloss\n1\t2\n");
  QTest::newRow("records") << "metrics.jsonl" << QByteArray("{\"step\": 1, \"loss\": 2}\n");
  QTest::newRow("predictions") << "answers.json" << QByteArray("{\"1\": \"a\"}");
  QTest::newRow("three columns") << "sets.tsv" << QByteArray("a\tb\tc\nd\te\tf\n");
  QTest::newRow("nothing") << "empty.json" << QByteArray();
  QTest::newRow("half a record") << "train.json" << QByteArray("[{\"context\": \"a");
}

void DataSetsTest::othersAreNone() {
  QFETCH(QString, name);
  QFETCH(QByteArray, content);
  const std::string file = put(name.toStdString(), content.toStdString());
  QVERIFY(!findDataSet(file).has_value());
  QVERIFY(!findDataSet(m_folder->path().toStdString()).has_value());
  QVERIFY(!findDataSet(file + "/no").has_value());
  // Nobody waits for a pipe.
  const std::string pipe = at("train.pipe.json");
  QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
  QVERIFY(!findDataSet(pipe).has_value());
}

void DataSetsTest::sentencePairs_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("content");
  QTest::addColumn<QString>("source");  // language
  QTest::addColumn<int>("column");
  QTest::addColumn<bool>("heading");
  QTest::newRow("manythings")
      << "fra.txt" << QByteArray("Go.\tVa !\tCC-BY 2.0 (France) Attribution: x\nHi.\tSalut !\tCC-BY 2.0\n")
      << "fr" << 2 << false;
  QTest::newRow("with a heading") << "deu-eng.tsv" << QByteArray("1\t2\nGo.\tGeh.\r\nHi.\tHallo!\r\n") << "de"
                                  << 2 << true;
  QTest::newRow("of any name") << "mine.tsv" << QByteArray("eins\tone\nzwei\ttwo\n") << "" << 1 << false;
}

void DataSetsTest::sentencePairs() {
  QFETCH(QString, name);
  QFETCH(QByteArray, content);
  QFETCH(QString, source);
  QFETCH(int, column);
  QFETCH(bool, heading);
  const std::string file = put("p/" + name.toStdString(), content.toStdString());
  const auto found = findDataSet(file);
  QVERIFY(found.has_value());
  QCOMPARE(textOf(found->options, "data.train"), file);
  QCOMPARE(QString::fromStdString(textOf(found->options, "data.source_language")), source);
  QVERIFY(found->options["data.source_column"] == Json(column));
  QVERIFY(found->options["data.header"] == Json(heading));
  // A folder is one only where a name says so: many programs write tables.
  QCOMPARE(findDataSet(at("p")).has_value(), !source.isEmpty());
  OptionValues values{OptionSchema(taskOptionFields(), taskOptionRules())};
  QVERIFY(values.merge(found->options, "found").ok());
}

QTEST_GUILESS_MAIN(DataSetsTest)
#include "tst_data_sets.moc"
