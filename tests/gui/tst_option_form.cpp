// SPDX-License-Identifier: Apache-2.0
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "tests/gui/support_form_schema.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/option_help_panel.h"
#include "views/panels/form/option_row.h"
#include "views/panels/form/preset_list.h"
#include "views/panels/widgets/sliced_deletion.h"

using namespace fathom;

// The experiment form with real clicks and keys.
class OptionFormTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void everyOptionHasARow();
  void typingChangesAndUndoRestores();
  void aTimeIsTypedKeyByKey();
  void wrongTextIsKeptAndExplained();
  void illegalCombinationIsShownAtBothRows();
  void revertArrow();
  void inactiveRowsAreGrey();
  void searchNamesWhatItHides();
  void tabGoesDownTheRows();
  void cloneDropsUnknownOptions();
  void wheelDoesNotChangeValues();
  void choicesAreWhole();
  void helpBeginsInOneColumn();
  void onlyPapersAreQuoted();
  void aScoreChainIsRealFormers();
  void rowsOutOfSightNeverCome();
  void aFormThatGoesIsDeletedInSlices();

 private:
  QLineEdit* line(const char* key) { return qobject_cast<QLineEdit*>(m_form->row(key)->editor()); }
  QLabel* problem(const char* key) {
    return m_form->findChild<QLabel*>(QStringLiteral("problem:") + QLatin1String(key));
  }
  ExperimentDraft* m_draft = nullptr;
  OptionForm* m_form = nullptr;
};

void OptionFormTest::init() {
  m_draft = new ExperimentDraft(test::formSchema());
  m_form = new OptionForm;
  m_form->resize(1100, 700);
  m_form->setDraft(m_draft);
  m_form->finishBuilding();
  m_form->show();
  QVERIFY(QTest::qWaitForWindowActive(m_form));
}

void OptionFormTest::cleanup() {
  delete m_form;
  delete m_draft;
}

void OptionFormTest::everyOptionHasARow() {
  for (const OptionField& field : m_draft->schema().fields()) {
    OptionRow* row = m_form->row(QString::fromStdString(field.key));
    QVERIFY2(row != nullptr, field.key.c_str());
    QVERIFY(!row->editor()->accessibleName().isEmpty());
  }
  QCOMPARE(line("optim.betas")->text(), QStringLiteral("0.9,0.98"));
  QCOMPARE(line("train.length")->text(), QStringLiteral("300u"));
}

void OptionFormTest::typingChangesAndUndoRestores() {
  QLineEdit* width = line("model.width");
  QTest::mouseDClick(width, Qt::LeftButton);
  QTest::keyClicks(width, "1024");
  QCOMPARE(m_draft->values().integer("model.width"), 1024);
  QVERIFY(m_draft->changed("model.width"));
  QVERIFY(width->font().bold());
  m_draft->undoStack()->undo();  // the four keys were one edit
  QCOMPARE(m_draft->values().integer("model.width"), 512);
  QCOMPARE(width->text(), QStringLiteral("512"));
  m_draft->undoStack()->redo();
  QCOMPARE(width->text(), QStringLiteral("1024"));
}

// "4" means "4u" at once, but nothing is put into the text of someone who is still typing.
void OptionFormTest::aTimeIsTypedKeyByKey() {
  QLineEdit* length = line("train.length");
  length->setFocus();
  length->selectAll();
  QTest::keyClicks(length, "45");
  QCOMPARE(length->text(), QStringLiteral("45"));
  QCOMPARE(m_draft->values().text("train.length"), std::string("45u"));
  QTest::keyClicks(length, "0u");
  QCOMPARE(length->text(), QStringLiteral("450u"));
  length->selectAll();
  QTest::keyClicks(length, "20");
  QTest::keyClick(length, Qt::Key_Tab);
  QCOMPARE(length->text(), QStringLiteral("20u"));
  QVERIFY(m_draft->acceptable());
}

