// SPDX-License-Identifier: Apache-2.0
// Options of a figure or an analysis as small controls: lists are lines with commas.
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "views/panels/figure_choices.h"

using namespace fathom;

class FigureChoicesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void listsAreLines();
};

void FigureChoicesTest::listsAreLines() {
  OptionField depths;
  depths.key = "depths";
  depths.type = OptionType::IntegerList;
  depths.title = "Depths";
  depths.defaultValue = Json{6, 12, 18};
  OptionField variants = depths;
  variants.key = "variants";
  variants.type = OptionType::TextList;
  variants.defaultValue = Json::array();
  FigureChoices choices;
  choices.setFields({depths, variants}, Json::object());
  choices.show();
  QSignalSpy changed(&choices, &FigureChoices::changed);
  auto* line = qobject_cast<QLineEdit*>(choices.control(QStringLiteral("depths")));
  QCOMPARE(line->text(), QStringLiteral("6,12,18"));
  const auto type = [](QLineEdit* edit, const char* text) {
    edit->selectAll();
    QTest::keyClicks(edit, QString::fromLatin1(text));
    QTest::keyClick(edit, Qt::Key_Return);
  };
  type(line, "4, 8, 16");
  QCOMPARE(choices.values()["depths"].dump(), std::string("[4,8,16]"));
  type(line, "4,eight");  // goes back to what it was
  QCOMPARE(line->text(), QStringLiteral("4,8,16"));
  QCOMPARE(changed.size(), 1);
  type(line, "6,12,18");  // the default says nothing
  QVERIFY(!choices.values().contains("depths"));
  type(qobject_cast<QLineEdit*>(choices.control(QStringLiteral("variants"))), "post_ln,admin");
  QCOMPARE(choices.values()["variants"].dump(), std::string(R"(["post_ln","admin"])"));
}

QTEST_MAIN(FigureChoicesTest)
#include "tst_figure_choices.moc"
