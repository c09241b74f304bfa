// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "core/base/options/axis_keys.h"
#include "tests/gui/support_form_schema.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/option_row.h"
#include "views/panels/form/tick_button.h"
#include "views/panels/train/grid_editor.h"

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

// Keys go to the list of completions while it is open.
void pressTab() {
  QWidget* popup = QApplication::activePopupWidget();
  QTest::keyClick(popup != nullptr ? popup : QApplication::focusWidget(), Qt::Key_Tab);
}

}  // namespace

// "Grid over…" with real keys.
class GridEditorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void axisNamesItsOptions();
  void bothStacksAreOneAxis();
  void aWrongValueIsExplained();
  void aNewRowIsNotBlamed();
  void titlesAreValues();
  void aNewRowIsTypedOver();
  void choicesAreTicked();
  void optionsAreTitles();
  void searchIsThatOfTheForm_data();
  void searchIsThatOfTheForm();
  void essentialOptionsStandFirst();
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
  QCOMPARE(axes.size(), std::size_t{1});
  QCOMPARE(axes[0].key, std::string("encoder.residual+decoder.residual"));
  // Not QCOMPARE: how it would print a list of Json takes the compiler seconds.
  QVERIFY(axes[0].values == (std::vector<Json>{"post_ln", "pre_ln"}));
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
  QVERIFY(editor.axes().empty());
  QVERIFY(!editor.findChild<QPushButton*>(QStringLiteral("launchGrid"))->isEnabled());
}

// Nothing is red, and nothing moves, before something was typed.
void GridEditorTest::aNewRowIsNotBlamed() {
  ExperimentDraft draft(twoStacks());
  GridEditor editor;
  editor.setDraft(&draft);
  editor.resize(900, 200);
  editor.show();
  QVERIFY(QTest::qWaitForWindowActive(&editor));
  editor.addAxis(QStringLiteral("encoder.residual"));
  auto* values = editor.findChildren<QLineEdit*>("values").last();
  const auto blamed = [&] {
    const auto labels = values->parentWidget()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [](const QLabel* label) { return !label->text().isEmpty(); });
  };
  QVERIFY(!blamed());
  QVERIFY(test::settled(&editor));
  const QRect before = values->geometry();
  values->setFocus();
  QTest::keyClicks(values, "sideways");
  QVERIFY(blamed());
  QVERIFY(test::settled(&editor));
  QCOMPARE(values->geometry(), before);
  values->clear();
  QVERIFY(blamed());
}

// What the window calls the choices is taken, with commas inside too, and shown before anything is typed.
void GridEditorTest::titlesAreValues() {
  OptionSchema schema = twoStacks();
  std::vector<OptionField> fields = schema.fields();
  for (OptionField& field : fields)
    if (field.key == "encoder.residual") field.choices.push_back({"mixed", "Mixed, half and half"});
  ExperimentDraft draft(OptionSchema(std::move(fields), {}));
  GridEditor editor;
  editor.setDraft(&draft);
  editor.addAxis("encoder.residual");
  auto* values = editor.findChildren<QLineEdit*>("values").last();
  QCOMPARE(values->placeholderText(), QStringLiteral("Post-LN, Pre-LN, Admin, Mixed, half and half"));
  QVERIFY(values->toolTip().contains("Post-LN  (post_ln)"));
  QTest::keyClicks(values, "post-ln, MIXED, HALF AND HALF,admin, pre_ln");
  QCOMPARE(editor.axes().size(), std::size_t{1});
  QVERIFY(editor.axes()[0].values == (std::vector<Json>{"post_ln", "mixed", "admin", "pre_ln"}));
  // The decoder has no such choice.
  editor.setRows({{"encoder.residual+decoder.residual", "Post-LN, Mixed, half and half"}});
  QVERIFY(editor.axes().empty());
}

