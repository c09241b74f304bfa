// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QComboBox>
#include <QDesktopServices>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>

#include "app/window/files/file_choice.h"
#include "core/library/figures/style_sheet.h"
#include "tests/gui/support_figures_window.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;

// Takes what the desktop would open.
class OpenedFiles : public QObject {
  Q_OBJECT
 public:
  OpenedFiles() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "take"); }
  ~OpenedFiles() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
  QStringList paths;
 public Q_SLOTS:
  void take(const QUrl& url) { paths.append(url.toLocalFile()); }
};

// Pages, their files and looks as they are kept, opened and shown.
class PageFilesTest : public test::FiguresWindowTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }
  void oneClickOpensAPage();
  void filesAreOpenedAndShown();
  void namesOfFilesHaveNoBlanks();
  void looksAreKeptAndTaken();
  void undoOfALookStaysInItsProject();
  void figuresOfOneKindHaveAPictureEach();
};

void PageFilesTest::oneClickOpensAPage() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  const std::string first = page().uuid;
  m_window->action("figures.new")->trigger();
  QVERIFY(settled());
  QVERIFY(page().uuid != first);
  QTreeWidget* tree = figures()->list()->tree();
  QTreeWidgetItem* item = tree->topLevelItem(0)->child(0);
  QCOMPARE(item->text(0), QStringLiteral("Figure 1"));
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(item).center());
  QVERIFY(settled());
  QCOMPARE(page().uuid, first);
}

void PageFilesTest::filesAreOpenedAndShown() {
  OpenedFiles opened;
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  const QString file = m_fixture->project() + QStringLiteral("/page.pdf");
  const auto press = [this](const char* words) {
    for (QPushButton* button : m_window->messages()->findChildren<QPushButton*>())
      if (button->isVisible() && button->text() == QLatin1String(words)) {
        QTest::mouseClick(button, Qt::LeftButton);
        return true;
      }
    return false;
  };
  figures()->exportPage(file);
  QVERIFY(settled());
  QVERIFY2(m_window->messages()->currentText().contains(file),
           qPrintable(m_window->messages()->currentText()));
  QVERIFY(press("Open"));
  QCOMPARE(opened.paths, QStringList{file});
  figures()->exportPage(file);
  QVERIFY(settled());
  QVERIFY(press("Show in folder"));
  QCOMPARE(opened.paths.last(), QFileInfo(file).absolutePath());
  // One that is gone is said.
  figures()->exportPage(file);
  QVERIFY(settled());
  QVERIFY(QFile::remove(file));
  QVERIFY(press("Open"));
  QCOMPARE(opened.paths.size(), 2);
  QVERIFY2(m_window->messages()->currentText().contains(QStringLiteral("is not there any more")),
           qPrintable(m_window->messages()->currentText()));
}

void PageFilesTest::namesOfFilesHaveNoBlanks() {
  QCOMPARE(FileChoice::nameOf(QStringLiteral("Main  result: loss/time")),
           QStringLiteral("Main_result_loss_time"));
  QCOMPARE(FileChoice::nameOf(QStringLiteral("-rf *")), QStringLiteral("rf"));
  QCOMPARE(FileChoice::nameOf(QStringLiteral("...")), QStringLiteral("figure"));
  QCOMPARE(FileChoice::nameOf(QString()), QStringLiteral("figure"));
  QCOMPARE(FileChoice::nameOf(QStringLiteral("图 1")), QStringLiteral("图_1"));
  QCOMPARE(FileChoice::nameOf(QStringLiteral("post-ln_2.1")), QStringLiteral("post-ln_2.1"));
}