void OptionFormTest::wrongTextIsKeptAndExplained() {
  QLineEdit* layers = line("encoder.layers");
  QTest::mouseDClick(layers, Qt::LeftButton);
  QTest::keyClicks(layers, "900");
  QCOMPARE(layers->text(), QStringLiteral("900"));
  QVERIFY(!m_draft->acceptable());
  QVERIFY(problem("encoder.layers")->isVisible());
  QVERIFY(problem("encoder.layers")->text().contains(QStringLiteral("200")));
  QCOMPARE(m_draft->values().integer("encoder.layers"), 90);  // the last good value on the way
  layers->selectAll();
  QTest::keyClicks(layers, "12");
  QVERIFY(m_draft->acceptable());
  QVERIFY(!problem("encoder.layers")->isVisible());
}

void OptionFormTest::illegalCombinationIsShownAtBothRows() {
  QLineEdit* layers = line("encoder.layers");
  layers->setFocus();
  layers->selectAll();
  QTest::keyClicks(layers, "120");
  QVERIFY(!m_draft->acceptable());
  QVERIFY(problem("encoder.layers")->text().contains(QStringLiteral("Post-LN does not train")));
  QVERIFY(problem("encoder.residual")->isVisible());
  QCOMPARE(m_draft->problems().size(), 1);
  auto* scheme = qobject_cast<QComboBox*>(m_form->row("encoder.residual")->editor());
  scheme->setFocus();
  QTest::keyClick(scheme, Qt::Key_Down);
  QCOMPARE(m_draft->values().text("encoder.residual"), std::string("pre_ln"));
  QVERIFY(m_draft->acceptable());
  QVERIFY(!problem("encoder.layers")->isVisible());
}

void OptionFormTest::revertArrow() {
  auto* revert = m_form->findChild<QToolButton*>(QStringLiteral("revert:train.share"));
  QVERIFY(!revert->isVisible());
  auto* share = qobject_cast<QCheckBox*>(m_form->row("train.share")->editor());
  share->setFocus();
  QTest::keyClick(share, Qt::Key_Space);
  QVERIFY(!m_draft->values().flag("train.share"));
  QVERIFY(revert->isVisible());
  QTest::mouseClick(revert, Qt::LeftButton);
  QVERIFY(m_draft->values().flag("train.share"));
  QVERIFY(!revert->isVisible());
  QVERIFY(share->hasFocus());
}

void OptionFormTest::inactiveRowsAreGrey() {
  QWidget* batches = m_form->row("encoder.residual.admin.profile_batches")->editor();
  QVERIFY(!batches->isEnabled());
  QVERIFY(batches->toolTip().contains(QStringLiteral("Admin")));
  m_draft->setValue("encoder.residual", Json("admin"));
  QVERIFY(batches->isEnabled());
  QCOMPARE(m_draft->inactiveReason("data.header"), QStringLiteral("Used only when Training pairs is set."));
  m_draft->setValue("data.train", Json("pairs.tsv"));
  QCOMPARE(m_draft->inactiveReason("data.validation_share"),
           QStringLiteral("Used only when Training pairs is not set."));
}

void OptionFormTest::searchNamesWhatItHides() {
  QTest::keyClicks(m_form->searchBox(), "dropout");
  QVERIFY(m_form->row("model.dropout")->isVisible());
  QVERIFY(!m_form->row("model.width")->isVisible());
  QTest::keyClicks(m_form->searchBox(), "xyz");
  bool named = false;
  for (const QLabel* label : m_form->findChildren<QLabel*>())
    named = named || (label->isVisible() && label->text().contains(QStringLiteral("dropoutxyz")));
  QVERIFY(named);
  m_form->searchBox()->clear();
  QVERIFY(m_form->row("model.width")->isVisible());
}

void OptionFormTest::tabGoesDownTheRows() {
  m_form->reveal("model.width");
  QVERIFY(line("model.width")->hasFocus());
  QTest::keyClick(line("model.width"), Qt::Key_Tab);
  QVERIFY(line("model.heads")->hasFocus());
  QTest::keyClick(line("model.heads"), Qt::Key_Tab);
  QVERIFY(line("model.dropout")->hasFocus());
  QTest::keyClick(line("model.dropout"), Qt::Key_Backtab);
  QVERIFY(line("model.heads")->hasFocus());
}

