// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/record/formats/safetensors_file.h"
#include "tests/unit/support_tensor_values.h"

using namespace fathom;

class SafetensorsFileTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void roundTrip();
  void halves();
  void everyCutIsRefused();
  void writerRefusesNonsense();
  void failuresKeepTheOldFile();
  void noSpace();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void SafetensorsFileTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  FileFaults::clear();
}

void SafetensorsFileTest::roundTrip() {
  const std::vector<float> matrix = {1, 2, 3, 4, 5, -0.0f};
  const std::vector<std::int64_t> counts = {-1, 1ll << 60};
  const auto hash = writeSafetensors(path("m"),
                                     {{"matrix", "F32", {2, 3}, matrix.data()},
                                      {"none", "F64", {0, 4}, nullptr},
                                      {"n\n", "I64", {2}, counts.data()}},
                                     {{"note", "\xC3\xA4"}});
  QVERIFY(hash.ok());
  QCOMPARE(*hash, sha256OfFile(path("m")).value());
  const auto file = SafetensorsFile::open(path("m"));
  QVERIFY(file.ok());
  QCOMPARE(file->metadata().at("note"), std::string("\xC3\xA4"));
  QCOMPARE(fixtures::named(file->entries(), "matrix").shape, (std::vector<std::int64_t>{2, 3}));
  QCOMPARE(fixtures::readDoubles(*file, "matrix").value(), (std::vector<double>{1, 2, 3, 4, 5, 0}));
  QVERIFY(std::signbit(fixtures::readDoubles(*file, "matrix").value()[5]));
  std::vector<std::int64_t> read(2);
  QVERIFY(file->read(fixtures::named(file->entries(), "n\n"), read.data()).ok());
  QCOMPARE(read, counts);
  QVERIFY(fixtures::readDoubles(*file, "none")->empty());
  QVERIFY(!fixtures::readDoubles(*file, "missing").ok());
}

void SafetensorsFileTest::halves() {
  const std::uint16_t half[] = {0x3C00, 0xC000, 0x0001, 0x7C00, 0x8000, 0x3555};
  const std::uint16_t brain[] = {0x3F80, 0xC000, 0x7F80};
  QVERIFY(writeSafetensors(path("h"), {{"h", "F16", {6}, half}, {"b", "BF16", {3}, brain}}, {}).ok());
  const auto file = SafetensorsFile::open(path("h"));
  const auto values = fixtures::readDoubles(*file, "h").value();
  QCOMPARE(values[0], 1.0);
  QCOMPARE(values[1], -2.0);
  QCOMPARE(values[2], std::ldexp(1.0, -24));
  QVERIFY(std::isinf(values[3]) && std::signbit(values[4]));
  QCOMPARE(values[5], 0.333251953125);
  QCOMPARE(fixtures::readDoubles(*file, "b").value()[1], -2.0);
}

void SafetensorsFileTest::everyCutIsRefused() {
  const std::vector<double> values(4, 0.5);
  QVERIFY(writeSafetensors(path("m"), {{"v", "F64", {4}, values.data()}}, {}).ok());
  const std::string bytes = readFile(path("m")).value();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    std::ofstream(path("cut"), std::ios::trunc) << bytes.substr(0, cut);
    QVERIFY(!SafetensorsFile::open(path("cut")).ok());
  }
  std::ofstream(path("cut"), std::ios::app) << bytes.back() << "x";
  QVERIFY(!SafetensorsFile::open(path("cut")).ok());
  QVERIFY(!SafetensorsFile::open(m_dir->path().toStdString()).ok());
}

void SafetensorsFileTest::writerRefusesNonsense() {
  const double value = 1;
  QVERIFY(!writeSafetensors(path("m"), {{"v", "F63", {1}, &value}}, {}).ok());
  QVERIFY(!writeSafetensors(path("m"), {{"v", "F64", {1}, &value}, {"v", "F64", {1}, &value}}, {}).ok());
  QVERIFY(!std::filesystem::exists(path("m")));
}

// Every write, sync and rename failing once: the old file stays, nothing else is left.
void SafetensorsFileTest::failuresKeepTheOldFile() {
  const double old = 1, fresh = 2;
  QVERIFY(writeSafetensors(path("m"), {{"v", "F64", {1}, &old}}, {}).ok());
  using Call = FileFaults::Call;
  for (const auto& [call, countdown] :
       {std::pair(Call::Write, 0), {Call::Write, 1}, {Call::Sync, 0}, {Call::Rename, 0}}) {
    FileFaults::arm(call, countdown, call == Call::Sync ? EIO : ENOSPC, false);
    const auto result = writeSafetensors(path("m"), {{"v", "F64", {1}, &fresh}}, {});
    FileFaults::clear();
    QVERIFY(!result.ok());
    QCOMPARE(fixtures::readDoubles(*SafetensorsFile::open(path("m")), "v").value()[0], 1.0);
    QCOMPARE(std::distance(std::filesystem::directory_iterator(path("")), {}), std::ptrdiff_t{1});
  }
}

void SafetensorsFileTest::noSpace() {
  const std::vector<double> values(100000, 0.5);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 300000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto result = writeSafetensors(path("m"), {{"v", "F64", {100000}, values.data()}}, {});
  ::setrlimit(RLIMIT_FSIZE, &before);
  QVERIFY(!result.ok());
  QCOMPARE(result.error().kind, ErrorKind::Resource);
  QVERIFY(std::filesystem::is_empty(path("")));
}

QTEST_APPLESS_MAIN(SafetensorsFileTest)
#include "tst_safetensors_file.moc"