void GridEditorTest::aNewRowIsTypedOver() {
  ExperimentDraft draft(twoStacks());
  GridEditor editor;
  editor.setDraft(&draft);
  editor.resize(900, 300);
  editor.show();
  QVERIFY(QTest::qWaitForWindowActive(&editor));
  editor.addAxis("model.width", "64, 128");
  QCOMPARE(editor.combinations(), 2);
  QTest::mouseClick(editor.findChildren<QPushButton*>().first(), Qt::LeftButton);  // Another option
  // A row without values is no row to forget.
  QVERIFY(editor.axes().empty());
  QVERIFY(!editor.findChild<QPushButton*>("launchGrid")->isEnabled());
  const auto said = [&] {
    QStringList texts;
    for (const QLabel* label : editor.findChildren<QLabel*>())
      if (label->isVisible()) texts.append(label->text());
    return texts;
  };
  QVERIFY(test::settled(&editor));
  QVERIFY(!said().contains("No value is given."));  // before anything was typed
  QTest::keyClicks(QApplication::focusWidget(), "drop");
  pressTab();
  QCOMPARE(editor.rows().last().key, QStringLiteral("model.dropout"));
  auto* values = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  QVERIFY(values != nullptr && values->placeholderText().contains("0.1"));
  QTest::keyClicks(values, "0, 0.1, 0.3");
  QVERIFY(!said().contains("No value is given."));
  QCOMPARE(editor.combinations(), 6);
  // Text that fits no option goes; the option stays.
  auto* key = editor.findChildren<QComboBox*>().last();
  key->setFocus();
  key->lineEdit()->selectAll();
  QTest::keyClicks(key, "zzz");
  pressTab();
  QVERIFY(key->currentText().startsWith("Dropout"));
  QCOMPARE(editor.rows().last().key, QStringLiteral("model.dropout"));
  // No text is no other option, either.
  key->setFocus();
  key->lineEdit()->selectAll();
  QTest::keyClick(key, Qt::Key_Delete);
  pressTab();
  QVERIFY(key->currentText().startsWith("Dropout"));
  QCOMPARE(editor.rows().last().key, QStringLiteral("model.dropout"));
}

// The list below the line and the line say the same; the one filled button says how many runs that makes.
void GridEditorTest::choicesAreTicked() {
  ExperimentDraft draft(twoStacks());
  GridEditor editor;
  editor.setDraft(&draft);
  editor.resize(900, 300);
  editor.show();
  QVERIFY(QTest::qWaitForWindowActive(&editor));
  editor.setRows({{"encoder.residual", ""}});
  auto* values = editor.findChildren<QLineEdit*>("values").last();
  auto* ticks = editor.findChildren<TickButton*>().last();
  auto* launch = editor.findChild<QPushButton*>("launchGrid");
  QTRY_VERIFY(ticks->isVisible());
  QVERIFY(launch->property("primary").toBool());
  QTest::mouseClick(ticks, Qt::LeftButton);
  QListWidget* list = ticks->list();
  QVERIFY(list != nullptr && list->isVisible());
  QTest::keyClick(list, Qt::Key_Space);
  QCOMPARE(launch->text(), QStringLiteral("Queue 1 run"));
  QTest::keyClick(list, Qt::Key_Down);
  QTest::keyClick(list, Qt::Key_Space);
  QCOMPARE(values->text(), QStringLiteral("Post-LN, Pre-LN"));
  QCOMPARE(launch->text(), QStringLiteral("Queue 2 runs"));
  QVERIFY(launch->isEnabled());
  QTest::keyClick(list, Qt::Key_Return);
  QTRY_VERIFY(ticks->list() == nullptr);
  // What was typed is ticked; Down in the line opens the list.
  values->setText("admin");
  values->setFocus();
  QTest::keyClick(values, Qt::Key_Down);
  list = ticks->list();
  QVERIFY(list != nullptr);
  for (int i = 0; i < list->count(); ++i)
    QCOMPARE(list->item(i)->checkState() == Qt::Checked, list->item(i)->text() == "Admin");
  QTest::keyClick(list, Qt::Key_Escape);
  QTRY_VERIFY(ticks->list() == nullptr);
  QCOMPARE(values->text(), QStringLiteral("admin"));
}

