// SPDX-License-Identifier: Apache-2.0
// Habits of any desktop: full screen under F11, a machine that stays awake while it trains if
// they want that, numbers as their country writes them.
#include <QAction>
#include <QCheckBox>
#include <QFile>
#include <QLineEdit>
#include <QLocale>
#include <QTabWidget>
#include <QTest>

#include "app/runner/machine_settings.h"
#include "app/window/main/main_window.h"
#include "app/window/main/preferences_dialog.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class DesktopMannersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void fullScreenUnderF11();
  void stayingAwakeIsAChoice();
  void numbersAreThoseOfTheCountry();

 private:
  bool open() {
    m_window = m_host->openWindow(m_fixture->project());
    return QTest::qWaitForWindowActive(m_window) &&
           waitUntil([this] { return m_window->train()->runModel()->rowCount() == 1; });
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  const QByteArray m_path = qgetenv("PATH");
};

void DesktopMannersTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("one");
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void DesktopMannersTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
  qputenv("PATH", m_path);
  QLocale::setDefault(QLocale::c());
}

// Wherever the keyboard is, and the same key leads back.
void DesktopMannersTest::fullScreenUnderF11() {
  QVERIFY(open());
  const QSize before = m_window->size();
  QVERIFY(!m_window->isFullScreen());
  QTest::keyClick(m_window, Qt::Key_F11);
  QTRY_VERIFY(m_window->isFullScreen());
  QLineEdit* filter = m_window->train()->runs()->filterBox();
  filter->setFocus();
  QTest::keyClick(filter, Qt::Key_F11);
  QTRY_VERIFY(!m_window->isFullScreen());
  QTRY_COMPARE(m_window->size(), before);
}

void DesktopMannersTest::stayingAwakeIsAChoice() {
  const QString folder = m_fixture->project();
  QFile inhibitor(folder + QStringLiteral("/systemd-inhibit"));
  QVERIFY(inhibitor.open(QFile::WriteOnly) && inhibitor.write("#!/bin/sh\n") > 0);
  inhibitor.close();
  QVERIFY(inhibitor.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
  qputenv("PATH", folder.toUtf8() + ':' + m_path);
  QVERIFY(open());
  QVERIFY(machineSettings().keepAwake);  // as long as nobody says otherwise
  m_window->action("file.preferences")->trigger();
  auto* dialog = m_window->findChild<PreferencesDialog*>();
  auto* awake = dialog->findChild<QCheckBox*>(QStringLiteral("preferredAwake"));
  QVERIFY(awake != nullptr);
  auto* pages = dialog->findChild<QTabWidget*>();
  for (int page = 0; page < pages->count(); ++page)
    if (pages->widget(page)->isAncestorOf(awake)) pages->setCurrentIndex(page);
  QVERIFY(awake->isVisible() && awake->isEnabled() && awake->isChecked());
  awake->setFocus();
  QTest::keyClick(awake, Qt::Key_Space);
  QVERIFY(!machineSettings().keepAwake);
  QTest::keyClick(awake, Qt::Key_Space);
  QVERIFY(machineSettings().keepAwake);
}

// On the screen; files have them as C writes them (tests/process/tst_comma_locale.cpp).
void DesktopMannersTest::numbersAreThoseOfTheCountry() {
  QVERIFY(open());
  const RunTableModel* model = m_window->train()->runModel();
  const auto texts = [model] {
    QStringList all;
    for (int column = RunTableModel::FixedColumns; column < model->columnCount(); ++column)
      all.append(model->index(0, column).data().toString());
    return all;
  };
  QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
  const QString german = texts().join(u' ');
  QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  const QString english = texts().join(u' ');
  QVERIFY2(german.contains(u',') && !german.contains(u'.'), qPrintable(german));
  QCOMPARE(QString(german).replace(u',', u'.'), english);
}

QTEST_MAIN(DesktopMannersTest)
#include "tst_desktop_manners.moc"
