// SPDX-License-Identifier: Apache-2.0
// Sources of other programs with damaged bytes, cut anywhere: read as far as they go or refused with a
// sentence, never a crash, whether they are imported or followed.
#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/imports/formats/event_file_writer.h"
#include "core/imports/import_entry.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;
namespace fs = std::filesystem;

class ImportDamageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void damagedAnywhere_data();
  void damagedAnywhere();
};

void ImportDamageTest::damagedAnywhere_data() {
  QTest::addColumn<QByteArray>("entry");
  QTest::addColumn<QByteArray>("bytes");
  EventFileWriter events(1700000000);
  for (int i = 0; i < 20; ++i) events.scalar("loss", i, 1700000000 + i, 1);
  QTest::newRow("tensorboard") << QByteArray("tensorboard") << QByteArray::fromStdString(events.content());
  QTest::newRow("csv") << QByteArray("csv")
                       << QByteArray("step;\"a;b\";loss\n1;\"x\ny\";2,5\n2;;1,5\n3;NA;nan\n");
  QTest::newRow("json")
      << QByteArray("json")
      << QByteArray("{\"config\": {\"lr\": 0.1}}\n{\"step\": 1, \"loss\": NaN, \"d\": {\"e\": 2}}\n");
  QTest::newRow("trainer")
      << QByteArray("hf_trainer")
      << QByteArray("{\"log_history\": [{\"step\": 1, \"loss\": 2}, {\"step\": 2, \"x\": NaN}]}");
  QTest::newRow("fairseq")
      << QByteArray("fairseq")
      << QByteArray(
             "Namespace(lr=[0.1], seed=3)\n| epoch 001:  2 / 5 loss=8.1, num_updates=200, lr=0.01, wall=7\n"
             "2021-06-09 14:21:10 | INFO | valid | {\"valid_loss\": 7, \"valid_num_updates\": 100}\n");
  for (const fixtures::Case& one : fixtures::cases("foreign_runs_wandb"))
    for (const std::string& file : one.files) {
      if (!file.ends_with(".wandb") || fs::file_size(file) > 40'000) continue;
      std::ifstream in(file, std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(in)), {});
      QTest::newRow(fs::path(file).filename().string().c_str())
          << QByteArray("wandb") << QByteArray::fromStdString(bytes);
    }
}

void ImportDamageTest::damagedAnywhere() {
  QFETCH(QByteArray, entry);
  QFETCH(QByteArray, bytes);
  const char *seedWord = std::getenv("SEED"), *countWord = std::getenv("N");
  const int seed = seedWord != nullptr ? std::atoi(seedWord) : 5;
  const int count = countWord != nullptr ? std::atoi(countWord) : 60;
  qInfo("seed %d", seed);
  std::mt19937 random(static_cast<unsigned>(seed));
  QTemporaryDir dir;
  const std::string path = dir.path().toStdString() + "/source";
  const ImportEntry* format = findImport(entry.toStdString());
  QVERIFY(format != nullptr);
  int read = 0;
  for (int i = 0; i < count; ++i) {
    std::string damaged = bytes.toStdString();
    for (unsigned changes = random() % 4; changes > 0; --changes)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    if (random() % 3 == 0) damaged.resize(random() % damaged.size());
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    auto source = format->open(path, {});
    QVERIFY(source.ok());
    std::size_t points = 0;
    const auto take = [&](ImportedRun run) -> Status {
      for (const ImportedPoint& point : run.points)
        if (point.metric >= run.metrics.size() || !(point.step >= 0))
          return internalError("a point of nothing");
      for (const ScalarSeries& series : seriesOf(run)) points += series.value.size();
      (void)run.options.dump();
      return {};
    };
    const auto first = (*source)->read(StopToken(), take);
    if (!first.ok()) {
      QVERIFY2(first.error().kind == ErrorKind::Data, first.error().text().c_str());
      continue;
    }
    // The state goes through a file.
    ImportOptions options;
    options.state = Json::parse((*source)->state().dump(-1, ' ', false, Json::error_handler_t::replace));
    source = format->open(path, options);
    const Status closed = (*source)->close(take);
    QVERIFY2(closed.ok() || closed.error().kind == ErrorKind::Data,
             closed.ok() ? "" : closed.error().text().c_str());
    read += points > 0 ? 1 : 0;
  }
  QVERIFY2(read > count / 10, std::to_string(read).c_str());
}

QTEST_APPLESS_MAIN(ImportDamageTest)
#include "tst_import_damage.moc"
