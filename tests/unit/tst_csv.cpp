// SPDX-License-Identifier: Apache-2.0
// The one reader and writer of CSV, and the one check of UTF-8.
#include <QTest>

#include "core/base/text/csv.h"
#include "core/base/text/utf8.h"

namespace fathom {

class CsvTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void rows_data();
  void rows();
  void separators();
  void looksLikeCsv();
  void pieces();
  void lines();
  void refused_data();
  void refused();
  void roundTrip();
  void utf8();
};

// Of a text that comes `step` bytes at a time.
Result<std::vector<CsvRow>> readInPieces(std::string_view text, std::size_t step, char separator) {
  const auto source = [&](char* bytes, std::size_t most) -> Result<std::size_t> {
    const std::size_t count = std::min({text.size(), most, step});
    text.copy(bytes, count);
    text.remove_prefix(count);
    return count;
  };
  CsvReader reader(source, "file.csv", separator);
  std::vector<CsvRow> rows;
  for (CsvRow row;;) {
    FATHOM_TRY(const bool more, reader.next(row));
    if (!more) return rows;
    rows.push_back(row);
  }
}

void CsvTest::rows_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QList<QStringList>>("rows");
  using Rows = QList<QStringList>;
  QTest::newRow("plain") << QByteArray("a,b\n1,2\n") << Rows{{"a", "b"}, {"1", "2"}};
  QTest::newRow("no last end") << QByteArray("a,b\n1,") << Rows{{"a", "b"}, {"1", ""}};
  QTest::newRow("CRLF, CR, empty lines")
      << QByteArray("a,b\r\n\r\n1,2\r3,4\n\n") << Rows{{"a", "b"}, {"1", "2"}, {"3", "4"}};
  QTest::newRow("quotes") << QByteArray("\"a,\"\"b\"\"\",\"c\nd\"\n") << Rows{{"a,\"b\"", "c\nd"}};
  QTest::newRow("behind a quote") << QByteArray("\"a\"b,c\n") << Rows{{"ab", "c"}};
  QTest::newRow("quote inside") << QByteArray("a\"b,c\n") << Rows{{"a\"b", "c"}};
  QTest::newRow("an empty field, not an empty line")
      << QByteArray("sql\n\"\"\nx\n") << Rows{{"sql"}, {""}, {"x"}};
  QTest::newRow("byte order mark") << QByteArray(
                                          "\xEF\xBB\xBF"
                                          "a,b\n")
                                   << Rows{{"a", "b"}};
  QTest::newRow("nothing") << QByteArray() << Rows{};
}

void CsvTest::rows() {
  QFETCH(QByteArray, text);
  QFETCH(QList<QStringList>, rows);
  const auto read = parseCsv(text.toStdString(), "file.csv").value();
  QCOMPARE(static_cast<qsizetype>(read.size()), rows.size());
  for (qsizetype i = 0; i < rows.size(); ++i) {
    QStringList fields;
    for (const std::string& field : read[static_cast<std::size_t>(i)])
      fields << QString::fromStdString(field);
    QCOMPARE(fields, rows[i]);
  }
}

void CsvTest::separators() {
  QCOMPARE(readInPieces("a;b;c,d\n1;2;3\n", 100, CsvReader::kGuessSeparator).value()[1].size(),
           std::size_t{3});
  QCOMPARE(readInPieces("a\tb\n1\t2,5\n", 100, CsvReader::kGuessSeparator).value()[1][1], std::string("2,5"));
  QCOMPARE(readInPieces("a;b;c,d\n", 100, ',').value()[0].size(), std::size_t{2});
}

