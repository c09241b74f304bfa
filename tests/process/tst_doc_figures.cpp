// SPDX-License-Identifier: Apache-2.0
// Every command line of docs/ that draws a training curve is run, on twelve runs as such a study has them,
// and its picture is looked at: nothing is cut, no page is too high, no text is left out.
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <cmath>
#include <fstream>

#include "core/base/json/json.h"
#include "tests/process/support_command_lines.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class DocFigures : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void picturesAreWhole_data();
  void picturesAreWhole();

 private:
  std::unique_ptr<ProjectFixture> m_fixture;
  QStringList m_runs;
};

void DocFigures::initTestCase() {
  m_fixture = std::make_unique<ProjectFixture>();
  const QString path = m_fixture->file("study.csv");
  std::ofstream csv(path.toStdString());
  csv << "run,step,loss,nll,nll_rule,nll_column,valid.exact_match,valid.masked_accuracy,valid.accuracy,"
         "valid.f1,valid.f1_at_3,valid.joint_f1,valid.ppl\n";
  for (int run = 0; run < 12; ++run) {
    const char* schemes[] = {"Standard", "Pre-LN", "T-Fixup*", "DT-Fixup"};
    const std::string name =
        std::string(schemes[run % 4]) + " " + std::to_string(4 + 10 * (run / 4)) + " layers";
    m_runs.append(QString::fromStdString(name));
    for (int step = 10; step <= 1000; step += 10) {
      const double value = (2 + 8 * std::exp(-step / 200.0)) * (1 + 0.03 * run);
      csv << name << ',' << step << ',' << value << ',' << value << ',' << value / 20 << ',' << value / 5
          << ',';
      if (step == 1000) csv << 10 + run;
      for (int score = 0; score < 6; ++score) csv << ',' << 60 - value - score;
      csv << '\n';
    }
  }
  csv.close();
  const auto imported =
      m_fixture->fathom({"import-run", "--project", QString::fromStdString(m_fixture->path()), path});
  QVERIFY2(imported.exitCode == 0, qPrintable(imported.err));
}

void DocFigures::picturesAreWhole_data() {
  QTest::addColumn<QStringList>("line");
  QTest::addColumn<QString>("style");
  QDirIterator pages(QStringLiteral(FATHOM_SOURCE_DIR "/docs"), {QStringLiteral("*.md")}, QDir::Files);
  int found = 0;
  while (pages.hasNext()) {
    QFile page(pages.next());
    QVERIFY(page.open(QIODevice::ReadOnly));
    QString text = QString::fromUtf8(page.readAll());
    text.replace(QRegularExpression(QStringLiteral("\\\\\\n\\s*")), QString());
    auto lines =
        QRegularExpression(QStringLiteral("fathom export-figure ([^`]*?--out \\S+?)(?:`|\\s*\\n|\\.\\s)"))
            .globalMatch(text);
    while (lines.hasNext()) {
      const QStringList words = test::shellWords(lines.next().captured(1).simplified());
      const qsizetype figure = words.indexOf(QStringLiteral("--figure"));
      const QString named = figure < 0 ? QStringLiteral("training_curve") : words.value(figure + 1);
      if (named != QLatin1String("training_curve") && named != QLatin1String("$figure")) continue;
      ++found;
      for (const char* style : {"acl", "acl_wide", "iclr", "slide"})
        QTest::addRow("%s %d %s", qPrintable(QFileInfo(page).fileName()), found, style)
            << words << QString(style);
    }
  }
  QVERIFY2(found >= 4, qPrintable(QString::number(found)));
}

void DocFigures::picturesAreWhole() {
  QFETCH(QStringList, line);
  QFETCH(QString, style);
  const QString out = m_fixture->file("figure.pdf");
  QStringList words = {"export-figure", "--project", QString::fromStdString(m_fixture->path()),
                       "--json",        "--style",   style};
  for (qsizetype i = 0; i < line.size(); ++i) {
    const QString option = line[i];
    QStringList values;
    while (i + 1 < line.size() && !line[i + 1].startsWith(QLatin1String("--"))) values.append(line[++i]);
    if (option == QLatin1String("--project") || option == QLatin1String("--style")) continue;
    if (option == QLatin1String("--runs")) values = m_runs;
    if (option == QLatin1String("--out")) values = {out};
    if (option == QLatin1String("--figure")) values = {QStringLiteral("training_curve")};
    words << option << values;
  }
  const ShellResult drawn = m_fixture->fathom(words);
  QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.out));
  const Json json = drawn.json();
  QVERIFY2(json.at("texts_cut").empty(), json.dump().c_str());
  QCOMPARE(json.at("too_high_mm").get<double>(), 0.0);
  QVERIFY(!json.contains("would_fit"));
  if (QStandardPaths::findExecutable(QStringLiteral("pdftotext")).isEmpty()) return;
  QProcess reader;
  reader.start(QStringLiteral("pdftotext"), {out, QStringLiteral("-")});
  QVERIFY(reader.waitForFinished(60000));
  const QString text = QString::fromUtf8(reader.readAllStandardOutput());
  QVERIFY2(!text.contains(QChar(0x2026)), qPrintable(text));  // an ellipsis
  QVERIFY2(text.contains(QStringLiteral("DT-Fixup")), qPrintable(text));
}

QTEST_MAIN(DocFigures)
#include "tst_doc_figures.moc"
