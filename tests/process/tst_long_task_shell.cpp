// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// Tasks on long documents as a shell sees them: a sample, a training from a preset, an evaluation with the
// benchmark's file, free input, analyses with their figures, and what is said of a bad record.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "tests/process/support_engine_forks.h"

using namespace fathom;
using test::Ended;

namespace {

Ended shell(const QStringList& arguments) {
  return test::ran(QStringLiteral(FATHOM_BIN_DIR "/fathom"), arguments);
}

QStringList optionsOf(const QStringList& options) {
  QStringList words;
  for (const QString& option : options) words << "--set" << option;
  return words;
}

}  // namespace

class LongTaskShellTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    QCOMPARE(shell({"new-project", "--out", project()}).code, 0);
    const Ended made = engineOf({"sample", "--task", "hotpotqa", "--out", path("data")});
    QVERIFY2(made.code == 0, made.err.constData());
    // A small part of it.
    for (const char* part : {"train", "validation", "test"}) {
      const std::string file = path("data").toStdString() + "/" + part + ".json";
      Json all = readJsonFile(file).value(), few = Json::array();
      for (std::size_t i = 0; i < 12; ++i) few.push_back(all.at(i));
      if (std::string(part) == "test")
        for (Json& record : few)
          for (const char* member : {"answer", "supporting_facts"}) record.erase(member);
      writeFileAtomically(file, few.dump(1)).value();
    }
  }

  void training() {
    const Ended trained = engineOf(
        QStringList{
            "train", "--run", run(), "--config",
            QStringLiteral(FATHOM_SOURCE_DIR "/resources/presets/hotpotqa_etc_quick_realformer.json")} +
        optionsOf({"data.train=" + path("data/train.json"), "data.validation=" + path("data/validation.json"),
                   "data.test=" + path("data/test.json"),
                   "text.vocabulary.file=" + path("data/vocabulary.txt"), "model.width=16", "model.heads=2",
                   "model.feed_forward=32", "encoder.layers=2", "training.length=4u",
                   "validation.interval=2u", "validation.score_interval=2u", "checkpoint.interval=4u",
                   "training.accumulation=1", "device=cpu", "threads=1"}));
    QVERIFY2(trained.code == 0, trained.err.constData());
    QVERIFY2(trained.err.contains("valid.joint_f1"), trained.err.constData());
  }

  void evaluation() {
    const Ended scored = engineOf({"evaluate", "--run", run(), "--split", "validation"});
    QVERIFY2(scored.code == 0 && scored.out.contains("joint_f1"), (scored.out + scored.err).constData());
    const Ended sent =
        engineOf({"evaluate", "--run", run(), "--split", "test", "--submission", path("sent")});
    QVERIFY2(sent.code == 0, sent.err.constData());
    const Json file = readJsonFile(path("sent/predictions.json").toStdString()).value();
    QCOMPARE(file.at("answer").size(), std::size_t{12});
    QCOMPARE(file.at("sp").size(), std::size_t{12});
  }

  void freeInput() {
    writeFileAtomically(path("asked.txt").toStdString(),
                        "where does the town of ann lie ?\tann\tann lives in hull .\n")
        .value();
    const Ended said = engineOf({"predict", "--run", run()}, path("asked.txt"));
    QVERIFY2(said.code == 0, said.err.constData());
    QCOMPARE(said.out.count('\n'), 1);
  }

  // Each analysis of a model of two streams, and a figure of it.
  void analysesAndFigures_data() {
    QTest::addColumn<QStringList>("options");
    QTest::newRow("output_shift") << QStringList{"depths=1,2,3", "draws=2", "stack=global"};
    for (const char* id : {"attention_maps", "attention_entropy", "attention_jsd", "beta_dependency",
                           "gradient_norm", "input_norm"})
      QTest::newRow(id) << QStringList();
  }
  void analysesAndFigures() {
    QFETCH(QStringList, options);
    const QString id = QString::fromLatin1(QTest::currentDataTag());
    const Ended probed =
        engineOf(QStringList{"probe", "--run", run(), "--analysis", id} + optionsOf(options));
    QVERIFY2(probed.code == 0, probed.err.constData());
    const QString file = path(id + ".pdf");
    const Ended drawn =
        shell({"export-figure", "--project", project(), "--figure", id, "--runs", run(), "--out", file});
    QVERIFY2(drawn.code == 0, drawn.err.constData());
    QFile pdf(file);
    QVERIFY(pdf.open(QIODevice::ReadOnly) && pdf.size() > 1000);
    QVERIFY(pdf.readAll().startsWith("%PDF"));
  }

  void badRecord() {
    Json records = readJsonFile(path("data/train.json").toStdString()).value();
    records[3].erase("context");
    writeFileAtomically(path("bad.json").toStdString(), records.dump(1)).value();
    const Ended refused = engineOf(
        QStringList{"train", "--run", path("refused"), "--config",
                    QStringLiteral(FATHOM_SOURCE_DIR "/resources/presets/hotpotqa_etc_quick.json")} +
        optionsOf({"data.train=" + path("bad.json"), "text.vocabulary.file=" + path("data/vocabulary.txt")}));
    QCOMPARE(refused.code, 30);
    QVERIFY2(refused.err.contains("bad.json:") && refused.err.contains("context"), refused.err.constData());
  }

 private:
  Ended engineOf(const QStringList& words, const QString& input = {}) {
    return m_forks.run(words, {}, input);
  }
  QString project() const { return path("made.fathom"); }
  QString run() const { return project() + "/runs/run"; }
  QString path(const QString& name) const { return m_folder.filePath(name); }
  QTemporaryDir m_folder;
  test::EngineForks m_forks;
};

QTEST_GUILESS_MAIN(LongTaskShellTest)
#include "tst_long_task_shell.moc"
