// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// Presets that are grids from the shell, and presets by name in the engine's own command line. The runs only
// wait in the queue: what would train for hours is looked at, not trained.
#include <QFile>
#include <QTest>
#include <memory>
#include <set>

#include "core/analysis/training/run_grid.h"
#include "core/library/records/project_library.h"
#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "tests/process/support_engine_forks.h"
#include "tests/process/support_project_fixture.h"

namespace fathom {

class GridPresetsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void engineKnowsPresets();
  void reportOfASample();
  void waits();
  void someOfIt();
  void paperBeside();
  void wrong();

 private:
  ShellResult grid(const QStringList& words) const {
    return m_fixture->fathom(
        QStringList{"grid", "--project", QString::fromStdString(m_fixture->path()), "--json"} + words, {},
        120);
  }
  ShellResult engine(const QStringList& words) const {
    const test::Ended ended = m_forks.run(words);
    return {ended.code, QString::fromUtf8(ended.out), QString::fromUtf8(ended.err)};
  }
  // The files of a preset of Text-to-SQL: those of the made data.
  QStringList m_files;
  std::unique_ptr<ProjectFixture> m_fixture;
  mutable test::EngineForks m_forks;
};

void GridPresetsTest::initTestCase() {
  QVERIFY2(QFile::exists(QStringLiteral(FATHOM_BIN_DIR "/fathom-engine")), "fathom-engine is not built");
  m_fixture = std::make_unique<ProjectFixture>();
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  const MadeData made =
      writeMadeTextToSql(m_fixture->file("sample").toStdString(), 1, MadeDataSize::Check).value();
  for (const auto& [key, value] : made.options.items())
    if (key.find("linking") == std::string::npos && value.is_string() && value != "")
      m_files << "--set" << QString::fromStdString(key + "=" + value.get<std::string>());
  m_files << "--set"
          << "spider.vocabulary.kind=wordpiece"
          << "--set"
          << "spider.vocabulary.lower_case=true";
  // Grids of large models are refused where the disk has no room for the checkpoints of all.
  m_files << "--set"
          << "checkpoint.keep_last=1"
          << "--set"
          << "checkpoint.keep_best=0";
  // Nobody takes them out of the queue.
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(m_fixture->queue().setSettings(paused).ok());
}

// DT-Fixup says 380 million, the released code with its unused norms 380,294,574.
void GridPresetsTest::engineKnowsPresets() {
  const ShellResult sizes = engine({"describe", "--model", "sql_sp", "--preset", "sql_sp_released"});
  QVERIFY2(sizes.exitCode == 0, qPrintable(sizes.err));
  QVERIFY(sizes.json()["vocabulary"] == Json(50265));
  QVERIFY(sizes.json()["parameters"]["with_norms"] == Json(380294574));
  QVERIFY(sizes.json()["parameters"]["total"] == Json(380294574 - 24 * 4 * 256 - 512));
  const ShellResult standard = engine({"describe", "--model", "--preset", "sql_sp_standard"});
  QVERIFY2(standard.exitCode == 0, qPrintable(standard.err));
  QVERIFY(!standard.json()["parameters"].contains("with_norms"));
  const ShellResult other =
      engine({"describe", "--model", "--preset", "sql_sp_released", "--vocabulary", "50266"});
  QCOMPARE(other.json()["parameters"]["total"].get<std::int64_t>() -
               sizes.json()["parameters"]["total"].get<std::int64_t>(),
           std::int64_t{1024});
  const ShellResult misspelt = engine({"describe", "--model", "--preset", "sql_sp_releases"});
  QCOMPARE(misspelt.exitCode, 30);
  QVERIFY2(misspelt.err.contains("did you mean 'sql_sp_released'"), qPrintable(misspelt.err));
  QCOMPARE(engine({"describe", "--model", "--preset", "sql_sp_released", "--config", "x.json"}).exitCode, 2);
}

// A sample of the training data is enough for a report; what was looked at stands in it.
void GridPresetsTest::reportOfASample() {
  const QStringList words =
      QStringList{"init-report", "--json", "--preset", "sql_sp_quick"} + m_files +
      QStringList{"--set", "model.width=48", "--set", "encoder.layers=1", "--set", "model.feed_forward=48"};
  const ShellResult some = engine(words + QStringList{"--examples", "8"});
  QVERIFY2(some.exitCode == 0, qPrintable(some.err));
  const Json measured = some.json()["measured_on"];
  QVERIFY2(measured["examples"] == Json(8), measured.dump().c_str());
  QVERIFY(measured["of"].get<int>() > 8 && measured["batches"] == Json(1));
  const ShellResult all = engine(words + QStringList{"--examples", "0", "--progress-lines"});
  QVERIFY2(all.exitCode == 0, qPrintable(all.err));
  const QStringList lines = all.out.split('\n', Qt::SkipEmptyParts);
  QVERIFY2(lines.filter("measuring initial values").last().contains("\"total\":"), qPrintable(all.out));
  const Json report = parseJson(lines.last().toStdString()).value();
  QVERIFY(report["measured_on"]["examples"] == report["measured_on"]["of"]);
  QVERIFY(report["profile"][0]["parts"]["question"].get<double>() > 0);
  // More examples never make the largest norm smaller.
  QVERIFY(report["profile"][0]["value"].get<double>() >= some.json()["profile"][0]["value"].get<double>());
}

