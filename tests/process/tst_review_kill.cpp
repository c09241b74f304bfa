// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>

#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/review_loader.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "core/base/numbers/random_stream.h"
#include "core/library/records/project_library.h"
#include "core/spider/judgement/spider_error_category.h"
#include "views/panels/errors/prediction_panel.h"

using namespace fathom;

// A window is a process of its own (this program with --window) that reviews the sample with real keys and
// says every category that the window has taken. It is killed with SIGKILL in the middle of the work; nothing
// it said may be missing afterwards.
class ReviewKillTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void nothingIsLost();

 private:
  struct Said {
    int example = 0;
    QString category;
  };
  QVector<Said> reviewUntilKilled(int after, int milliseconds) const;
  std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

template <typename Ready>
bool waitFor(Ready ready) {
  QElapsedTimer clock;
  clock.start();
  while (!ready()) {
    if (clock.elapsed() > 20000) return false;
    QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
  }
  return true;
}

// The child: reviews for ever, round and round.
int review(const QString& project, const QString& session) {
  WindowHost host(session);
  MainWindow* window = host.openWindow(project);
  if (!QTest::qWaitForWindowActive(window) || !waitFor([&] { return window->service()->isReady(); }))
    return 1;
  window->action(QStringLiteral("view.errors"))->trigger();
  waitFor([&] { return window->jobs()->count() == 0; });
  ReviewedPredictions* open = window->errors()->sqlPage()->review();
  if (open->empty()) window->action(QStringLiteral("errors.sample"))->trigger();
  if (!waitFor([&] { return !open->empty(); })) return 2;
  const int hasty = open->models() - 1;
  QTableView* table = window->errors()->sqlPage()->predictions()->table();
  const Qt::Key keys[] = {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4};
  for (int round = 0;; ++round) {
    for (int i = 0; i < open->examples(); ++i) {
      if (!open->isWrong(hasty, i)) continue;
      open->choose(hasty, i, nullptr);
      table->setFocus();
      QTest::keyClick(table, keys[(i + round) % 4]);
      if (!open->isHuman(hasty, i)) return 3;
      std::printf("%d %s\n", i, errorCategoryId(ErrorCategory(open->category(hasty, i))));
      std::fflush(stdout);
    }
  }
}

}  // namespace

void ReviewKillTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  for (const char* name : {"cache", "config", "state", "run"})
    QDir(m_folder->path()).mkdir(QLatin1String(name));
  QFile::setPermissions(m_folder->filePath("run"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  (void)ProjectLibrary::create(m_folder->filePath("p.fathom").toStdString()).value();
}

QVector<ReviewKillTest::Said> ReviewKillTest::reviewUntilKilled(int after, int milliseconds) const {
  QProcess window;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_CACHE_HOME"), m_folder->filePath("cache"));
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder->filePath("config"));
  environment.insert(QStringLiteral("XDG_STATE_HOME"), m_folder->filePath("state"));
  environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder->filePath("run"));
  environment.insert(QStringLiteral("FATHOM_ENGINE"), QStringLiteral(FATHOM_BIN_DIR "/../tests/fake_engine"));
  environment.insert(QStringLiteral("FATHOM_FAKE_DESCRIBE"), QStringLiteral("good"));
  window.setProcessEnvironment(environment);
  window.start(
      QCoreApplication::applicationFilePath(),
      {QStringLiteral("--window"), m_folder->filePath("p.fathom"), m_folder->filePath("session.json")});
  QByteArray out;
  while (out.count('\n') < after && window.waitForReadyRead(30000)) out += window.readAll();
  QTest::qSleep(milliseconds);  // the moment of the kill is what is tried
  window.kill();
  window.waitForFinished();
  out += window.readAll();
  QVector<Said> said;
  for (const QByteArray& line : out.left(out.lastIndexOf('\n')).split('\n')) {
    const QList<QByteArray> words = line.split(' ');
    if (words.size() == 2) said.append({words[0].toInt(), QString::fromLatin1(words[1])});
  }
  return said;
}

void ReviewKillTest::nothingIsLost() {
  RandomStream random(5);
  QHash<int, QString> expected;
  for (int kill = 0; kill < 3; ++kill) {
    const auto said = reviewUntilKilled(6 + int(random.below(40)), int(random.below(12)));
    QVERIFY2(said.size() >= 6, qPrintable(QString::number(said.size())));
    for (const Said& each : said) expected[each.example] = each.category;
    const std::string project = m_folder->filePath("p.fathom").toStdString();
    const auto stored = rememberedReview(project).value();
    QVERIFY(stored.has_value());
    Progress progress;
    const auto open = loadReview(project, *stored, progress, {}).value();
    const std::size_t hasty = open->review.models.size() - 1;
    // One key may have been taken without having been said any more; all others are as they were said last.
    QVector<int> other;
    for (auto it = expected.cbegin(); it != expected.cend(); ++it) {
      const CategoryOverride* human = open->judgements->human(hasty, std::size_t(it.key()));
      QVERIFY2(human != nullptr, qPrintable(QStringLiteral("example %1 is lost").arg(it.key())));
      if (QString::fromStdString(human->category) != it.value()) other.append(it.key());
    }
    QVERIFY2(other.size() <= 1, qPrintable(QStringLiteral("%1 examples are not as said").arg(other.size())));
    QVERIFY(!other.contains(said.last().example));
    for (const int example : other)
      expected[example] =
          QString::fromStdString(open->judgements->human(hasty, std::size_t(example))->category);
  }
}

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  const QStringList words = QApplication::arguments();
  if (words.size() == 4 && words[1] == QLatin1String("--window")) return review(words[2], words[3]);
  ReviewKillTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_review_kill.moc"
