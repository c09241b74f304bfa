// SPDX-License-Identifier: Apache-2.0
// Arrays of attention come in by menu and by dropping: what they hold is shown before anything is stored.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QTest>

#include "app/window/imports/attention_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/record/formats/array_file.h"
#include "core/record/results/analysis_store.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class AttentionDialogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void droppedArraysBecomeResultsOfARun();
  void faultsAreSaidBeforeAnythingIsStored();
  void aNamelessArrayIsAskedFor();
  void filesAreTakenOut();
  void anUnknownStateIsRefused();

 private:
  bool open();
  // Two layers, one example, one head, three queries and keys, each looking at all alike.
  QString arrays(const char* name) const {
    const QString path = m_fixture->project() + QLatin1Char('/') + QLatin1String(name);
    const std::vector<float> even(2UL * 1 * 3 * 3, 1.0F / 3);
    writeArrayFile(path.toStdString(), {2, 1, 3, 3}, even).value();
    return path;
  }
  AttentionDialog* drop(const QStringList& paths);
  static bool idle(const AttentionDialog* dialog) {
    return waitUntil([dialog] { return dialog->isIdle(); });
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  std::string m_run;
};

void AttentionDialogTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("other");
  m_run = m_fixture->addRun("mine");
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void AttentionDialogTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

bool AttentionDialogTest::open() {
  m_window = m_host->openWindow(m_fixture->project());
  const auto* model = m_window->train()->runModel();
  if (!QTest::qWaitForWindowActive(m_window) || !waitUntil([&] { return model->rowCount() == 2; }))
    return false;
  const QString uuid = QString::fromStdString(RunFolder(m_run).identity()->uuid);
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  return waitUntil([this] { return m_window->jobs()->count() == 0; });
}

AttentionDialog* AttentionDialogTest::drop(const QStringList& paths) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& path : paths) urls.append(QUrl::fromLocalFile(path));
  data.setUrls(urls);
  const QPoint at = m_window->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &enter);
  QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &event);
  AttentionDialog* dialog = nullptr;
  return waitUntil([&] { return (dialog = m_window->findChild<AttentionDialog*>()) != nullptr; }) &&
                 QTest::qWaitForWindowActive(dialog) && idle(dialog)
             ? dialog
             : nullptr;
}

void AttentionDialogTest::droppedArraysBecomeResultsOfARun() {
  QVERIFY(open());
  AttentionDialog* dialog = drop({arrays("encoder.self_attention.npy")});
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->files()->count(), 1);
  QVERIFY2(dialog->summary().contains("encoder self-attention"), qPrintable(dialog->summary()));
  QVERIFY2(dialog->summary().contains("tokens: 3"), qPrintable(dialog->summary()));
  QCOMPARE(dialog->run()->currentText(), QStringLiteral("mine"));  // the selected one
  QCOMPARE(dialog->state()->currentText(), QStringLiteral("20"));  // as far as it came
  QVERIFY(!QDir(QString::fromStdString(RunFolder(m_run).analysesPath())).exists() ||
          QDir(QString::fromStdString(RunFolder(m_run).analysesPath())).isEmpty());
  QVERIFY(dialog->importButton()->isEnabled());
  QTest::mouseClick(dialog->importButton(), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return m_window->findChild<AttentionDialog*>() == nullptr; }));
  QVERIFY(waitUntil([this] { return m_window->messages()->currentText().contains("mine"); }));
  QVERIFY(!QDir(QString::fromStdString(RunFolder(m_run).analysesPath())).isEmpty());
  QVERIFY(m_window->action("view.attention")->isChecked());
}

void AttentionDialogTest::faultsAreSaidBeforeAnythingIsStored() {
  QVERIFY(open());
  const QString broken = m_fixture->project() + QStringLiteral("/decoder.self_attention.npy");
  QFile file(broken);
  QVERIFY(file.open(QFile::WriteOnly) && file.write("no array") > 0);
  file.close();
  AttentionDialog* dialog = drop({broken});
  QVERIFY(dialog != nullptr);
  QVERIFY2(dialog->summary().contains(broken), qPrintable(dialog->summary()));
  QVERIFY(!dialog->importButton()->isEnabled());
  // Tokens that are not there.
  dialog->add({arrays("encoder.self_attention.npy")});
  dialog->files()->setCurrentRow(0);
  for (auto* button : dialog->findChildren<QPushButton*>())
    if (button->text().remove(u'&') == QStringLiteral("Remove")) QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->importButton()->isEnabled(); }));
  dialog->tokens()->setFocus();
  QTest::keyClicks(dialog->tokens(), QStringLiteral("/nowhere/tokens.json"));
  QVERIFY(waitUntil([&] { return dialog->isIdle() && !dialog->importButton()->isEnabled(); }));
  QVERIFY2(dialog->summary().contains("/nowhere/tokens.json"), qPrintable(dialog->summary()));
  dialog->tokens()->selectAll();
  QTest::keyClick(dialog->tokens(), Qt::Key_Delete);
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->importButton()->isEnabled(); }));
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(waitUntil([this] { return m_window->findChild<AttentionDialog*>() == nullptr; }));
}

// The reader's words for the shell are those of the fields.
void AttentionDialogTest::aNamelessArrayIsAskedFor() {
  QVERIFY(open());
  AttentionDialog* dialog = drop({arrays("mine.npy")});
  QVERIFY(dialog != nullptr);
  QVERIFY2(!dialog->importButton()->isEnabled() && !dialog->summary().contains("--"),
           qPrintable(dialog->summary()));
  QComboBox* stack = nullptr;
  for (auto* box : dialog->findChildren<QComboBox*>())
    if (box->accessibleName() == QStringLiteral("Stack")) stack = box;
  QVERIFY(stack != nullptr && stack->isEnabled());
  stack->setFocus();
  QTest::keyClick(stack, Qt::Key_Down);
  QTest::keyClick(stack, Qt::Key_Down);
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->importButton()->isEnabled(); }));
  QVERIFY2(dialog->summary().contains("decoder self-attention"), qPrintable(dialog->summary()));
}

void AttentionDialogTest::filesAreTakenOut() {
  QVERIFY(open());
  m_window->action("file.import_attention")->trigger();
  auto* dialog = m_window->findChild<AttentionDialog*>();
  QVERIFY(dialog != nullptr && idle(dialog));
  QVERIFY2(dialog->summary().contains(".npy"), qPrintable(dialog->summary()));
  QVERIFY(!dialog->importButton()->isEnabled());
  dialog->add({arrays("encoder.self_attention.npy"), arrays("encoder.self_attention.npy")});
  QCOMPARE(dialog->files()->count(), 1);  // each once
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->importButton()->isEnabled(); }));
}

void AttentionDialogTest::anUnknownStateIsRefused() {
  QVERIFY(open());
  AttentionDialog* dialog = drop({arrays("encoder.self_attention.npy")});
  QVERIFY(dialog != nullptr);
  dialog->state()->setFocus();
  dialog->state()->lineEdit()->selectAll();
  QTest::keyClicks(dialog->state()->lineEdit(), QStringLiteral("yesterday"));
  QTest::mouseClick(dialog->importButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return dialog->summary().contains("yesterday"); }));
  QVERIFY(dialog->isVisible());
}

QTEST_MAIN(AttentionDialogTest)
#include "tst_attention_dialog.moc"
