// SPDX-License-Identifier: Apache-2.0
// The sources in a folder: one as it is named, or those of several kinds in it, each once.
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/imports/formats/event_file_writer.h"
#include "core/imports/preview/source_places.h"
#include "tests/unit/support_following.h"
#include "tests/unit/support_wandb_records.h"

using namespace fathom;

namespace {

const std::string kTable = "step,loss\n1,3\n2,2\n";
const std::string kTrainer = R"({"global_step": 10, "log_history": [{"step": 10, "epoch": 1, "loss": 2.5}]})";

std::string wandbRun(const std::string& id) {
  std::string file = test::kWandbHead;
  file += test::wandbChunk(test::wandbField(17, test::wandbField(1, id) + test::wandbField(8, id)));
  for (const int step : {1, 2})
    file += test::wandbChunk(
        test::wandbField(2, test::wandbField(1, test::wandbItem("loss", std::to_string(step))) +
                                test::wandbField(2, test::wandbField(1, std::uint64_t(step)))));
  return file;
}

}  // namespace

class SourcePlacesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_files = std::make_unique<Following>(); }
  void oneKindIsItself_data();
  void oneKindIsItself();
  void eachKindOnce();
  void whatIsInARunIsTheRuns();
  void eventFilesApart();
  void deepPlacesAreFound();
  void tablesAndLogsAlone();
  void notAnybodys();
  void closedAndStopped();

 private:
  void write(const std::string& file, const std::string& bytes) const { m_files->append(file, bytes); }
  void writeEvents(const std::string& folder) const {
    EventFileWriter events(1.7e9);
    for (const int step : {1, 2}) events.scalar("loss", step, 1.7e9 + step, 1);
    write(folder + "/events.out.tfevents.1700000000.host.1.0", events.content());
  }
  void writeWandb(const std::string& folder, const std::string& id) const {
    write(folder + "/offline-run-20251009_085000-" + id + "/run-" + id + ".wandb", wandbRun(id));
  }
  // "PATH FORMAT NAME" below the folder, in order.
  std::vector<std::string> found(const std::string& folder = "all") const {
    std::vector<std::string> lines;
    const auto places = placesIn(m_files->path(folder), StopToken());
    if (!places.ok()) return {places.error().text()};
    for (const SourcePlace& place : *places) {
      const std::string below = place.path.substr(m_files->path(folder).size());
      lines.push_back(below + " " + place.format + (place.name.empty() ? "" : " " + place.name));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  // Every place can be read, and all of them have so many runs.
  std::vector<std::string> runs(const std::string& folder = "all") const {
    std::vector<std::string> names;
    for (const SourcePlace& place : placesIn(m_files->path(folder), StopToken()).value()) {
      ImportOptions options;
      options.format = place.format;
      options.name = place.name;
      Progress progress;
      const auto report = importRuns(place.path, m_files->path("imported"), options, progress, StopToken());
      if (!report.ok()) names.push_back(report.error().text());
      if (report.ok())
        for (const RunImport& run : report->runs) names.push_back(report->format + " " + run.name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::unique_ptr<Following> m_files;
};

using Lines = std::vector<std::string>;

void SourcePlacesTest::oneKindIsItself_data() {
  QTest::addColumn<QString>("kind");
  for (const char* kind : {"wandb", "events", "lightning", "trainer", "mlflow", "nothing", "lone table"})
    QTest::newRow(kind) << QString(kind);
}

// As it always was: its reader tells its runs apart, and finds those that come later.
void SourcePlacesTest::oneKindIsItself() {
  QFETCH(QString, kind);
  std::filesystem::create_directories(m_files->path("all"));
  if (kind == "wandb") {
    for (const char* id : {"a", "b"}) writeWandb("all/wandb", id);
    write("all/wandb/offline-run-20251009_085000-a/files/media/table.csv", kTable);
    write("all/wandb/debug.log", "an ordinary log\n");
  } else if (kind == "events") {
    writeEvents("all/one");
    writeEvents("all/two/seed1");
    write("all/two/requirements.csv", "package,version\nnumpy,2\n");
  } else if (kind == "lightning") {
    write("all/version_0/metrics.csv", kTable);
    write("all/version_0/hparams.yaml", "lr: 0.1\n");
    writeEvents("all/version_0");
  } else if (kind == "trainer") {
    write("all/out/checkpoint-10/trainer_state.json", kTrainer);
    writeEvents("all/out/runs/host");
    writeEvents("all/apart");
  } else if (kind == "mlflow") {
    write("all/0/abc/meta.yaml", "run_id: abc\nrun_name: one\nstatus: 1\n");
    write("all/0/abc/metrics/loss", "1760000000000 1 1\n");
    write("all/0/abc/artifacts/table.csv", kTable);
  } else if (kind == "lone table") {
    write("lone.csv", kTable);
    QCOMPARE(found("lone.csv"), Lines{" auto"});
    return;
  }
  QCOMPARE(found(), Lines{" auto"});
  QCOMPARE(placesIn(m_files->path("all") + "/", StopToken())->size(), std::size_t{1});
}

void SourcePlacesTest::eachKindOnce() {
  for (const char* id : {"a", "b"}) writeWandb("all/wandb", id);
  writeEvents("all/runs/first");
  writeEvents("all/runs/second");
  write("all/csv_logs/version_0/metrics.csv", kTable);
  write("all/csv_logs/version_0/hparams.yaml", "lr: 0.1\n");
  write("all/mlruns/0/abc/meta.yaml", "run_id: abc\nrun_name: one\nstatus: 1\n");
  write("all/mlruns/0/abc/metrics/loss", "1760000000000 1 1\n");
  write("all/keras.csv", "epoch,loss\n0,1\n1,2\n");
  write("all/live.jsonl", jsonLines(1, 2));
  QCOMPARE(found(), (Lines{" tensorboard", "/csv_logs lightning", "/keras.csv auto", "/live.jsonl auto",
                           "/mlruns mlflow", "/wandb wandb"}));
  QCOMPARE(runs(), (Lines{"csv keras", "json live", "lightning version_0", "mlflow one",
                          "tensorboard runs/first", "tensorboard runs/second", "wandb a", "wandb b"}));
}

// The Trainer with everything in its output folder, and a table that is nobody's beside it.
void SourcePlacesTest::whatIsInARunIsTheRuns() {
  write("all/out/trainer_state.json", kTrainer);
  write("all/out/checkpoint-10/trainer_state.json", kTrainer);
  writeEvents("all/out/runs/host");
  write("all/out/log.csv", kTable);
  writeWandb("all/out/wandb", "a");
  write("all/table.csv", kTable);
  QCOMPARE(found(), (Lines{"/out hf_trainer", "/out/wandb wandb", "/table.csv auto"}));
  QCOMPARE(runs(), (Lines{"csv table", "hf_trainer out", "wandb a"}));
  const auto whole = runs("all/out");
  QVERIFY(std::count(whole.begin(), whole.end(), "wandb a") == 1 && whole.size() == 2);
}

// A reader of the whole folder would read event files of another run: they are read by folder.
void SourcePlacesTest::eventFilesApart() {
  write("all/deep/down/out/trainer_state.json", kTrainer);
  writeEvents("all/deep/down/out/runs/host");
  writeEvents("all/tb/one");
  writeEvents("all/tb/two");
  writeEvents("all");
  writeWandb("all/wandb", "a");
  const std::string direct = "/events.out.tfevents.1700000000.host.1.0 tensorboard all";
  QCOMPARE(found(), (Lines{"/deep/down/out hf_trainer", direct, "/tb tensorboard tb", "/wandb wandb"}));
  QCOMPARE(runs(), (Lines{"hf_trainer out", "tensorboard all", "tensorboard tb/one", "tensorboard tb/two",
                          "wandb a"}));
}

void SourcePlacesTest::deepPlacesAreFound() {
  writeWandb("all/second/wandb", "a");
  writeWandb("all/first/try/wandb", "b");
  QCOMPARE(found(), (Lines{"/first/try/wandb wandb", "/second/wandb wandb"}));
  QCOMPARE(runs(), (Lines{"wandb a", "wandb b"}));
}

void SourcePlacesTest::tablesAndLogsAlone() {
  write("all/a/one.csv", kTable);
  write("all/a/one.tsv", "step\tloss\n1\t2\n");
  write("all/b/run-plum-tag-loss.csv", "Wall time,Step,Value\n1700000000,1,2\n");
  write("all/c/train.log",
        "2024-01-02 03:04:05 | INFO | train_inner | {\"epoch\": 1, \"loss\": \"4.5\", "
        "\"num_updates\": \"10\"}\n");
  QCOMPARE(found(), (Lines{"/a/one.csv auto", "/a/one.tsv auto", "/b/run-plum-tag-loss.csv auto",
                           "/c/train.log auto"}));
  QCOMPARE(runs().size(), std::size_t{4});
}

// Data, packages, hidden folders, projects and runs of ours.
void SourcePlacesTest::notAnybodys() {
  writeWandb("all/wandb", "a");
  write("all/data/train.csv", "text,label\na,1\n");
  write("all/data/train.jsonl", "{\"text\": \"a\", \"label\": 1}\n");
  write("all/data/empty.csv", "");
  write("all/server.log", "2024-01-02 | INFO | started\n");
  write("all/.cache/x.csv", kTable);
  write("all/venv/lib/site-packages/x.csv", kTable);
  write("all/p.fathom/library.sqlite", "");
  write("all/p.fathom/runs/x/table.csv", kTable);
  write("all/run/run.json", "{}");
  write("all/run/attempts/0001/table.csv", kTable);
  std::filesystem::create_directory_symlink(m_files->path("all"), m_files->path("all/loop"));
  QCOMPARE(found(), Lines{" auto"});
}

void SourcePlacesTest::closedAndStopped() {
  QVERIFY(!placesIn(m_files->path("all") + "/none", StopToken())->empty());
  writeEvents("all/one");
  const StopToken stop;
  stop.requestStop();
  const auto stopped = placesIn(m_files->path("all"), stop);
  QVERIFY(!stopped.ok());
  QCOMPARE(stopped.error().kind, ErrorKind::Interrupted);
}

QTEST_APPLESS_MAIN(SourcePlacesTest)
#include "tst_source_places.moc"