void OptionFormTest::cloneDropsUnknownOptions() {
  RunConfig preset;
  preset.preset = "small";
  preset.options["model.width"] = 64;
  Json edits;
  edits["encoder.layers"] = 3;
  edits["old.option"] = 1;
  QVERIFY(m_draft->start(preset, edits).ok());
  QCOMPARE(m_draft->droppedKeys(), QStringList{"old.option"});
  QVERIFY(!m_draft->changed("model.width"));
  QVERIFY(m_draft->changed("encoder.layers"));
  QCOMPARE(line("model.width")->text(), QStringLiteral("64"));
  m_draft->revertAll();
  QCOMPARE(line("encoder.layers")->text(), QStringLiteral("6"));
  QCOMPARE(m_draft->config().options["model.width"].get<int>(), 64);
}

void OptionFormTest::wheelDoesNotChangeValues() {
  auto* scheme = qobject_cast<QComboBox*>(m_form->row("encoder.residual")->editor());
  m_form->searchBox()->setFocus();
  QWheelEvent wheel(QPointF(5, 5), scheme->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(scheme, &wheel);
  QCOMPARE(m_draft->values().text("encoder.residual"), std::string("post_ln"));
}

// Where there is room the longest choice can be read.
void OptionFormTest::choicesAreWhole() {
  OptionField field;
  field.key = "vocabulary";
  field.type = OptionType::Choice;
  field.title = "Vocabulary";
  field.group = "Data";
  field.defaultValue = "long";
  field.choices = {{"long", "Train SentencePiece on the training part, both languages together"}};
  ExperimentDraft draft(OptionSchema({field}, {}));
  OptionForm form;
  form.resize(1100, 300);
  form.setDraft(&draft);
  form.finishBuilding();
  form.show();
  QVERIFY(QTest::qWaitForWindowExposed(&form));
  auto* combo = qobject_cast<QComboBox*>(form.row(QStringLiteral("vocabulary"))->editor());
  QVERIFY(combo != nullptr);
  QVERIFY2(combo->width() > combo->fontMetrics().horizontalAdvance(combo->currentText()),
           qPrintable(QString::number(combo->width())));
}

// Whatever stands in the editors, the help beside them begins at one place.
void OptionFormTest::helpBeginsInOneColumn() {
  OptionField wide;
  wide.key = "task";
  wide.type = OptionType::Choice;
  wide.title = "Task";
  wide.help = "What is learnt.";
  wide.group = "Data";
  wide.defaultValue = "long";
  wide.choices = {{"long", "Train SentencePiece on the training part, both languages together"}};
  std::vector<OptionField> fields = test::formSchema().fields();
  fields.insert(fields.begin(), wide);
  ExperimentDraft draft(OptionSchema(fields, {}));
  OptionForm form;
  form.setDraft(&draft);
  form.finishBuilding();
  form.show();
  QVERIFY(QTest::qWaitForWindowExposed(&form));
  std::set<std::string> beside;
  for (const int width : {700, 900, 1100, 1280, 1600, 2200}) {
    form.resize(width, 900);
    QVERIFY(test::settled(&form));
    QSet<int> starts;
    for (const OptionField& field : draft.schema().fields()) {
      const OptionRow* row = form.row(QString::fromStdString(field.key));
      for (const QLabel* label : row->findChildren<QLabel*>()) {
        const QRect editor(row->editor()->mapTo(row, QPoint()), row->editor()->size());
        if (label->text() != QString::fromStdString(field.help) || label->y() > editor.bottom()) continue;
        starts.insert(label->x());
        beside.insert(field.key);
      }
    }
    QVERIFY2(starts.size() <= 1, qPrintable(QString::number(width)));
  }
  // Those of usual width have theirs beside them.
  for (const char* key : {"encoder.residual", "encoder.layers", "model.dropout"})
    QVERIFY2(beside.contains(key), key);
}

void OptionFormTest::onlyPapersAreQuoted() {
  PresetEntry paper, quick;
  paper.id = QStringLiteral("paper");
  paper.title = QStringLiteral("As in the paper");
  paper.paper = QStringLiteral("100 epochs.");
  quick.id = QStringLiteral("quick");
  quick.title = QStringLiteral("Quick translation");
  const std::string key = m_draft->schema().fields().front().key;
  for (PresetEntry* preset : {&paper, &quick}) {
    preset->reference = QStringLiteral("Table 1");
    preset->config.options[key] = m_draft->schema().fields().front().defaultValue;
  }
  OptionHelpPanel help;
  help.setPresets({paper, quick});
  help.show(m_draft, QString::fromStdString(key));
  QVERIFY2(help.toPlainText().contains(paper.title), qPrintable(help.toPlainText()));
  QVERIFY(!help.toPlainText().contains(quick.title));
}

// An option without a page of its own values shows that of the work it is from.
void OptionFormTest::aScoreChainIsRealFormers() {
  OptionField chain;
  chain.key = "encoder.self_attention.score_chain";
  chain.type = OptionType::Choice;
  chain.defaultValue = "none";
  chain.choices = {{"none", "None"}, {"sum", "Running sum"}};
  chain.reference = "RealFormer §3.2";
  const ExperimentDraft draft(OptionSchema({chain}, {}));
  OptionHelpPanel help;
  help.show(&draft, QString::fromStdString(chain.key));
  QVERIFY2(help.toPlainText().contains(QStringLiteral("RealFormer: score chains")),
           qPrintable(help.toPlainText()));
}

// While rows are made only those come into sight that stay there, and they are in the order of the schema.
void OptionFormTest::rowsOutOfSightNeverCome() {
  class Shows : public QObject {
   public:
    bool eventFilter(QObject* watched, QEvent* event) override {
      if (const auto* row = qobject_cast<OptionRow*>(watched);
          row != nullptr && event->type() == QEvent::Show)
        m_rows.insert(row->key());
      return false;
    }
    QSet<QString> m_rows;
  } shows;
  const QStringList essential = {QStringLiteral("data.languages"), QStringLiteral("model.width")};
  OptionForm form;
  form.resize(1100, 700);
  form.show();
  form.setDraft(m_draft);
  form.setEssentials(essential);
  qApp->installEventFilter(&shows);
  const auto& fields = m_draft->schema().fields();
  QVERIFY(test::waitUntil([&] {
    return std::all_of(fields.begin(), fields.end(), [&](const OptionField& field) {
      return form.row(QString::fromStdString(field.key)) != nullptr;
    });
  }));
  QCoreApplication::processEvents();
  QCOMPARE(shows.m_rows, QSet<QString>(essential.begin(), essential.end()));
  qApp->removeEventFilter(&shows);
  form.setAllShown(true);
  QCoreApplication::sendPostedEvents();
  int last = -1;
  std::string group = fields.front().group;
  for (const OptionField& field : fields) {
    if (field.group != std::exchange(group, field.group)) continue;  // groups stand where they began
    const int y = form.row(QString::fromStdString(field.key))->y();
    if (last >= 0) QVERIFY2(y > last, field.key.c_str());
    last = y;
  }
}

void OptionFormTest::aFormThatGoesIsDeletedInSlices() {
  QPointer<OptionRow> row = m_form->row(QStringLiteral("model.width"));
  QVERIFY(!row.isNull());
  m_form->setDraft(nullptr);
  QVERIFY(m_form->row(QStringLiteral("model.width")) == nullptr);
  QVERIFY(SlicedDeletion::isGoingOn(m_form));
  QVERIFY(row.isNull() || !row->isVisible());
  QVERIFY(test::waitUntil([&] { return row.isNull() && !SlicedDeletion::isGoingOn(m_form); }));
  // A window that goes meanwhile takes the rest along.
  auto* form = new OptionForm;
  form->setDraft(m_draft);
  form->finishBuilding();
  row = form->row(QStringLiteral("model.width"));
  form->setDraft(nullptr);
  QVERIFY(!row.isNull());
  delete form;
  QVERIFY(row.isNull());
}

QTEST_MAIN(OptionFormTest)
#include "tst_option_form.moc"
