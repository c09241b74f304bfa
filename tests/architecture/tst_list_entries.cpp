// SPDX-License-Identifier: Apache-2.0
// A line of a list without its source, and a source whose entry no list names, stop the build by name: each
// list is spoiled both ways in a copy of its folder and handed to CMake.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kListRoot = QStringLiteral(FATHOM_SOURCE_DIR);

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool put(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
         file.write(bytes) == bytes.size();
}

QStringList listFiles() {
  QStringList found;
  for (const char* folder : {"core", "views", "app"}) {
    QDirIterator it(kListRoot + '/' + folder, {"*.list"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) found << QDir(kListRoot).relativeFilePath(it.next());
  }
  found.sort();
  return found;
}

// The sources with entries of the list's folder, where they lie.
bool copyEntries(const QString& list, const QString& to) {
  const QString folder = kListRoot + '/' + list.section('/', 0, -2);
  QDirIterator it(folder, {"*.cpp", "*.list"}, QDir::Files, QDirIterator::Subdirectories);
  int entries = 0;
  while (it.hasNext()) {
    const QString path = it.next();
    const QByteArray bytes = bytesOf(path);
    if (path.endsWith(".cpp") && !bytes.contains("Entry() {")) continue;
    if (!put(to + '/' + QDir(folder).relativeFilePath(path), bytes)) return false;
    ++entries;
  }
  return entries > 1;
}

struct Configured {
  int code = -1;
  QString said;
};

// As fathom_folder() asks for a list; properties of sources mean nothing outside of a project.
Configured configure(const QString& list, const QString& folder) {
  const QString script = folder + "/ask.cmake";
  put(script,
      QStringLiteral(
          "cmake_minimum_required(VERSION 3.25)\nfunction(set_source_files_properties)\nendfunction()\n"
          "set(CMAKE_CURRENT_BINARY_DIR \"%1\")\ninclude(\"%2/cmake/FathomList.cmake\")\n"
          "fathom_list_source(made \"%3\")\n")
          .arg(folder + "/made", kListRoot, list)
          .toUtf8());
  QProcess cmake;
  cmake.setProcessChannelMode(QProcess::MergedChannels);
  cmake.start(QStringLiteral("cmake"), {"-P", script});
  if (!cmake.waitForFinished()) return {};
  return {cmake.exitCode(), QString::fromUtf8(cmake.readAll()).simplified()};
}

}  // namespace

class ListEntriesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void spoiledListsStopTheBuild_data() {
    QTest::addColumn<QString>("list");
    const QStringList lists = listFiles();
    QVERIFY(lists.size() >= 20);
    for (const QString& list : lists) QTest::newRow(qPrintable(list)) << list;
  }

  void spoiledListsStopTheBuild() {
    QFETCH(const QString, list);
    QTemporaryDir folder;
    QVERIFY(copyEntries(list, folder.path() + "/it"));
    const QString copy = folder.path() + "/it/" + list.section('/', -1);
    const QByteArray whole = bytesOf(copy);
    const Configured good = configure(copy, folder.path());
    QVERIFY2(good.code == 0, qPrintable(good.said));

    QVERIFY(put(copy, whole + "\nno_such_source\n"));
    const Configured missing = configure(copy, folder.path());
    QVERIFY2(missing.code != 0 && missing.said.contains("no_such_source"), qPrintable(missing.said));

    QByteArrayList lines = whole.trimmed().split('\n');
    const QString stem = QString::fromUtf8(lines.takeLast().split('#').first().trimmed()).section('/', -1);
    QVERIFY(!stem.isEmpty());
    QVERIFY(put(copy, lines.join('\n') + '\n'));
    const Configured unlisted = configure(copy, folder.path());
    QVERIFY2(unlisted.code != 0 && unlisted.said.contains("'" + stem + "'"), qPrintable(unlisted.said));
  }
};

QTEST_GUILESS_MAIN(ListEntriesTest)
#include "tst_list_entries.moc"
