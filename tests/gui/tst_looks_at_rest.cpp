// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QLabel>
#include <QTest>

#include "views/look/theme.h"
#include "views/panels/errors/sql_editor.h"
#include "views/panels/widgets/controls.h"

using namespace fathom;

// Another theme or size of texts is at once what is in sight; what is hidden follows when it is shown.
class LooksAtRestTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup();
  void hiddenEditorsFollowWhenTheyAreShown();
  void everyHeadingFollowsOnce();

 private:
  QPalette m_palette = QApplication::palette();
  QFont m_font = QApplication::font();
};

void LooksAtRestTest::cleanup() {
  QApplication::setPalette(m_palette);
  QApplication::setFont(m_font);
}

void LooksAtRestTest::hiddenEditorsFollowWhenTheyAreShown() {
  QWidget window;
  window.resize(400, 300);
  auto* editor = new SqlEditor(&window);
  editor->resize(300, 200);
  editor->showSql("select 1");
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  const auto size = [editor] { return editor->lexer()->defaultFont().pointSizeF(); };
  const auto paper = [editor] { return editor->lexer()->defaultPaper(); };
  QFont larger = m_font;
  larger.setPointSizeF(2 * m_font.pointSizeF());
  QApplication::setFont(larger);
  QApplication::setPalette(Theme::darkTheme().palette());
  QTRY_COMPARE(size(), larger.pointSizeF());
  QTRY_COMPARE(paper(), Theme::darkTheme().panel);
  const int height = editor->naturalHeight();
  editor->hide();
  QApplication::setFont(m_font);
  QApplication::setPalette(Theme::light().palette());
  QCoreApplication::sendPostedEvents();
  QCOMPARE(size(), larger.pointSizeF());
  QCOMPARE(paper(), Theme::darkTheme().panel);
  editor->show();
  QCOMPARE(size(), m_font.pointSizeF());
  QCOMPARE(paper(), Theme::light().panel);
  QVERIFY(editor->naturalHeight() < height);
}

void LooksAtRestTest::everyHeadingFollowsOnce() {
  QWidget window;
  auto* page = pageTitle(&window, QStringLiteral("Page"));
  auto* panel = headingLabel(&window, QStringLiteral("Panel"));
  auto* gone = headingLabel(&window, QStringLiteral("Gone"));
  delete gone;
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  for (const double factor : {1.5, 0.8, 1.0}) {
    QFont font = m_font;
    font.setPointSizeF(factor * m_font.pointSizeF());
    QApplication::setFont(font);
    QTRY_COMPARE(panel->font().pointSizeF(), font.pointSizeF());
    QCOMPARE(page->font().pointSizeF(), 1.3 * font.pointSizeF());
    QCOMPARE(page->font().weight(), QFont::DemiBold);
  }
}

QTEST_MAIN(LooksAtRestTest)
#include "tst_looks_at_rest.moc"
