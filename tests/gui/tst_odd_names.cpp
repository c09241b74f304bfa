// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QTableView>
#include <QTest>
#include <QToolTip>

#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/files/file_choice.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/library/records/project_library.h"
#include "tests/gui/support_figures_window.h"
#include "views/look/engine_text.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

namespace {

constexpr int kLetters = 10'000;

const QString kHebrew = QStringLiteral("\u05de\u05d5\u05d3\u05dc \u05e2\u05de\u05d5\u05e7");
// It turns the direction of what follows, and does not end that.
const QString kTurned = QStringLiteral("abc \u202e def \u0646\u0645\u0648\u0630\u062c");

}  // namespace

// Names of thousands of letters and such that are read from right to left: the window keeps its size, and the
// names stay what they are.
class OddNamesTest : public test::FiguresWindowTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }
  void longNamesLeaveTheWindowAsItIs();
  void tipsFitTheScreen_data();
  void tipsFitTheScreen();
  void longNamesOfPagesMakeFileNames();
  void namesFromRightToLeftStay();
  void runsAreRenamedFromRightToLeft();

 private:
  TrainWorkspace* train() const { return m_window->train(); }
  QString longName() const { return QString(kLetters, u'n'); }
  bool openWith(const QStringList& names) {
    for (const QString& name : names) m_fixture->addRun(toUtf8(name));
    return open() && waitUntil([&] { return train()->runModel()->rowCount() == 2 + names.size(); });
  }
  QString uuidOf(const QString& name) const {
    for (const RunItem& run : train()->runModel()->runs())
      if (run.name == name) return run.uuid;
    return {};
  }
};

void OddNamesTest::longNamesLeaveTheWindowAsItIs() {
  const QString words = QStringLiteral("word ").repeated(kLetters / 5) + u'w';
  QVERIFY(openWith({longName(), words}));
  const QSize size = m_window->size();
  const QStringList both = {uuidOf(longName()), uuidOf(words)};
  QVERIFY(!both.contains(QString()));
  m_window->selection()->set(Dimension::Run, both, both.first(), nullptr);
  for (const Qt::Key key : {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4}) {
    QTest::keyClick(m_window, key, Qt::ControlModifier);
    QVERIFY(waitUntil([this] { return m_window->jobs()->count() == 0; }));
    QVERIFY(test::settled(m_window));
    QCOMPARE(m_window->size(), size);
    const int least = m_window->minimumSizeHint().width();
    QVERIFY2(least <= 1024, qPrintable(QStringLiteral("%1: %2").arg(key).arg(least)));
  }
  QTest::keyClick(m_window, Qt::Key_1, Qt::ControlModifier);
  const QTableView* table = train()->runs()->table();
  QVERIFY(table->columnWidth(RunTableModel::Name) <= m_window->width());
  for (int row = 0; row < table->model()->rowCount(); ++row)
    QCOMPARE(table->rowHeight(row), table->rowHeight(0));
}

void OddNamesTest::tipsFitTheScreen_data() {
  QTest::addColumn<QString>("tip");
  QTest::newRow("one word") << QString(kLetters, u'n');
  QTest::newRow("words") << QStringLiteral("word ").repeated(kLetters / 5);
  QTest::newRow("lines") << QStringLiteral("line\n").repeated(kLetters / 5);
}

void OddNamesTest::tipsFitTheScreen() {
  QFETCH(QString, tip);
  QVERIFY(open());
  const auto shown = [] {
    for (QWidget* each : QApplication::topLevelWidgets())
      if (each->inherits("QTipLabel") && each->isVisible()) return static_cast<QLabel*>(each);
    return static_cast<QLabel*>(nullptr);
  };
  for (int time = 0; time < 2; ++time) {  // Qt shows a second tip in the same label
    QToolTip::showText(m_window->mapToGlobal(QPoint(5, 5)), tip, m_window);
    QVERIFY(shown() != nullptr);
    const QSize screen = shown()->screen()->size();
    QVERIFY2(shown()->width() <= screen.width() && shown()->height() <= screen.height(),
             qPrintable(QStringLiteral("%1 x %2").arg(shown()->width()).arg(shown()->height())));
    QVERIFY(shown()->text().startsWith(tip.left(4)));
  }
  QToolTip::showText({}, QStringLiteral("short"), m_window);
  QCOMPARE(shown()->text(), QStringLiteral("short"));
  QToolTip::hideText();
}