// Titles instead of keys; a key that is typed is taken all the same. What has no choices has nothing to tick.
void GridEditorTest::optionsAreTitles() {
  ExperimentDraft draft(twoStacks());
  GridEditor editor;
  editor.setDraft(&draft);
  editor.resize(900, 300);
  editor.show();
  QVERIFY(QTest::qWaitForWindowActive(&editor));
  editor.setRows({{"model.width", "64, 128"}});
  auto* key = editor.findChildren<QComboBox*>().last();
  QVERIFY2(!key->currentText().contains("model.width"), qPrintable(key->currentText()));
  QCOMPARE(key->itemData(key->currentIndex(), Qt::ToolTipRole).toString(), QStringLiteral("model.width"));
  QVERIFY(!editor.findChildren<TickButton*>().last()->isVisible());
  QCOMPARE(editor.findChild<QPushButton*>("launchGrid")->text(), QStringLiteral("Queue 2 runs"));
  key->setFocus();
  key->lineEdit()->selectAll();
  QTest::keyClicks(key, "model.dropout");
  pressTab();
  QCOMPARE(editor.rows().last().key, QStringLiteral("model.dropout"));
}

void GridEditorTest::searchIsThatOfTheForm_data() {
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("best");
  QTest::newRow("title") << "residual"
                         << "Residual scheme";
  QTest::newRow("title before key") << "train"
                                    << "Training length";
  QTest::newRow("key") << "optim"
                       << "Learning rate";
  QTest::newRow("two words") << "one width"
                             << "Width";
  QTest::newRow("help") << "sentence"
                        << "Validation share";
  QTest::newRow("only options that are not in use fit") << "profile"
                                                        << "Profile batches";
}

// The same words, the same options, the same order: those that can be set, then by title, key and help.
void GridEditorTest::searchIsThatOfTheForm() {
  QFETCH(QString, typed);
  QFETCH(QString, best);
  const OptionSchema schema = test::formSchema();
  ExperimentDraft draft(schema);
  OptionForm form;
  form.setDraft(&draft);
  form.finishBuilding();
  form.resize(1000, 700);
  form.show();
  QVERIFY(QTest::qWaitForWindowActive(&form));
  QTest::keyClicks(form.searchBox(), typed);
  QVERIFY(test::settled(&form));
  QMap<int, QString> rows;
  for (const OptionField& field : schema.fields()) {
    const OptionRow* row = form.row(QString::fromStdString(field.key));
    if (row->isVisible() && field.type != OptionType::Path)
      rows.insert(row->y(), QString::fromStdString(field.title));
  }
  GridEditor editor;
  editor.setDraft(&draft);
  editor.resize(900, 300);
  editor.show();
  QVERIFY(QTest::qWaitForWindowActive(&editor));
  editor.setRows({{"model.heads", "4"}});
  auto* key = editor.findChildren<QComboBox*>().last();
  key->setFocus();
  key->lineEdit()->selectAll();
  QTest::keyClicks(key->lineEdit(), typed);
  QTRY_VERIFY(key->completer()->popup()->isVisible());
  const QAbstractItemModel* offered = key->completer()->completionModel();
  QStringList titles;
  for (int row = 0; row < offered->rowCount(); ++row) titles.append(offered->index(row, 0).data().toString());
  QCOMPARE(titles, rows.values());
  QCOMPARE(titles.value(0), best);
  pressTab();
  QCOMPARE(key->currentText(), best);
}

void GridEditorTest::essentialOptionsStandFirst() {
  ExperimentDraft draft(test::formSchema());
  GridEditor editor;
  editor.setEssentials({"model.width", "optim.lr"});
  editor.setDraft(&draft);
  editor.setRows({{"model.dropout", "0.1"}});
  const auto* key = editor.findChildren<QComboBox*>().last();
  QCOMPARE(key->itemData(0).toString(), QStringLiteral("model.width"));
  QCOMPARE(key->itemData(1).toString(), QStringLiteral("optim.lr"));
  QCOMPARE(key->itemData(2).toString(), QStringLiteral("data.validation_share"));
  editor.addAxis();  // a further one varies the first of the list
  QCOMPARE(editor.rows().last().key, QStringLiteral("model.width"));
}

QTEST_MAIN(GridEditorTest)
#include "tst_grid_editor.moc"
