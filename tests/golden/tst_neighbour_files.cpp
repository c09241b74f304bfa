// SPDX-License-Identifier: Apache-2.0
// What goes beside a figure replaces files of Fathom's and no others.
#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "support_figure_gallery.h"
#include "views/figure/figure_csv.h"
#include "views/figures/figure_entry.h"
#include "views/files/figure_export.h"
#include "views/files/latex_table.h"
#include "views/files/neighbour_file.h"

using namespace fathom;

class NeighbourFilesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void otherPeoplesFilesStay_data();
  void otherPeoplesFilesStay();
  void ownFilesAreReplacedAndNamed();
  void tablesAreKnownByTheirHead();
  void whatCannotBeLookedAtStays();

 private:
  std::string path(const std::string& name) const { return (m_folder.path().toStdString() + "/") + name; }
  static Status exported(const std::string& path, FigureChecks* found = nullptr) {
    FigureRecipe recipe;
    recipe.figure = "training_curve";
    recipe.style = "acl_wide";
    recipe.created = "2026-01-01T00:00:00Z";
    return exportBuilt(recipe, gallery::everyMark(), path, found);
  }
  QTemporaryDir m_folder;
};

void NeighbourFilesTest::otherPeoplesFilesStay_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<QString>("theirs");
  QTest::addColumn<QByteArray>("bytes");
  const QByteArray log = "step,loss\n1,3\n2,2\n";
  for (const char* ending : {"pdf", "svg", "png", "tex"})
    QTest::newRow(ending) << QStringLiteral("a.") + QLatin1String(ending) << QStringLiteral("a.csv") << log;
  QTest::newRow("data") << QStringLiteral("a.tex") << QStringLiteral("a.dat") << QByteArray("mine\n");
  QTest::newRow("data like ours") << QStringLiteral("a.tex") << QStringLiteral("a.dat")
                                  << QByteArray("m0x m0y m1\n1 2 3\n");
  QTest::newRow("picture") << QStringLiteral("a.tex") << QStringLiteral("a-1.png")
                           << QByteArray("\x89PNG no more");
  QTest::newRow("empty") << QStringLiteral("a.pdf") << QStringLiteral("a.csv") << QByteArray();
  QTest::newRow("a column more") << QStringLiteral("a.pdf") << QStringLiteral("a.csv")
                                 << QByteArray(kFigureCsvHead).trimmed() + ",mine\n";
}

void NeighbourFilesTest::otherPeoplesFilesStay() {
  QFETCH(QString, figure);
  QFETCH(QString, theirs);
  QFETCH(QByteArray, bytes);
  QTemporaryDir folder;
  const std::string file = folder.filePath(theirs).toStdString();
  QVERIFY(writeFileAtomically(file, bytes.toStdString()).ok());
  const Status status = exported(folder.filePath(figure).toStdString());
  QVERIFY(!status.ok());
  QVERIFY(status.error().resource == ResourceKind::Unavailable && status.error().file == file);
  QCOMPARE(QByteArray::fromStdString(readFile(file).value()), bytes);
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{theirs});
}

void NeighbourFilesTest::ownFilesAreReplacedAndNamed() {
  for (const char* ending : {".pdf", ".tex", ".svg", ".tex"}) {
    FigureChecks found;
    const std::string figure = path("own") + ending;
    const Status status = exported(figure, &found);
    QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
    QCOMPARE(found.files.front(), figure);
    QCOMPARE(found.files.back(), path("own.csv"));
    for (const std::string& file : found.files) QVERIFY(std::filesystem::exists(file));
    QCOMPARE(found.files.size(), std::string(ending) == ".tex" ? std::size_t{4} : std::size_t{2});
  }
  QVERIFY(!QImage(QString::fromStdString(path("own-1.png"))).isNull());
  // The numbers alone are what was asked for.
  FigureChecks alone;
  QVERIFY(writeFileAtomically(path("asked.csv"), "mine\n").ok());
  QVERIFY(exported(path("asked.csv"), &alone).ok());
  QCOMPARE(alone.files, std::vector<std::string>{path("asked.csv")});
}

void NeighbourFilesTest::tablesAreKnownByTheirHead() {
  PaperTable table;
  table.columns = {{"system"}, {"wrong, in %", 1}, {"missing", 0}};
  table.rows = {{std::string("a"), 1.5, 0.0}};
  const std::string plain = csvTable(table).value(), own = withOwnHead(plain);
  QCOMPARE(own, "\"system\"" + plain.substr(std::string("system").size()));
  QVERIFY(own.starts_with("\"system\",\"wrong, in %\",missing\r\n"));
  const std::string file = path("table.csv");
  QVERIFY(writeFileAtomically(file, own).ok());
  QVERIFY(checkNeighbour(file).ok());
  // A table that somebody made, and one of R, which quotes every name.
  for (const std::string& theirs : {plain, std::string("\"system\",\"wrong\"\r\n1,2\r\n")}) {
    QVERIFY(writeFileAtomically(file, theirs).ok());
    QVERIFY(!checkNeighbour(file).ok());
  }
}

void NeighbourFilesTest::whatCannotBeLookedAtStays() {
  std::filesystem::create_symlink("loop.csv", path("loop.csv"));
  std::filesystem::create_symlink("nowhere", path("dangling.csv"));
  std::filesystem::create_directory(path("folder.csv"));
  for (const char* name : {"loop", "dangling", "folder"})
    QVERIFY(!exported(path(name) + ".pdf").ok() && !std::filesystem::exists(path(name) + ".pdf"));
  QVERIFY(checkNeighbour(path("absent.csv")).ok());
}

QTEST_MAIN(NeighbourFilesTest)
#include "tst_neighbour_files.moc"
