// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/lines/compressed_file.h"
#include "core/record/runs/run_archive.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

// A tar entry written by hand, so that it can lie.
std::string tarEntry(const std::string& name, const std::string& bytes, char type = '0',
                     long long size = -1) {
  std::string header(512, '\0');
  name.copy(header.data(), 100);
  std::snprintf(&header[100], 8, "%07o", 0644);
  std::snprintf(&header[124], 12, "%011llo", size < 0 ? static_cast<long long>(bytes.size()) : size);
  std::snprintf(&header[136], 12, "%011o", 0);
  header[156] = type;
  if (type == '2' || type == '1') std::string("/etc/passwd").copy(&header[157], 100);
  std::string("ustar").copy(&header[257], 5);
  header[263] = header[264] = '0';
  std::fill_n(&header[148], 8, ' ');
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(&header[148], 8, "%06o", sum);
  std::string body = bytes;
  body.append((512 - body.size() % 512) % 512, '\0');
  return header + body;
}

const std::string kRunJson = R"({"uuid":"u","format":1,"name":"n","created":"","provenance":{}})";
const std::string kEnd(1024, '\0');

}  // namespace

class RunArchiveTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_dir = std::make_unique<QTemporaryDir>(); }
  void good();
  void refused_data();
  void refused();
  void bomb();
  void headersCount_data();
  void headersCount();
  void impossibleSizes_data();
  void impossibleSizes();
  void longNames();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  Status import(const std::string& bytes, const ArchiveLimits& limits = {}) {
    std::ofstream(path("a.tar"), std::ios::trunc) << bytes;
    Progress progress;
    return importRunArchive(path("a.tar"), path("out"), progress, StopToken(), limits);
  }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void RunArchiveTest::good() {
  const Status status = import(tarEntry("top/", "", '5') + tarEntry("top/run.json", kRunJson) +
                               tarEntry("top/attempts/0001/config.json", "{}") + kEnd);
  QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
  QVERIFY(fs::exists(path("out/attempts/0001/config.json")));
}

void RunArchiveTest::refused_data() {
  QTest::addColumn<QByteArray>("entries");
  const auto row = [](const char* name, const std::string& entries) {
    QTest::newRow(name) << QByteArray::fromStdString(tarEntry("top/run.json", kRunJson) + entries + kEnd);
  };
  row("climbing", tarEntry("top/../../evil", "x"));
  row("top is dots", tarEntry("../evil", "x"));
  row("absolute", tarEntry("/evil", "x"));
  row("absolute below", tarEntry("top//evil", "x"));
  row("dot", tarEntry("top/./evil", "x"));
  row("symbolic link", tarEntry("top/link", "", '2'));
  row("hard link", tarEntry("top/link", "", '1'));
  row("device", tarEntry("top/device", "", '3'));
  row("fifo", tarEntry("top/fifo", "", '6'));
  row("odd characters", tarEntry("top/a b", "x"));
  row("backslash", tarEntry("top/a\\b", "x"));
  row("look-alike", tarEntry("top/\xEF\xBC\x8E\xEF\xBC\x8E/x", "x"));
  row("no top folder", tarEntry("evil", "x"));
  row("two tops", tarEntry("other/file", "x"));
  row("twice", tarEntry("top/run.json", kRunJson));
  row("long part", tarEntry("top/" + std::string(90, 'a') + "/" + std::string(4, 'b'), "x") +
                       tarEntry("././@LongLink", std::string("top/") + std::string(200, 'c'), 'L') +
                       tarEntry("top/short", "x"));
  row("size that lies", tarEntry("top/file", "x", '0', 100000000));
  row("damaged header", std::string(512, 'z'));
}

void RunArchiveTest::refused() {
  QFETCH(QByteArray, entries);
  const Status status = import(entries.toStdString());
  QVERIFY(!status.ok());
  QCOMPARE(status.error().kind, ErrorKind::Data);
  QVERIFY(!fs::exists(path("out")));
  QCOMPARE(std::distance(fs::directory_iterator(path("")), {}), std::ptrdiff_t{1});
}

void RunArchiveTest::bomb() {
  // 200 MB of zeros pack into a few kB.
  const auto out = PackedWriter::create(path("bomb.tar.zst")).value();
  QVERIFY(out->write(tarEntry("top/run.json", kRunJson)).ok());
  QVERIFY(out->write(tarEntry("top/zeros", "", '0', 200ll << 20)).ok());
  const std::string zeros(1 << 20, '\0');
  for (int i = 0; i < 200; ++i) QVERIFY(out->write(zeros).ok());
  QVERIFY(out->write(kEnd).ok());
  QVERIFY(out->finish().ok());
  Progress progress;
  const Status status = importRunArchive(path("bomb.tar.zst"), path("out"), progress, StopToken());
  QVERIFY(!status.ok());
  QVERIFY2(status.error().message.find("far more") != std::string::npos, status.error().text().c_str());
  QVERIFY(!fs::exists(path("out")));
  ArchiveLimits few;
  few.maxEntries = 3;
  std::string many = tarEntry("top/run.json", kRunJson);
  for (int i = 0; i < 3; ++i) many += tarEntry("top/f" + std::to_string(i), "");
  QVERIFY(!import(many + kEnd, few).ok());
}