void GridPresetsTest::waits() {
  const ShellResult started = grid(QStringList{"--preset", "sql_sp_depth"} + m_files);
  QVERIFY2(started.exitCode == 0, qPrintable(QString::number(started.exitCode) + started.err + started.out));
  QCOMPARE(started.json()["runs"].size(), std::size_t{24});
  std::set<std::string> seen;
  for (const QueueEntry& entry : m_fixture->queue().entries().value()) {
    const Json& options = entry.config["options"];
    seen.insert(options["extra.residual"].get<std::string>() + " " + options["init"].get<std::string>() +
                " " + options["extra.layers"].dump() + " " + options["lr_schedule.warmup"].dump() + " " +
                options["seed"].dump());
  }
  QCOMPARE(seen.size(), std::size_t{24});
  QVERIFY(seen.contains("post_ln xavier 24 100 2") && seen.contains("unnormalised dt_fixup 4 0 1"));
  QVERIFY(seen.contains("unnormalised t_fixup 16 0 2") && seen.contains("pre_ln xavier 16 100 1"));
  const ShellResult table = grid({"--show", "sql_sp_depth"});
  QVERIFY2(table.exitCode == 0, qPrintable(table.err));
  QVERIFY(table.json()["table"]["keys"] == Json({"scheme", "extra.layers"}));
  QCOMPARE(table.json()["table"]["lines"].size(), std::size_t{12});
  QVERIFY(table.json()["table"]["lines"][11]["values"] == Json({"DT-Fixup", "24"}));
}

void GridPresetsTest::someOfIt() {
  const ShellResult started =
      grid(QStringList{"--preset", "sql_sp_depth", "--name", "part", "--over", "scheme=standard,DT-Fixup",
                       "--over", "seed=7", "--over", "extra.layers=2"} +
           m_files);
  QVERIFY2(started.exitCode == 0, qPrintable(QString::number(started.exitCode) + started.err + started.out));
  QCOMPARE(started.json()["runs"].size(), std::size_t{2});
}

void GridPresetsTest::paperBeside() {
  const ShellResult started =
      grid(QStringList{"--preset", "dt_fixup_table_7", "--name", "t7", "--over", "seed=1"} + m_files);
  QVERIFY2(started.exitCode == 0, qPrintable(QString::number(started.exitCode) + started.err + started.out));
  const ShellResult table = grid({"--show", "t7", "--metric", "valid.exact_match", "--latex"});
  QVERIFY2(table.exitCode == 0, qPrintable(table.err));
  const Json lines = table.json()["table"]["lines"];
  QVERIFY(lines[1]["published"][0]["mean"] == Json(73.24));
  QVERIFY(lines[1]["published"][0]["source"] == Json("DT-Fixup Table 7"));
  QVERIFY2(table.json()["latex"].get<std::string>().find("DT-Fixup 16 & -- & 73.24 $\\pm$ 0.51") !=
               std::string::npos,
           qPrintable(table.out));
  const ShellResult twice =
      grid({"--show", "t7", "--metric", "valid.exact_match,valid.exact_match", "--latex"});
  QVERIFY2(twice.exitCode == 0, qPrintable(twice.err));
  QVERIFY(twice.json()["latex"] == table.json()["latex"]);  // one column of one number
}

void GridPresetsTest::wrong() {
  const ShellResult unknown =
      grid(QStringList{"--preset", "sql_sp_depth", "--over", "scheme=Admin"} + m_files);
  QCOMPARE(unknown.exitCode, 2);
  const QString said = unknown.out + unknown.err;
  QVERIFY2(said.contains("has no setting 'Admin'") && said.contains("T-Fixup*"), qPrintable(said));
  // A preset of one run is no grid by itself.
  QCOMPARE(grid({"--preset", "sample_small"}).exitCode, 2);
}

}  // namespace fathom

using fathom::GridPresetsTest;
QTEST_GUILESS_MAIN(GridPresetsTest)
#include "tst_grid_presets.moc"
