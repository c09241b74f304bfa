// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// Every analysis of the list on a run of SQL-SP, from the shell: trained on the generated data with a frozen
// encoder, analysed, drawn in every format.
#include <QDir>
#include <QFile>
#include <QTest>

#include "core/analysis/analysis_entry.h"
#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class ParserAnalyses : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void everyAnalysis_data();
  void everyAnalysis();
  void partsOfTheScores();
  void examplesThatAreNotThere();

 private:
  ShellResult ask(const QStringList& words) const {
    return m_fixture->fathom(
        words + QStringList{"--project", QString::fromStdString(m_fixture->path()), "--json"}, {}, 240);
  }
  std::unique_ptr<ProjectFixture> m_fixture;
};

void ParserAnalyses::initTestCase() {
  m_fixture = std::make_unique<ProjectFixture>();
  const QString engine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
  QVERIFY2(QFile::exists(engine), "fathom-engine is not built");
  qputenv("FATHOM_ENGINE", engine.toUtf8());
  const MadeData data =
      writeMadeTextToSql(m_fixture->file("data").toStdString(), 1, MadeDataSize::Check).value();
  QStringList words = {"train", "--name", "parser", "--wait"};
  const auto add = [&](const QString& assignment) { words << "--set" << assignment; };
  for (const char* assignment : {"task=text_to_sql",
                                 "model=sql_sp",
                                 "spider.linking=stems",
                                 "spider.max_train=40",
                                 "spider.max_validation=12",
                                 "spider.item_order=fixed",
                                 "model.width=16",
                                 "model.heads=2",
                                 "model.feed_forward=32",
                                 "encoder.layers=2",
                                 "model.sql_sp.encoder=frozen",
                                 "model.sql_sp.width=16",
                                 "model.sql_sp.hidden=16",
                                 "model.sql_sp.vector=16",
                                 "model.sql_sp.decoder_heads=2",
                                 "model.sql_sp.action_width=8",
                                 "model.sql_sp.type_width=8",
                                 "extra.layers=2",
                                 "extra.residual=unnormalised",
                                 "extra.attention=relation_aware",
                                 "model.extra_layers.heads=2",
                                 "model.extra_layers.feed_forward=32",
                                 "init=dt_fixup",
                                 "init.dt_fixup.mu=paper",
                                 "batch.examples=8",
                                 "lr_schedule=dt_fixup",
                                 "lr_schedule.rate=0.001",
                                 "lr_schedule.warmup=0",
                                 "training.length=10u",
                                 "validation.interval=10u",
                                 "validation.score_interval=never",
                                 "checkpoint.interval=10u",
                                 "analysis.epoch_norms=true",
                                 "analysis.interval=5u",
                                 "analysis.ids=attention_entropy,beta_dependency",
                                 "device=cpu",
                                 "threads=1"})
    add(QString::fromLatin1(assignment));
  for (const auto& [key, value] : data.options.items())
    if (!value.is_string() || !value.get<std::string>().empty())
      add(QString::fromStdString(key + "=" + (value.is_string() ? value.get<std::string>() : value.dump())));
  const ShellResult trained = ask(words);
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.out + trained.err));
}

void ParserAnalyses::everyAnalysis_data() {
  QTest::addColumn<QString>("id");
  QTest::addColumn<QString>("ending");
  const char* endings[] = {"pdf", "svg", "png", "tex"};
  int next = 0;
  for (const AnalysisEntry& entry : analyses())
    QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id)
                                    << QString::fromLatin1(endings[next++ % 4]);
}

void ParserAnalyses::everyAnalysis() {
  QFETCH(QString, id);
  QFETCH(QString, ending);
  const QString file = m_fixture->file("figure.") + ending;
  QFile::remove(file);
  ShellResult result;
  if (id == "epoch_norm") {  // recorded while the run was trained
    result = ask({"export-figure", "--figure", id, "--runs", "parser", "--out", file});
  } else {
    QStringList words = {"analyse", id, "--run", "parser", "--figure", file};
    if (id == "output_shift")
      words << "--set"
            << "depths=1,2,3"
            << "--set"
            << "draws=1";
    result = ask(words);
    if (result.exitCode == 0) {
      const Json made = result.json()["results"][0]["result"];
      QVERIFY2(made.dump().find("\"extra") != std::string::npos, made.dump().substr(0, 400).c_str());
    }
  }
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  QVERIFY(QFile(file).size() > 1000);
}

void ParserAnalyses::partsOfTheScores() {
  for (const char* part : {"probabilities", "scores", "content", "relation"}) {
    for (const char* tokens : {"all", "linked"}) {
      const QString file = m_fixture->file("map.svg");
      QFile::remove(file);
      const ShellResult result =
          ask({"analyse", "attention_maps", "--run", "parser", "--figure", file, "--figure-set",
               "attention=extra.self_attention", "--figure-set", QStringLiteral("part=%1").arg(part),
               "--figure-set", "form=matrix", "--figure-set", QStringLiteral("tokens=%1").arg(tokens)});
      QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
      QVERIFY(QFile(file).size() > 1000);
    }
  }
  const ShellResult refused =
      ask({"analyse", "attention_maps", "--run", "parser", "--figure", m_fixture->file("map.svg"),
           "--figure-set", "attention=encoder.self_attention", "--figure-set", "part=relation"});
  QVERIFY(refused.exitCode != 0);
  QVERIFY2(refused.out.contains("not relation-aware"), qPrintable(refused.out));
}

void ParserAnalyses::examplesThatAreNotThere() {
  const ShellResult result = ask({"analyse", "attention_maps", "--run", "parser", "--set", "example=99999"});
  QVERIFY(result.exitCode != 0);
  QVERIFY2(result.out.contains("there is no example 99999"), qPrintable(result.out));
}

QTEST_MAIN(ParserAnalyses)
#include "tst_parser_analyses.moc"