void RunArchiveTest::headersCount_data() {
  QTest::addColumn<char>("type");
  for (const char type : {'x', 'g', 'L'}) QTest::newRow(std::string(1, type).c_str()) << type;
}

// 640 MB of headers in a few ten kB: they are read, so they count, and there may not be any number of them.
void RunArchiveTest::headersCount() {
  QFETCH(char, type);
  const auto out = PackedWriter::create(path("headers.tar.zst")).value();
  QVERIFY(out->write(tarEntry("top/run.json", kRunJson)).ok());
  const std::string record = "65536 comment=" + std::string(65536 - 15, 'c') + "\n";
  const std::string header = tarEntry("header", type == 'L' ? std::string(65536, 'n') : record, type);
  for (int i = 0; i < 9000; ++i) QVERIFY(out->write(header).ok());
  QVERIFY(out->write(kEnd).ok() && out->finish().ok());
  Progress progress;
  const Status status = importRunArchive(path("headers.tar.zst"), path("out"), progress, StopToken());
  QVERIFY(!status.ok());
  QVERIFY2(status.error().message.find("far more") != std::string::npos, status.error().text().c_str());
  QVERIFY2(status.error().message.find("over 64 MiB") != std::string::npos, status.error().text().c_str());
  QVERIFY(!fs::exists(path("out")));
  ArchiveLimits few;
  few.maxEntries = 3;
  std::string many = tarEntry("top/run.json", kRunJson);
  for (int i = 0; i < 3; ++i) many += tarEntry("header", "11 a=bcdef\n", type);
  QVERIFY(!import(many + tarEntry("top/f", "x") + kEnd, few).ok());
  few.maxEntries = 5;
  QVERIFY(import(many + tarEntry("top/f", "x") + kEnd, few).ok() || type == 'L');  // that one names it
}

void RunArchiveTest::impossibleSizes_data() {
  QTest::addColumn<QByteArray>("entry");
  const auto pax = [](const std::string& size) {
    const std::string record = "size=" + size + "\n";
    return tarEntry("pax", std::to_string(record.size() + 3) + " " + record, 'x') + tarEntry("top/f", "x");
  };
  const auto row = [](const char* name, const std::string& entry) {
    QTest::newRow(name) << QByteArray::fromStdString(entry);
  };
  row("2^64 - 1", pax("18446744073709551615"));
  row("2^64 - 512", pax("18446744073709551104"));
  row("2^64 + 1", pax("18446744073709551617"));
  row("2^63", pax("9223372036854775808"));
  row("one TiB", pax("1099511627776"));
  row("digits and more", pax("1x"));
  row("negative", pax("-1"));
  const auto binary = [](const std::string& field) {
    std::string entry = tarEntry("top/f", "x");
    field.copy(&entry[124], 12);
    std::fill_n(&entry[148], 8, ' ');
    unsigned sum = 0;
    for (int i = 0; i < 512; ++i) sum += static_cast<unsigned char>(entry[static_cast<std::size_t>(i)]);
    std::snprintf(&entry[148], 8, "%06o", sum);
    return entry;
  };
  row("binary 2^64 - 1", binary(std::string("\x80\0\0\0", 4) + std::string(8, '\xFF')));
  row("binary 2^64 + 1", binary(std::string("\x80\0\0\1\0\0\0\0\0\0\0\1", 12)));
  row("binary negative", binary(std::string(12, '\xFF')));
  row("folder with bytes", tarEntry("top/d/", "hello", '5'));
}

// A size near 2^64 was rounded up to nothing: the file came out empty and its bytes were read as headers.
void RunArchiveTest::impossibleSizes() {
  QFETCH(QByteArray, entry);
  const Status status = import(tarEntry("top/run.json", kRunJson) + entry.toStdString() + kEnd);
  QVERIFY(!status.ok());
  QCOMPARE(status.error().kind, ErrorKind::Data);
  QVERIFY2(status.error().message.find("refused") != std::string::npos, status.error().text().c_str());
  QVERIFY(!fs::exists(path("out")));
}

void RunArchiveTest::longNames() {
  const std::string name = "top/" + std::string(90, 'a') + "/" + std::string(90, 'b');
  const std::string record = "path=" + name + "\n";
  const std::string pax = std::to_string(record.size() + 4) + " " + record;
  const Status status = import(tarEntry("top/run.json", kRunJson) + tarEntry("pax", pax, 'x') +
                               tarEntry("top/short", "hello") + kEnd);
  QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
  QVERIFY(fs::exists(path("out") + name.substr(3)));
}

QTEST_APPLESS_MAIN(RunArchiveTest)
#include "tst_run_archive.moc"
