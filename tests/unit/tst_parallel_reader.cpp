// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/parallel_reader.h"

#include <unistd.h>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "support_fixtures.h"

using namespace fathom;

class ParallelReaderTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void plainTable();
  void lineEndsAndByteOrderMark();
  void columnsAndHeader();
  void twoFiles();
  void gzip();
  void badLinesAreErrors_data();
  void badLinesAreErrors();
  void badLinesAreCounted();
  void badFiles();
  void longLines();
  void progressAndStop();
  void hashIsOfTheWholeFile();

 private:
  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = m_folder.path().toStdString() + "/" + name;
    writeFileAtomically(path, bytes).value();
    return path;
  }
  // Packed by the system's gzip.
  std::string pack(const std::string& path) {
    const QString command = QString::fromStdString("gzip -kf '" + path + "'");
    [&] { QCOMPARE(std::system(command.toUtf8().constData()), 0); }();
    return path + ".gz";
  }
  static ParallelFiles table(const std::string& path) {
    ParallelFiles files;
    files.path = path;
    return files;
  }
  QTemporaryDir m_folder;
};

void ParallelReaderTest::plainTable() {
  const auto text =
      readParallel(table(write("a.tsv", "eins\tone\nzwei \t two\n drei\tthree")), "train").value();
  QCOMPARE(text.size(), 3);
  QCOMPARE(text.source[1], std::string_view("zwei"));
  QCOMPARE(text.target[1], std::string_view("two"));
  QCOMPARE(text.target[2], std::string_view("three"));
  QCOMPARE(text.lines[2], 3);
  QCOMPARE(text.skipped.total(), 0);
}

void ParallelReaderTest::lineEndsAndByteOrderMark() {
  const auto text = readParallel(table(write("b.tsv",
                                             "\xef\xbb\xbf"
                                             "eins\tone\r\nzwei\ttwo\r\n")),
                                 "train")
                        .value();
  QCOMPARE(text.size(), 2);
  QCOMPARE(text.source[0], std::string_view("eins"));
  QCOMPARE(text.target[0], std::string_view("one"));
}

void ParallelReaderTest::columnsAndHeader() {
  auto files = table(write("c.tsv", "id\ten\tde\n1\tone\teins\n2\ttwo\tzwei\n"));
  files.header = true;
  files.sourceColumn = 3;
  files.targetColumn = 2;
  const auto text = readParallel(files, "train").value();
  QCOMPARE(text.size(), 2);
  QCOMPARE(text.source[0], std::string_view("eins"));
  QCOMPARE(text.lines[0], 2);
  files.maxPairs = 1;
  QCOMPARE(readParallel(files, "train")->size(), 1);
}

void ParallelReaderTest::twoFiles() {
  ParallelFiles files;
  files.format = ParallelFiles::Format::TwoFiles;
  files.path = write("d.de", "eins\nzwei\n");
  files.targetPath = write("d.en", "one\ntwo\n");
  const auto text = readParallel(files, "valid").value();
  QCOMPARE(text.size(), 2);
  QCOMPARE(text.hashes.size(), std::size_t{2});
  QCOMPARE(text.hashes[1].role, std::string("valid.target"));
  files.targetPath = write("e.en", "one\ntwo\nthree\n");
  const auto unequal = readParallel(files, "valid");
  QCOMPARE(unequal.error().file, files.path);
  QCOMPARE(unequal.error().line, 2);
  QVERIFY(unequal.error().message.find("e.en") != std::string::npos);
  files.skipBadLines = true;
  QVERIFY(!readParallel(files, "valid").ok());
}

void ParallelReaderTest::gzip() {
  std::string content;
  for (int i = 0; i < 50000; ++i)
    content += "Satz " + std::to_string(i) + "\tsentence " + std::to_string(i) + "\n";
  const std::string packed = pack(write("g.tsv", content));
  QCOMPARE(readParallel(table(packed), "train")->size(), 50000);
  std::string bytes = readFile(packed).value();
  const auto twice = readParallel(table(write("twice.gz", bytes + bytes)), "train");
  QCOMPARE(twice->size(), 100000);
  const auto cut = readParallel(table(write("cut.gz", bytes.substr(0, bytes.size() / 2))), "train");
  QVERIFY(cut.error().message.find("gzip") != std::string::npos);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  bytes[bytes.size() / 2 + 1] = static_cast<char>(bytes[bytes.size() / 2 + 1] ^ 0x55);
  const auto damaged = readParallel(table(write("damaged.gz", bytes)), "train");
  QVERIFY(!damaged.ok());
  QCOMPARE(damaged.error().kind, ErrorKind::Data);
}

void ParallelReaderTest::badLinesAreErrors_data() {
  QTest::addColumn<QByteArray>("line");
  QTest::addColumn<QString>("says");
  QTest::newRow("no tab") << QByteArray("nur eine Seite") << "without a tab";
  QTest::newRow("latin1") << QByteArray(
                                 "gr\xf6\xdf"
                                 "er\tbigger")
                          << "not UTF-8 at byte 3";
  QTest::newRow("surrogate") << QByteArray("a\tb\xed\xa0\x80") << "not UTF-8";
  QTest::newRow("overlong") << QByteArray("a\tb\xc0\xaf") << "not UTF-8";
  QTest::newRow("empty source") << QByteArray(" \tb") << "source side is empty";
  QTest::newRow("empty target") << QByteArray("a\t") << "target side is empty";
  QTest::newRow("blank line") << QByteArray("") << "without a tab";
  QTest::newRow("nul") << QByteArray("a\0b\tc", 5) << "NUL";
  QTest::newRow("long") << QByteArray(QByteArray(70000, 'x') + "\ty") << "longer than 65536";
}

