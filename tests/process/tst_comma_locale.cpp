// SPDX-License-Identifier: Apache-2.0
// What the program writes is the same to the byte where numbers have a decimal comma and grouped digits.
#include <QDir>
#include <QFile>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class CommaLocale : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void figures_data();
  void figures();
  void reviews();

 private:
  // The bytes of what a command wrote, and its output in JSON, without the folder's name.
  QByteArrayList written(bool comma, const QStringList& words, const QStringList& files);
  std::unique_ptr<ProjectFixture> m_fixture;
};

void CommaLocale::initTestCase() {
  if (!QFile::exists(QStringLiteral(FATHOM_BIN_DIR "/../locales/comma/LC_NUMERIC")))
    QSKIP("localedef is not installed: there is no locale with a decimal comma");
  m_fixture = std::make_unique<ProjectFixture>();
  QVERIFY(writeFileAtomically(m_fixture->file("log.csv").toStdString(),
                              "step,loss\n1,3.25\n2000,2.5\n3000,1.125\n")
              .ok());
  const auto imported = m_fixture->fathom(
      {"import-run", "--project", QString::fromStdString(m_fixture->path()), m_fixture->file("log.csv")});
  QVERIFY2(imported.exitCode == 0, qPrintable(imported.err));
}

QByteArrayList CommaLocale::written(bool comma, const QStringList& words, const QStringList& files) {
  QStringList environment = {QStringLiteral("LC_ALL="), QStringLiteral("LANG=C.UTF-8"),
                             QStringLiteral("LOCPATH=" FATHOM_BIN_DIR "/../locales")};
  environment.append(comma ? QStringLiteral("LC_NUMERIC=comma") : QStringLiteral("LC_NUMERIC=C"));
  const ShellResult result = m_fixture->fathom(words, environment);
  if (result.exitCode != 0) qFatal("%s", qPrintable(result.err));
  QByteArrayList all;
  for (const QString& file : files) {
    const auto bytes = readFile(file.toStdString());
    if (!bytes.ok()) qFatal("%s", bytes.error().text().c_str());
    all.append(QByteArray::fromStdString(*bytes));
  }
  return all << result.out.toUtf8();
}

void CommaLocale::figures_data() {
  QTest::addColumn<QString>("ending");
  QTest::addColumn<QStringList>("beside");
  QTest::newRow("tex") << QStringLiteral("tex") << QStringList{"dat", "csv"};
  QTest::newRow("pdf") << QStringLiteral("pdf") << QStringList{"csv"};
  QTest::newRow("svg") << QStringLiteral("svg") << QStringList{"csv"};
}

void CommaLocale::figures() {
  QFETCH(QString, ending);
  QFETCH(QStringList, beside);
  const QString project = QString::fromStdString(m_fixture->path());
  const QString name = QStringLiteral("kept_") + ending;
  QStringList files = {m_fixture->file("figure.") + ending};
  for (const QString& other : beside) files.append(m_fixture->file("figure.") + other);
  // The recipe that is kept has a date of its own: the second and third time it is the same.
  written(false,
          {"export-figure", "--project", project, "--runs", "log", "--set", "metric=loss", "--name", name,
           "--out", files.front()},
          files);
  const QStringList again = {"export-figure", "--project",   project, "--recipe", name,
                             "--out",         files.front(), "--json"};
  const QByteArrayList plain = written(false, again, files);
  QCOMPARE(written(true, again, files), plain);
  QVERIFY(plain[qsizetype(beside.size())].contains("1.125"));
}

void CommaLocale::reviews() {
  const auto put = [this](const char* name, const char* text) {
    return writeFileAtomically(m_fixture->file(name).toStdString(), text).ok();
  };
  QVERIFY(
      put("gold.tsv", "index\tsentence1\tsentence2\tscore\n0\ta\tb\t1.5\n1\tc\td\t4.25\n2\te\tf\t2.75\n"));
  QVERIFY(put("p.tsv", "index\tprediction\n0\t1.25\n1\t3.5\n2\t2.5\n"));
  const QStringList words = {"review",
                             "--kind",
                             "number",
                             "--gold",
                             m_fixture->file("gold.tsv"),
                             "--predictions",
                             m_fixture->file("p.tsv"),
                             "--table",
                             m_fixture->file("t.tex"),
                             "--json"};
  const QByteArrayList plain = written(false, words, {m_fixture->file("t.tex")});
  QCOMPARE(written(true, words, {m_fixture->file("t.tex")}), plain);
}

QTEST_MAIN(CommaLocale)
#include "tst_comma_locale.moc"
