// SPDX-License-Identifier: Apache-2.0
#include "views/selection/selection_model.h"

#include <QSignalSpy>
#include <QTest>

using namespace fathom;

class SelectionModelTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void textAndBack_data();
  void textAndBack();
  void badTexts_data();
  void badTexts();
  void currentIsAlwaysAMember();
  void changesCarryTheirSource();
  void loopsEnd();
};

void SelectionModelTest::textAndBack_data() {
  QTest::addColumn<QString>("text");
  for (const char* text :
       {"", "run:4f1c-22", "run:a*,b", "run:a,b,c/ckpt:1200/ex:17/dec.cross/L3/S1/H5/q:4/k:9/cat:column",
        "set:x/data:dev/enc.self/L0/H0", ".cross/L1", "dec", "ex:a%2Fb%3A%2C", "L0,1*,2/H3", "Latent.self"})
    QTest::newRow(text) << QString::fromLatin1(text);
}

void SelectionModelTest::textAndBack() {
  QFETCH(QString, text);
  const Result<Selection> selection = Selection::fromText(text);
  QVERIFY2(selection.ok(), selection.ok() ? "" : selection.error().text().c_str());
  QCOMPARE(selection->text(), text);
  QCOMPARE(*selection == Selection(), text.isEmpty());
}

void SelectionModelTest::badTexts_data() {
  QTest::addColumn<QString>("text");
  for (const char* text : {"run:", "run:a//L3", "wheel:4", "run:a/run:b", "ex:%2", "ex:%zz", "/"})
    QTest::newRow(text) << QString::fromLatin1(text);
}

void SelectionModelTest::badTexts() {
  QFETCH(QString, text);
  QVERIFY(!Selection::fromText(text).ok());
}

void SelectionModelTest::currentIsAlwaysAMember() {
  Selection selection;
  selection.set(Dimension::Run, {"a", "b", "a", ""}, "z");
  QCOMPARE(selection.of(Dimension::Run).items, (QStringList{"a", "b"}));
  QCOMPARE(selection.current(Dimension::Run), QString("b"));
  selection.clear(Dimension::Run);
  QVERIFY(selection.current(Dimension::Run).isEmpty());
}

void SelectionModelTest::changesCarryTheirSource() {
  SelectionModel model;
  QObject table, curves;
  int fromTable = 0, fromCurves = 0;
  connect(&model, &SelectionModel::changed, this, [&](Dimension dimension, QObject* source) {
    QCOMPARE(dimension, Dimension::Run);
    if (source == &table) ++fromTable;
    if (source == &curves) ++fromCurves;
  });
  model.set(Dimension::Run, {"a", "b"}, "a", &table);
  model.set(Dimension::Run, {"a", "b"}, "a", &table);  // nothing new
  model.setCurrent(Dimension::Run, "c", &curves);
  model.set(Dimension::Run, {"b", "c"}, "c", &curves);
  QCOMPARE(fromTable, 1);
  QCOMPARE(fromCurves, 2);
  QCOMPARE(model.of(Dimension::Run).items, (QStringList{"b", "c"}));
  QVERIFY(model.apply("run:b", &curves).ok());
  QCOMPARE(model.current(Dimension::Run), QString("b"));
  QVERIFY(!model.apply("nonsense:1", &curves).ok());
}

void SelectionModelTest::loopsEnd() {
  SelectionModel model;
  int count = 0;
  connect(&model, &SelectionModel::changed, this, [&](Dimension, QObject*) {
    ++count;
    model.set(Dimension::Layer, {QString::number(count)}, {}, nullptr);
  });
  model.set(Dimension::Layer, {"x"}, {}, nullptr);
  QVERIFY(count < 10);
}

QTEST_APPLESS_MAIN(SelectionModelTest)
#include "tst_selection_model.moc"
