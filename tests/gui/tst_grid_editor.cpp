// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "core/base/axis_keys.h"
#include "tests/gui/support_form_schema.h"
#include "views/panels/experiment_draft.h"
#include "views/panels/grid_editor.h"

using namespace fathom;

namespace {

// The form's options plus a decoder with a residual scheme of its own.
OptionSchema twoStacks() {
  const OptionSchema one = test::formSchema();
  std::vector<OptionField> fields = one.fields();
  OptionField residual = *one.find("encoder.residual");
  residual.key = "decoder.residual";
  fields.push_back(residual);
  return OptionSchema(std::move(fields), {});
}

}  // namespace

// "Grid over…" with real keys.
class GridEditorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void axisNamesItsOptions();
  void bothStacksAreOneAxis();
  void aWrongValueIsExplained();
};

void GridEditorTest::axisNamesItsOptions() {
  QCOMPARE(axisKeys("seed"), std::vector<std::string>{"seed"});
  const std::vector<std::string> both{"encoder.residual", "decoder.residual"};
  QCOMPARE(axisKeys("encoder.residual+decoder.residual"), both);
}

void GridEditorTest::bothStacksAreOneAxis() {
  ExperimentDraft draft(twoStacks());
  GridEditor editor;
  editor.setDraft(&draft);
  editor.resize(900, 300);
  editor.show();
  QVERIFY(QTest::qWaitForWindowActive(&editor));
  editor.addAxis(QStringLiteral("encoder.residual+decoder.residual"));
  QLineEdit* values = nullptr;
  const auto lines = editor.findChildren<QLineEdit*>();
  for (QLineEdit* line : lines)
    if (line->accessibleName() == QLatin1String("Values")) values = line;  // of the last row
  QVERIFY(values != nullptr);
  values->setFocus();
  QTest::keyClicks(values, QStringLiteral("post_ln, pre_ln"));
  const auto axes = editor.axes();
  QCOMPARE(axes.size(), 1);
  QCOMPARE(axes[0].key, QStringLiteral("encoder.residual+decoder.residual"));
  QCOMPARE(axes[0].values, (QVector<Json>{"post_ln", "pre_ln"}));
  QCOMPARE(editor.combinations(), 2);
  QSignalSpy spy(&editor, &GridEditor::launchRequested);
  auto* launch = editor.findChild<QPushButton*>(QStringLiteral("launchGrid"));
  launch->setFocus();
  QTest::keyClick(launch, Qt::Key_Space);
  QCOMPARE(spy.size(), 1);
}

void GridEditorTest::aWrongValueIsExplained() {
  ExperimentDraft draft(twoStacks());
  GridEditor editor;
  editor.setDraft(&draft);
  editor.addAxis(QStringLiteral("encoder.residual+decoder.residual"), QStringLiteral("post_ln, sideways"));
  QVERIFY(editor.axes().isEmpty());
  QVERIFY(!editor.findChild<QPushButton*>(QStringLiteral("launchGrid"))->isEnabled());
}

QTEST_MAIN(GridEditorTest)
#include "tst_grid_editor.moc"