void ParallelReaderTest::badLinesAreErrors() {
  QFETCH(QByteArray, line);
  QFETCH(QString, says);
  std::string head;
  for (int i = 0; i < 1000; ++i) head += "gut\tgood\n";
  const std::string path = write("bad.tsv", head + line.toStdString() + "\ngut\tgood\n");
  const auto result = readParallel(table(path), "train");
  QVERIFY(!result.ok());
  QCOMPARE(result.error().kind, ErrorKind::Data);
  QCOMPARE(result.error().file, path);
  QCOMPARE(result.error().line, 1001);
  QVERIFY2(QString::fromStdString(result.error().message).contains(says), result.error().message.c_str());
  QVERIFY(!result.error().hint.empty());
  auto files = table(path);
  files.skipBadLines = true;
  const auto skipped = readParallel(files, "train").value();
  QCOMPARE(skipped.size(), 1001);
  QCOMPARE(skipped.skipped.total(), 1);
  QCOMPARE(skipped.lines.back(), 1002);
}

void ParallelReaderTest::badLinesAreCounted() {
  auto files = table(write("many.tsv", "x\nx\na\tb\n\t\nx\nx\nx\nx\n"));
  files.skipBadLines = true;
  const auto text = readParallel(files, "train").value();
  const Json json = text.skipped.toJson();
  QCOMPARE(json.size(), std::size_t{2});
  QVERIFY(json["missing_tab"]["count"] == 6);
  QVERIFY(json["missing_tab"]["first_lines"] == Json({1, 2, 5, 6, 7}));
  QVERIFY(json["empty_side"]["count"] == 1);
  QCOMPARE(text.linesRead, 8);
}

void ParallelReaderTest::badFiles() {
  const auto says = [&](const std::string& path, const char* text) {
    const auto result = readParallel(table(path), "train");
    const bool good = !result.ok() && result.error().text().find(text) != std::string::npos &&
                      result.error().text().find(path) != std::string::npos;
    if (!good) qWarning("%s", result.ok() ? "read" : result.error().text().c_str());
    return good;
  };
  QVERIFY(says("/nowhere/x.tsv", "no such file"));
  QVERIFY(says(write("empty.tsv", ""), "empty"));
  QVERIFY(says(write("bom.tsv", "\xef\xbb\xbf"), "no sentence pair"));
  QVERIFY(says(write("binary.tsv", std::string("\x7f"
                                               "ELF\0\0\0\1",
                                               8)),
               "not text"));
  QVERIFY(says(write("utf16.tsv", std::string("\xff\xfe"
                                              "a\0",
                                              4)),
               "UTF-16"));
  QVERIFY(says(m_folder.path().toStdString(), "folder"));
  QVERIFY(says(write("header.tsv", "\n"), "without a tab"));
  auto onlyHeader = table(write("only.tsv", "de\ten\n"));
  onlyHeader.header = true;
  QVERIFY(!readParallel(onlyHeader, "train").ok());
  if (::geteuid() != 0) {
    const std::string secret = write("secret.tsv", "a\tb\n");
    std::filesystem::permissions(secret, std::filesystem::perms::none);
    QVERIFY(says(secret, "cannot open"));
  }
}

// A line of 20 MB without an end takes no more memory than its limit and does not stop the reading.
void ParallelReaderTest::longLines() {
  const std::string path =
      write("huge.tsv", "a\tb\n" + std::string(20 << 20, 'x') + "\nc\td\n" + std::string(300000, 'y'));
  auto files = table(path);
  files.skipBadLines = true;
  const auto text = readParallel(files, "train").value();
  QCOMPARE(text.size(), 2);
  QCOMPARE(text.skipped.kinds[static_cast<std::size_t>(BadLine::TooLong)].count, 2);
  QCOMPARE(text.lines[1], 3);
}

void ParallelReaderTest::progressAndStop() {
  std::string content;
  for (int i = 0; i < 20000; ++i) content += "Satz\tsentence\n";
  const std::string path = write("p.tsv", content);
  ProgressUpdate last;
  Progress progress([&](const ProgressUpdate& update) { last = update; });
  QVERIFY(readParallel(table(path), "train", &progress).ok());
  QCOMPARE(last.unit, std::string("bytes"));
  QCOMPARE(last.total, static_cast<double>(content.size()));
  StopToken stop;
  stop.requestStop();
  QCOMPARE(readParallel(table(path), "train", nullptr, stop).error().kind, ErrorKind::Interrupted);
}

void ParallelReaderTest::hashIsOfTheWholeFile() {
  std::string content;
  for (int i = 0; i < 60000; ++i) content += "Satz\tsentence " + std::to_string(i) + "\n";
  auto files = table(write("h.tsv", content));
  files.maxPairs = 3;
  const auto text = readParallel(files, "train").value();
  QCOMPARE(text.hashes[0].sha256, sha256Hex(content));
  QCOMPARE(text.hashes[0].bytes, static_cast<std::int64_t>(content.size()));
}

QTEST_APPLESS_MAIN(ParallelReaderTest)
#include "tst_parallel_reader.moc"