// One odd row of four is a fault of a table; of a text with commas most rows are odd.
void CsvTest::looksLikeCsv() {
  const auto of = [](const std::string& text) { return csvSeparator(text).value_or('-'); };
  QCOMPARE(of("a,b\n"), ',');
  QCOMPARE(of("a;b\n1;2,5\n"), ';');
  QCOMPARE(of("a,b\n\"1\n,\",2\n"), ',');
  QCOMPARE(of("a,b\n1,2\n3,4\n5\n"), ',');
  QCOMPARE(of("a,b\n1,2\n3,4\n\"5,6\n"), ',');
  QCOMPARE(of("a,b\n1,2\n3\n"), '-');
  QCOMPARE(of("a,b\n\"1,2\n"), '-');
  QCOMPARE(of("\"a,b\n"), '-');
  QCOMPARE(of("a\n1\n"), '-');
  QCOMPARE(of("a\tb,c\n1\t2\n"), '-');
  QCOMPARE(of("well, no\nyes\nnever, ever, again\nno, no\n"), '-');
  QCOMPARE(of(""), '-');
  // What is beyond the part that is looked at says nothing.
  const std::string wide(90000, 'x');
  QCOMPARE(of("a,b\n" + wide + ",1\n" + wide + ",2\n" + wide + ",3\n"), ',');
  QCOMPARE(of("a,b\n" + wide + ",1\n\"" + wide + wide + "\",3\n"), ',');
  QCOMPARE(of("a,b\n\"" + wide + wide + wide + "\",3\n"), '-');
}

void CsvTest::pieces() {
  const std::string text = "a,b\r\n\"x\"\"y\",2\r3,\"\r\n\"\n";
  const auto whole = readInPieces(text, text.size(), ',').value();
  QCOMPARE(whole.size(), std::size_t{3});
  for (std::size_t step = 1; step < 6; ++step) QCOMPARE(readInPieces(text, step, ',').value(), whole);
}

void CsvTest::lines() {
  std::string_view text = "a,b\n\"1\n2\",3\n4,5\n";
  CsvReader reader(
      [&](char* bytes, std::size_t most) -> Result<std::size_t> {
        const std::size_t count = text.copy(bytes, most);
        text.remove_prefix(count);
        return count;
      },
      "file.csv");
  CsvRow row;
  for (const std::int64_t line : {1, 2, 4}) {
    QVERIFY(reader.next(row).value());
    QCOMPARE(reader.line(), line);
  }
  QVERIFY(!reader.next(row).value());
}

void CsvTest::refused_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("line");
  QTest::addColumn<QString>("words");
  QTest::newRow("open quote") << QByteArray("a,b\n1,\"2\n") << 2 << "a quote is never closed";
  QTest::newRow("zero byte") << QByteArray("a,b\n1,\0\n", 8) << 2 << "zero byte";
  QTest::newRow("not UTF-8") << QByteArray("a,b\n1,2\n3,\xFF\n") << 3 << "column 2 is not valid UTF-8";
  QTest::newRow("UTF-16") << QByteArray(
                                 "\xFF\xFE"
                                 "a")
                          << 1 << "UTF-16";
  QTest::newRow("many columns") << QByteArray(5000, ',') << 1 << "more than 4096 columns";
  QTest::newRow("long field") << QByteArray(1'100'000, 'x') << 1 << "a field is longer than 1 MB";
}

void CsvTest::refused() {
  QFETCH(QByteArray, text);
  QFETCH(int, line);
  QFETCH(QString, words);
  const auto read = parseCsv(text.toStdString(), "file.csv");
  QVERIFY(!read.ok());
  QCOMPARE(read.error().kind, ErrorKind::Data);
  QCOMPARE(read.error().file, std::string("file.csv"));
  QCOMPARE(read.error().line, std::int64_t{line});
  QVERIFY2(read.error().message.find(words.toStdString()) != std::string::npos, read.error().message.c_str());
}

void CsvTest::roundTrip() {
  const std::vector<CsvRow> rows = {
      {"plain", "with, comma", "with \"quotes\""}, {"two\nlines", "", "ü"}, {"", ""}};
  const std::string text = csvText(rows);
  QCOMPARE(text, std::string("plain,\"with, comma\",\"with \"\"quotes\"\"\"\n\"two\nlines\",,ü\n,\n"));
  QCOMPARE(parseCsv(text, "").value(), rows);
}

void CsvTest::utf8() {
  for (const char* good : {"", "a", "ä€𝄞", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"})
    QVERIFY2(validUtf8(good), good);
  // Overlong forms, surrogates, above U+10FFFF, cut, alone.
  for (const char* bad : {"\xC0\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xF5\x80\x80\x80", "\xE2\x82", "\x80", "a\xFF"})
    QVERIFY2(!validUtf8(bad), bad);
  QCOMPARE(firstInvalidUtf8("ab\xFF"), std::size_t{2});
}

}  // namespace fathom

using fathom::CsvTest;
QTEST_APPLESS_MAIN(CsvTest)
#include "tst_csv.moc"