void PageFilesTest::looksAreKeptAndTaken() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  auto* width = figures()->form()->findChild<QDoubleSpinBox*>("pageWidth");
  auto* styles = figures()->form()->findChild<QComboBox*>("pageStyle");
  auto* more = figures()->form()->findChild<QToolButton*>("styleSheets");
  const auto fromMenu = [more](Qt::Key key) {
    more->menu()->popup(more->mapToGlobal(QPoint(0, more->height())));
    QTest::keyClick(more->menu(), key);
  };
  width->setValue(120);
  QVERIFY(settled());
  fromMenu(Qt::Key_K);
  QInputDialog* dialog = nullptr;
  QTRY_VERIFY((dialog = m_window->findChild<QInputDialog*>()) != nullptr && dialog->isVisible());
  QTest::keyClicks(dialog->findChild<QLineEdit*>(), "Thesis");
  QTest::keyClick(dialog, Qt::Key_Return);
  QVERIFY(settled());
  QCOMPARE(styles->currentText(), QStringLiteral("Thesis"));
  // Another page takes it in one step of undo.
  m_window->action("figures.new")->trigger();
  QVERIFY(add("training_curve"));
  QCOMPARE(page().widthMm, 0.0);
  styles->setFocus();
  const int sheet = styles->findText(QStringLiteral("Thesis"));
  QVERIFY(sheet > 0);
  while (styles->currentIndex() < sheet) QTest::keyClick(styles, Qt::Key_Down);
  QCOMPARE(page().widthMm, 120.0);
  QVERIFY(settled());
  // It is the project's, and gone when it is deleted; the page keeps its look. Undo brings it back.
  const auto library = ProjectLibrary::open(projectPath()).value();
  QCOMPARE(styleSheets(*library).value().at(0).widthMm, 120.0);
  fromMenu(Qt::Key_D);
  QVERIFY(settled());
  QVERIFY(styleSheets(*library).value().empty());
  QCOMPARE(page().widthMm, 120.0);
  QCOMPARE(styles->findText(QStringLiteral("Thesis")), -1);
  for (QPushButton* button : m_window->messages()->findChildren<QPushButton*>())
    if (button->isVisible()) QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(settled());
  QCOMPARE(styleSheets(*library).value().size(), std::size_t{1});
  QCOMPARE(styles->currentText(), QStringLiteral("Thesis"));
}

// The message with the offer may outlive the project in the window.
void PageFilesTest::undoOfALookStaysInItsProject() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  auto* more = figures()->form()->findChild<QToolButton*>("styleSheets");
  more->menu()->popup(more->mapToGlobal(QPoint(0, more->height())));
  QTest::keyClick(more->menu(), Qt::Key_K);
  QInputDialog* dialog = nullptr;
  QTRY_VERIFY((dialog = m_window->findChild<QInputDialog*>()) != nullptr && dialog->isVisible());
  QTest::keyClicks(dialog->findChild<QLineEdit*>(), "Thesis");
  QTest::keyClick(dialog, Qt::Key_Return);
  QVERIFY(settled());
  QPushButton* undo = nullptr;
  for (QPushButton* button : m_window->messages()->findChildren<QPushButton*>())
    if (button->isVisible() && button->text() == QStringLiteral("Undo")) undo = button;
  QVERIFY(undo != nullptr);
  QPointer<QPushButton> offer = undo;
  const QString other = m_fixture->project() + QStringLiteral("2");
  m_window->openProject(other, true);
  QVERIFY(test::waitUntil(
      [&] { return m_window->service()->path() == other && m_window->service()->isReady() && settled(); }));
  const auto mine = ProjectLibrary::open(projectPath()).value();
  const auto theirs = ProjectLibrary::open(other.toStdString()).value();
  QCOMPARE(styleSheets(*mine)->size(), std::size_t{1});
  QVERIFY(offer != nullptr && offer->isVisible());
  QTest::mouseClick(offer, Qt::LeftButton);
  QTRY_COMPARE(styleSheets(*mine)->size(), std::size_t{0});
  QVERIFY(settled());
  QVERIFY(styleSheets(*theirs)->empty());
}

// Two stored figures that are drawn alike, the second stored when the first was drawn already.
void PageFilesTest::figuresOfOneKindHaveAPictureEach() {
  QVERIFY(open());
  QVERIFY(add("training_curve"));
  FigureRecipe recipe = page().panels[0].recipe;
  const auto library = ProjectLibrary::open(projectPath()).value();
  const auto picture = [this](const char* name) {
    const auto items =
        figures()->list()->tree()->findItems(QLatin1String(name), Qt::MatchExactly | Qt::MatchRecursive);
    return items.isEmpty() ? QImage() : items[0]->icon(0).pixmap(QSize(56, 40)).toImage();
  };
  for (const char* name : {"earlier", "later"}) {
    recipe.uuid.clear();
    recipe.name = name;
    QVERIFY(saveFigureRecipe(*library, recipe).ok());
    QTest::keyClick(m_window, Qt::Key_1, Qt::ControlModifier);
    QTest::keyClick(m_window, Qt::Key_4, Qt::ControlModifier);
    QVERIFY(settled());
    QVERIFY(!picture(name).isNull());
  }
  QCOMPARE(picture("later"), picture("earlier"));
}

QTEST_MAIN(PageFilesTest)
#include "tst_page_files.moc"
