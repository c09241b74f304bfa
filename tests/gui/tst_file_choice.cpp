// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileSystemModel>
#include <QTest>
#include <QTimer>

#include "app/window/files/file_choice.h"
#include "app/window/files/plain_file_icons.h"
#include "app/window/session/session_store.h"
#include "tests/gui/support_window_fixture.h"

using namespace fathom;
using test::waitUntil;

// Where file dialogs begin, and that they come back whatever lies in a folder.
class FileChoiceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void pipesAndDevicesAreNotOpened();
  void folderWithPipesIsLeft();
  void beginsBesideTheFile();
  void projectsAreAmongDocuments();

 private:
  QString inside(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
  // Where the dialog of `ask` begins; it is closed without a choice, after `ready` is true of it.
  static QString begins(const std::function<void()>& ask,
                        const std::function<bool(QFileDialog*)>& ready = {});
  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<SessionStore> m_session;
};

void FileChoiceTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_session = std::make_unique<SessionStore>(inside("session.json"));
}

void FileChoiceTest::cleanup() {
  m_session.reset();
  m_folder.reset();
}

QString FileChoiceTest::begins(const std::function<void()>& ask,
                               const std::function<bool(QFileDialog*)>& ready) {
  QString folder;
  bool was = false;
  QTimer::singleShot(0, qApp, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    was = !ready || waitUntil([&] { return ready(dialog); });
    folder = dialog->directory().absolutePath();
    dialog->reject();
  });
  ask();
  return was ? folder : QStringLiteral("the dialog was never ready");
}

// Whoever opened a pipe that nobody writes to would wait for ever.
void FileChoiceTest::pipesAndDevicesAreNotOpened() {
  QCOMPARE(::mkfifo(inside("pipe").toUtf8().constData(), 0600), 0);
  QFile file(inside("plain"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  const PlainFileIcons icons;
  for (const QString& path : {inside("pipe"), inside("plain"), m_folder->path(), QStringLiteral("/proc/kmsg"),
                              QStringLiteral("/dev/zero"), QStringLiteral("/")}) {
    const QFileInfo info(path);
    if (!info.exists()) continue;
    QVERIFY2(!icons.icon(info).isNull(), qPrintable(path));
    QVERIFY2(!icons.type(info).isEmpty(), qPrintable(path));
  }
  QCOMPARE(icons.type(QFileInfo(inside("plain"))), QStringLiteral("File"));
  QVERIFY(icons.type(QFileInfo(inside("pipe"))) != QStringLiteral("File"));
}

void FileChoiceTest::folderWithPipesIsLeft() {
  for (const char* name : {"pipe", "numbers.csv", "dev.json"})
    QCOMPARE(::mkfifo(inside(name).toUtf8().constData(), 0600), 0);
  QFile file(inside("test.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  FileChoice files(m_session.get());
  // What can be read is shown when everything in the folder has been looked at.
  const auto listed = [](QFileDialog* dialog) {
    const auto* model = dialog->findChild<QFileSystemModel*>();
    return model != nullptr && model->rowCount(model->index(dialog->directory().absolutePath())) == 1;
  };
  const QString folder = QDir(m_folder->path()).absolutePath();
  QCOMPARE(begins([&] { QVERIFY(files.toRead(nullptr, FileKind::Data, "Read", inside("pipe")).isEmpty()); },
                  listed),
           folder);
  QCOMPARE(begins([&] { QVERIFY(files.toRead(nullptr, FileKind::Data, "Read", "/proc/self/").isEmpty()); }),
           QStringLiteral("/proc/self"));
}

void FileChoiceTest::beginsBesideTheFile() {
  QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("data/databases")));
  QFile file(inside("data/dev.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  FileChoice files(m_session.get());
  const QString data = QDir(inside("data")).absolutePath();
  QString selected;
  QCOMPARE(begins([&] { (void)files.toRead(nullptr, FileKind::Data, "Read", inside("data/dev.json")); },
                  [&](QFileDialog* dialog) {
                    selected = dialog->selectedFiles().value(0);
                    return true;
                  }),
           data);
  QCOMPARE(QFileInfo(selected).fileName(), QStringLiteral("dev.json"));
  // One that is not there yet, a folder, and several.
  QCOMPARE(begins([&] { (void)files.toWrite(nullptr, FileKind::Table, "Write", inside("data/new.csv")); }),
           data);
  QCOMPARE(begins([&] { (void)files.folder(nullptr, FileKind::Data, "Folder", inside("data/databases")); }),
           data + QStringLiteral("/databases"));
  QCOMPARE(begins([&] {
             (void)files.severalToRead(nullptr, FileKind::Predictions, "Several", {}, inside("data/a.sql"));
           }),
           data);
  // Beside nothing: where the last one of its kind was.
  m_session->setText("folder_data", data);
  QCOMPARE(begins([&] { (void)files.toRead(nullptr, FileKind::Data, "Read"); }), data);
  QCOMPARE(begins([&] { (void)files.toRead(nullptr, FileKind::Data, "Read", "/no/such/folder/x"); }), data);
}

void FileChoiceTest::projectsAreAmongDocuments() {
  const QByteArray home = qgetenv("HOME"), config = qgetenv("XDG_CONFIG_HOME");
  qputenv("HOME", m_folder->path().toUtf8());
  qputenv("XDG_CONFIG_HOME", inside("config").toUtf8());
  FileChoice files(m_session.get());
  QCOMPARE(QDir(files.start(FileKind::Project)).canonicalPath(), QDir(m_folder->path()).canonicalPath());
  QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("Documents")));
  QCOMPARE(QFileInfo(files.start(FileKind::Project)).fileName(), QStringLiteral("Documents"));
  QVERIFY(files.start(FileKind::Data).isEmpty());
  m_session->setText("folder_project", m_folder->path());
  QCOMPARE(files.start(FileKind::Project), m_folder->path());
  qputenv("HOME", home);
  qputenv("XDG_CONFIG_HOME", config);
}

QTEST_MAIN(FileChoiceTest)
#include "tst_file_choice.moc"
