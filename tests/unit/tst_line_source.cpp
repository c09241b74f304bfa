// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/record/formats/line_source.h"

using namespace fathom;

class LineSourceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Plain and packed give the same; a line may lie across blocks.
  void packedOrNot() {
    const std::string text = "one\n\n" + std::string(600'000, 'x') + "\nlast\n";
    QVERIFY(writeFileAtomically(path("plain"), text).ok());
    for (const char* name : {"packed.gz", "packed.zst"}) {
      auto writer = PackedWriter::create(path(name)).value();
      QVERIFY(writer->write(text).ok() && writer->finish().ok());
    }
    const std::vector<std::string> wanted = {"one", "", std::string(600'000, 'x'), "last"};
    for (const char* name : {"plain", "packed.gz", "packed.zst"}) QCOMPARE(lines(name, {}), wanted);
  }
  // What has no end is given, or left to its writer.
  void tornTail() {
    QVERIFY(writeFileAtomically(path("torn"), "a\nb").ok());
    QCOMPARE(lines("torn", {}), (std::vector<std::string>{"a", "b"}));
    QCOMPARE(lines("torn", {.giveTorn = false}), (std::vector<std::string>{"a"}));
  }
  void limits() {
    QVERIFY(writeFileAtomically(path("long"), "a\n" + std::string(100, 'x') + "\nb\n").ok());
    auto source = LineSource::open(path("long"), {.maxBytes = 10, .skipLonger = true}).value();
    std::string line;
    QVERIFY(source.next(line).value() && source.next(line).value());
    QCOMPARE(line, std::string("b"));
    QCOMPARE(source.number(), std::int64_t{3});
    QCOMPARE(source.leftOut(), std::int64_t{1});
    auto strict = LineSource::open(path("long"), {.maxBytes = 10}).value();
    QVERIFY(strict.next(line).value());
    const auto refused = strict.next(line);
    QCOMPARE(refused.error().line, std::int64_t{2});
    QCOMPARE(refused.error().file, path("long"));
  }
  // A packed file that ends in its middle is damage, not an end.
  void cutOff() {
    auto writer = PackedWriter::create(path("whole.gz")).value();
    QVERIFY(writer->write("a\n" + std::string(100'000, 'b')).ok() && writer->finish().ok());
    const std::string bytes = readFile(path("whole.gz")).value();
    QVERIFY(writeFileAtomically(path("cut.gz"), bytes.substr(0, bytes.size() - 12)).ok());
    auto source = LineSource::open(path("cut.gz")).value();
    std::string line;
    bool failed = false;
    for (auto more = source.next(line); !failed && (failed = !more.ok(), more.ok() && *more);)
      more = source.next(line);
    QVERIFY(failed);
  }

 private:
  std::string path(const char* name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }
  std::vector<std::string> lines(const char* name, const LineLimits& limits) const {
    auto source = LineSource::open(path(name), limits).value();
    std::vector<std::string> all;
    for (std::string line; source.next(line).value();) all.push_back(line);
    return all;
  }
  QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(LineSourceTest)
#include "tst_line_source.moc"
