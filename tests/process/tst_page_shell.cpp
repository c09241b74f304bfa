// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// Natural Questions and OpenKP as a shell sees them: made data, a run of the quick preset, its
// evaluation as files for the benchmark, free input, a review of the predictions with a figure.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/json/json.h"
#include "tests/process/support_engine_forks.h"

using namespace fathom;
using test::Ended;

class TestPageShell : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void training_data() {
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("score");
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("natural_questions")
        << "natural_questions"
        << "nq_etc_quick"
        << "predictions.json"
        << "average_f1" << QByteArray("<P> The bridge was opened in 1884 . </P>\twhen was it opened\n");
    QTest::newRow("openkp") << "openkp"
                            << "openkp_etc_quick_realformer"
                            << "predictions.jsonl"
                            << "f1_at_3" << QByteArray("Velmora ferry\tRead more here\n");
  }

  void training() {
    QFETCH(const QString, task);
    QFETCH(const QString, preset);
    QFETCH(const QString, file);
    QFETCH(const QString, score);
    QFETCH(const QByteArray, line);
    const QString data = path(task), run = path(task + "_run");
    const Ended made = m_forks.run({"sample", "--task", task, "--out", data});
    QVERIFY2(made.code == 0, made.err.constData());
    QVERIFY(writeConfig(preset, data));
    const Ended trained = m_forks.run({"train", "--config", path("config.json"), "--run", run});
    QVERIFY2(trained.code == 0, trained.err.constData());
    const Ended judged =
        m_forks.run({"evaluate", "--run", run, "--split", "test", "--submission", path(task + "_files")});
    QVERIFY2(judged.code == 0, judged.err.constData());
    const Json json = parseJson(judged.out.toStdString()).value();
    QVERIFY2(json["values"].contains(score.toStdString()), judged.out.constData());
    QVERIFY(QFile(path(task + "_files/" + file)).size() > 1000);
    const QString input = path(task + ".txt");
    QFile lines(input);
    QVERIFY(lines.open(QIODevice::WriteOnly) && lines.write(line) == line.size());
    lines.close();
    const Ended asked = m_forks.run({"predict", "--run", run, "--input", input});
    QVERIFY2(asked.code == 0, asked.err.constData());
    QCOMPARE(asked.out.count('\n'), 1);
  }

  // What the benchmark takes is reviewed as it is.
  void review() {
    const QString csv = path("phrases.csv"), figure = path("phrase_scores.svg");
    const Ended shown = test::ran(
        QStringLiteral(FATHOM_BIN_DIR "/fathom"),
        {"review", "--kind", "phrases", "--gold", path("openkp/test.jsonl"), "--predictions",
         "ours=" + path("openkp_files/predictions.jsonl"), "--json", "--csv", csv, "--figure", figure});
    QVERIFY2(shown.code == 0, (shown.out + shown.err).constData());
    const Json json = parseJson(shown.out.toStdString()).value();
    QVERIFY2(json["models"][0]["scores"].contains("f1_at_3"), shown.out.constData());
    QVERIFY(QFile(csv).size() > 1000 && QFile(figure).size() > 1000);
  }

  void badRecord() {
    QFile bad(path("bad.jsonl"));
    QVERIFY(bad.open(QIODevice::WriteOnly) && bad.write("{\"url\": \"u\", \"VDOM\": []}\n") > 0);
    bad.close();
    QVERIFY(writeConfig("openkp_etc_quick", path("openkp")));
    const Ended refused = m_forks.run({"train", "--config", path("config.json"), "--run", path("none"),
                                       "--set", "data.train=" + bad.fileName()});
    QCOMPARE(refused.code, 30);
    QVERIFY2(refused.err.contains("bad.jsonl:1") && refused.err.contains("VDOM"), refused.err.constData());
  }

 private:
  // A few updates of a preset on the files of a folder.
  bool writeConfig(const QString& preset, const QString& data) const {
    const std::string file = FATHOM_SOURCE_DIR "/resources/presets/" + preset.toStdString() + ".json";
    Json options = readJsonFile(file).value().at("options");
    for (const char* part : {"train", "validation", "test"})
      options[std::string("data.") + part] = (data + "/" + QLatin1String(part) + ".jsonl").toStdString();
    options.update({{"text.vocabulary.file", (data + "/vocab.txt").toStdString()},
                    {"training.length", "12u"},
                    {"validation.interval", "12u"},
                    {"validation.score_interval", "12u"},
                    {"checkpoint.interval", "12u"},
                    {"device", "cpu"},
                    {"threads", 1}});
    const std::string text = Json{{"format", 1}, {"name", "pages"}, {"options", options}}.dump();
    QFile config(path("config.json"));
    return config.open(QIODevice::WriteOnly) && config.write(text.data(), qint64(text.size())) > 0;
  }
  QString path(const QString& name) const { return m_folder.filePath(name); }
  QTemporaryDir m_folder;
  test::EngineForks m_forks;
};

QTEST_GUILESS_MAIN(TestPageShell)
#include "tst_page_shell.moc"
