// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/lines/line_reader.h"
#include "core/base/lines/line_source.h"

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
    auto source = LineSource::open(path("long"), {.maxBytes = 10, .longer = LongLine::LeftOut}).value();
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
  // Wherever a text is cut into pieces, its lines are the same; a longer one is marked, its beginning given.
  void anyPieces() {
    const std::string text = "one\r\n\n1234567\r\n12345678\n123456789\r\ntorn";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
      LineCutter cutter(7, true);
      std::vector<std::string> given;
      LineCutter::Line line;
      const auto take = [&] { given.push_back(std::string(line.text) + (line.tooLong ? "+" : "")); };
      for (std::size_t at = 0; at < text.size(); at += piece) {
        std::string_view rest = std::string_view(text).substr(at, piece);
        while (cutter.next(rest, line)) take();
        QVERIFY(rest.empty());
      }
      if (cutter.rest(line)) take();
      QVERIFY(!cutter.rest(line));
      QCOMPARE(given, (std::vector<std::string>{"one", "", "1234567", "1234567+", "1234567+", "torn"}));
    }
  }
  // Damage is known by its kind, and the hash is that of the file as it lies there.
  void faultsAndHash() {
    auto writer = PackedWriter::create(path("summed.gz")).value();
    QVERIFY(writer->write("a\nb\n").ok() && writer->finish().ok());
    const std::string bytes = readFile(path("summed.gz")).value();
    const auto fault = [](std::string_view packed) {
      const auto reader = PackedReader::over(packed, "made").value();
      std::string into(100, ' ');
      auto got = reader->read(into.data(), into.size());
      while (got.ok() && *got > 0) got = reader->read(into.data(), into.size());
      return reader->fault();
    };
    QVERIFY(!fault(bytes));
    QVERIFY(fault(bytes.substr(0, bytes.size() - 1))->kind == PackedFault::Kind::EndsEarly);
    QVERIFY(fault(bytes + "x")->kind == PackedFault::Kind::NotPacked);
    QCOMPARE(fault(bytes + "x")->byte, std::uint64_t{bytes.size() + 1});
    std::string damaged = bytes;
    damaged[damaged.size() - 5] ^= 1;
    QVERIFY(fault(damaged)->kind == PackedFault::Kind::Damaged);
    LineReader lines = LineReader::open(path("summed.gz")).value();
    LineReader::Line line;
    while (lines.next(line).value()) continue;
    QCOMPARE(lines.sha256(), sha256OfFile(path("summed.gz")).value());
    QCOMPARE(lines.readBytes(), std::int64_t(bytes.size()));
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