void OddNamesTest::longNamesOfPagesMakeFileNames() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  auto* name = figures()->form()->findChild<QLineEdit*>("pageName");
  QVERIFY(name != nullptr);
  name->setFocus();
  name->selectAll();
  name->insert(longName());
  QTest::keyClick(name, Qt::Key_Return);
  QVERIFY(settled());
  const std::size_t letters = page().name.size();
  QVERIFY(letters > 100);
  QVERIFY(m_window->minimumSizeHint().width() <= 1024);
  const QString surrogates = QStringLiteral("\U00020000").repeated(kLetters);
  for (const QString& words : {longName(), QString(kLetters, QChar(0x56fe)), surrogates}) {
    const QString file = m_fixture->project() + u'/' + FileChoice::nameOf(words) + QStringLiteral(".pdf");
    figures()->exportPage(file);
    QVERIFY(settled());
    QVERIFY2(QFileInfo(file).size() > 1000, qPrintable(QFileInfo(file).fileName()));
  }
  QCOMPARE(page().name.size(), letters);
}

// In the table, in the library and in the files of a figure.
void OddNamesTest::namesFromRightToLeftStay() {
  QVERIFY(openWith({kHebrew, kTurned}));
  const QStringList both = {uuidOf(kHebrew), uuidOf(kTurned)};
  QVERIFY(!both.contains(QString()));
  m_window->selection()->set(Dimension::Run, both, both.first(), nullptr);
  QTest::keyClick(m_window, Qt::Key_1, Qt::ControlModifier);
  QLineEdit* filter = train()->runs()->filterBox();
  QTest::keyClick(m_window, Qt::Key_F, Qt::ControlModifier);
  filter->setText(kHebrew.left(4));
  const auto* table = train()->runs()->table();
  QVERIFY(waitUntil([&] { return table->model()->rowCount() == 1; }));
  QCOMPARE(table->model()->index(0, RunTableModel::Name).data(RunTableModel::UuidRole).toString(),
           both.first());
  filter->clear();
  QTest::keyClick(m_window, Qt::Key_4, Qt::ControlModifier);
  QVERIFY(settled());
  QVERIFY(add("training_curve"));
  for (const char* ending : {"pdf", "svg", "png"}) {
    const QString file = m_fixture->project() + QStringLiteral("/page.") + QLatin1String(ending);
    figures()->exportPage(file);
    QVERIFY(settled());
    QVERIFY2(QFileInfo(file).size() > 1000, ending);
  }
  const auto numbers = readFile(projectPath() + "/page.csv");
  QVERIFY(numbers.ok());
  QVERIFY(numbers->find(toUtf8(kHebrew)) != std::string::npos);
}

void OddNamesTest::runsAreRenamedFromRightToLeft() {
  QVERIFY(open());
  QTest::keyClick(m_window, Qt::Key_1, Qt::ControlModifier);
  const QString uuid = uuidOf(QStringLiteral("first"));
  QVERIFY(!uuid.isEmpty());
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QTableView* table = train()->runs()->table();
  table->setFocus();
  for (int row = 0; row < table->model()->rowCount(); ++row) {
    const QModelIndex name = table->model()->index(row, RunTableModel::Name);
    if (name.data(RunTableModel::UuidRole).toString() == uuid) table->setCurrentIndex(name);
  }
  QTest::keyClick(table, Qt::Key_F2);
  auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  QVERIFY(editor != nullptr);
  editor->selectAll();
  editor->insert(kTurned);
  QTest::keyClick(editor, Qt::Key_Return);
  QVERIFY(waitUntil([&] { return train()->runModel()->run(uuid)->name == kTurned; }));
  const auto library = ProjectLibrary::open(projectPath()).value();
  QVERIFY(waitUntil([&] { return library->allRunNotes().value()[toUtf8(uuid)].name == toUtf8(kTurned); }));
}

QTEST_MAIN(OddNamesTest)
#include "tst_odd_names.moc"
