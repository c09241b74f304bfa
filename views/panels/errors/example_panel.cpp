// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/example_panel.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/errors/aligned_editors.h"
#include "views/panels/errors/judgement_bar.h"
#include "views/panels/errors/judgement_history.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/question_links.h"
#include "views/panels/errors/reason_list.h"
#include "views/panels/errors/sql_editor.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/natural_split.h"
#include "views/panels/widgets/titled_side.h"

namespace fathom {

namespace {

constexpr int kEditMilliseconds = 250;  // typing pauses this long before the text is judged and kept
constexpr int kCharactersSideBySide = 70;
constexpr double kQuestionSize = 1.1;
// Parts of the height below the question that the two queries have.
constexpr double kLeastSql = 0.52, kMostSql = 0.68;
constexpr int kLinesOfTabs = 7;  // at least, with the line of tabs

}  // namespace

ExamplePanel::ExamplePanel(ReviewedPredictions* review, QWidget* parent)
    : WrappingPane(parent),
      m_review(review),
      m_head(new ElidedLabel({}, this)),
      m_question(wrappedLabel(this)),
      m_goldTitle(new QLabel(tr("Gold"), this)),
      m_predictedTitle(new ElidedLabel({}, this)),
      m_gold(new SqlEditor(this)),
      m_predicted(new SqlEditor(this)),
      m_editState(wrappedLabel(this)),
      m_revert(flatTextButton(this, tr("As in the files"), {}, QStringLiteral("revert"))),
      m_sides(new QSplitter(Qt::Horizontal, this)),
      m_bar(new JudgementBar(review, this)),
      m_headButtons(new QHBoxLayout),
      m_verdict(wrappedLabel(this)),
      m_tabs(new QTabWidget(this)),
      m_reasons(new ReasonList(this)),
      m_history(new JudgementHistory(review, this)),
      m_notes(new NoteLines(review, this)) {
  auto* split = new QSplitter(Qt::Vertical, this);
  makeTabs();
  fillSplitter(split, {{makeSql(), 3}, {m_tabs, 2}});
  m_split = new NaturalSplit(split, [this] { return sqlHeight(); }, {.least = kLeastSql, .most = kMostSql});
  m_level.setSingleShot(true);
  m_level.setInterval(0);
  connect(&m_level, &QTimer::timeout, this, [this] {
    if (m_sides->orientation() == Qt::Horizontal) levelWrapped(m_gold, m_predicted);
    m_split->refresh();
    Q_EMIT heightChanged();
  });
  makeColumn(this, {makeHead(), {split, 1}, m_notes}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  m_wait.setSingleShot(true);
  m_wait.setInterval(kEditMilliseconds);
  connect(&m_wait, &QTimer::timeout, this, &ExamplePanel::takeEdits);
  connect(review, &ReviewedPredictions::reviewChanged, this, [this] {
    m_pending = false;
    m_wait.stop();
    m_example = m_model = -1;
    m_editing = false;
    m_gold->setEditable(false);
    m_predicted->setEditable(false);
  });
  connect(review, &ReviewedPredictions::currentChanged, this, &ExamplePanel::showExample);
  connect(review, &ReviewedPredictions::exampleChanged, this, [this](int example) {
    if (example != m_example) return;
    const EditedSide gold{true, 0}, predicted{false, std::size_t(m_model)};
    const auto kept = [this](EditedSide side, const QString& file) {
      const std::string text = m_review->judgements().editedText(std::size_t(m_example), side);
      return text.empty() ? file : fromUtf8(text);
    };
    // Undo and redo change the edited texts too.
    if (!m_pending && (kept(gold, goldSqlOf(*m_review, m_example)) != m_goldSql ||
                       kept(predicted, m_review->predicted(m_model, m_example)) != m_predictedSql))
      showTexts();
  });
  for (SqlEditor* editor : {m_gold, m_predicted}) {
    connect(editor, &SqlEditor::edited, this, [this] {
      m_pending = true;
      m_wait.start();
    });
    editor->installEventFilter(this);
  }
  connect(m_revert, &QToolButton::clicked, this, &ExamplePanel::revert);
  connect(m_reasons, &ReasonList::reasonChosen, this, &ExamplePanel::markReason);
  connect(m_history, &JudgementHistory::failed, this, &ExamplePanel::failed);
  connect(m_notes, &NoteLines::failed, this, &ExamplePanel::failed);
}

QWidget* ExamplePanel::makeHead() {
  auto* head = new QWidget(this);
  auto* line = makeRow({{m_head, 1}, m_headButtons}, metrics::kGrid);
  m_question->setTextFormat(Qt::RichText);
  m_question->setTextInteractionFlags(Qt::TextSelectableByMouse);
  setTextShare(m_question, font(), kQuestionSize);
  m_question->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  makeColumn(head, {line, m_bar, m_question}, metrics::kGrid, {0, 0, 0, metrics::kGrid});
  return head;
}

QWidget* ExamplePanel::makeSql() {
  m_gold->setAccessibleName(tr("Gold SQL"));
  m_predicted->setAccessibleName(tr("Predicted SQL"));
  m_gold->setObjectName(QStringLiteral("goldSql"));
  m_predicted->setObjectName(QStringLiteral("predictedSql"));
  addTitledSide(m_sides, m_goldTitle, m_gold);
  addTitledSide(m_sides, m_predictedTitle, m_predicted);
  m_sides->setChildrenCollapsible(false);
  m_sides->setSizes({1000, 1000});
  auto* state = makeRow({{m_editState, 1}, m_revert});
  auto* widget = new WrappingPane(this);
  makeColumn(widget, {{m_sides, 1}, state, m_verdict}, metrics::kGrid);
  return widget;
}

void ExamplePanel::makeTabs() {
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_reasons, tr("Why"));
  m_tabs->addTab(m_history, tr("History"));
  m_tabs->setTabToolTip(1, tr("What people said about this prediction, and when"));
  sizeTabs();
}

// Schema and results are higher where there is room; they alone would take it from the queries.
void ExamplePanel::sizeTabs() {
  m_tabs->setMinimumHeight((kLinesOfTabs + 2) * fontMetrics().lineSpacing());
}

void ExamplePanel::setAlone(bool alone) {
  if (alone == m_alone) return;
  m_alone = alone;
  if (alone && m_tabs->isAncestorOf(QApplication::focusWidget())) m_bar->setFocus(Qt::OtherFocusReason);
  m_tabs->setHidden(alone);
  m_level.start();
}

void ExamplePanel::setActions(const QList<QAction*>& actions) {
  for (QAction* action : actions) {
    auto* made = new QToolButton(this);
    made->setDefaultAction(action);
    made->setToolButtonStyle(action->isCheckable() ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setIconSize({metrics::kIcon, metrics::kIcon});
    made->setAutoRaise(true);
    m_headButtons->addWidget(made);
  }
}

void ExamplePanel::showExample() {
  keepEdits();
  if (m_review->empty()) {
    m_example = m_model = -1;
    return;
  }
  m_example = m_review->currentExample();
  m_model = m_review->currentModel();
  m_head->setFullText(tr("#%1 · %2 · %3")
                          .arg(QString::number(m_example), databaseOf(*m_review, m_example),
                               hardnessTitle(sqlOf(*m_review).hardness(std::size_t(m_example)))));
  showQuestion();
  showTexts();
}

void ExamplePanel::showQuestion() {
  const Theme& theme = Theme::of(palette());
  const QString question = questionOf(*m_review, m_example);
  const SpiderSchema* schema = schemaOf(*m_review, m_example);
  if (question.isEmpty() || schema == nullptr) {
    m_question->setText(question.isEmpty() ? QStringLiteral("<span style=\"color:%1\">%2</span>")
                                                 .arg(theme.secondary.name(), tr("(no question: open the "
                                                                                 "file of questions too)"))
                                           : question.toHtmlEscaped());
    return;
  }
  const auto links = questionLinks(question, *schema);
  m_question->setText(questionHtml(question, links, theme.diverged.name(), theme.accent.name()));
  QStringList tips;
  for (const QuestionLink& link : links)
    tips.append(tr("%1: %2").arg(question.mid(link.begin, link.length),
                                 (link.exact ? tr("names %1") : tr("part of %1")).arg(nameText(link.names))));
  m_question->setToolTip(tips.join(QLatin1Char('\n')));
  m_question->setAccessibleName(question);
}

void ExamplePanel::showTexts() {
  const auto kept = [this](EditedSide side, const QString& file) {
    const std::string text = m_review->judgements().editedText(std::size_t(m_example), side);
    return text.empty() ? file : fromUtf8(text);
  };
  m_goldSql = kept({true, 0}, goldSqlOf(*m_review, m_example));
  m_predictedSql = kept({false, std::size_t(m_model)}, m_review->predicted(m_model, m_example));
  m_evidence.reset();
  m_otherSql.clear();
  m_predictedTitle->setFullText(m_review->modelName(m_model));
  align();
  showVerdict();
  Q_EMIT sqlShown();
}

void ExamplePanel::showInstead(const QString& sql, const QString& name) {
  if (m_example < 0 || sql == m_otherSql) return;
  if (m_editing) setEditing(false);
  if (sql.isEmpty()) return showTexts();
  m_otherSql = sql;
  m_otherName = name;
  m_evidence.reset();
  m_predictedTitle->setFullText(tr("%1 of %2").arg(name, m_review->modelName(m_model)));
  align();
  showVerdict();
  Q_EMIT sqlShown();
}

void ExamplePanel::weigh(const ExecutionEvidence& evidence) {
  if (m_example < 0) return;
  m_evidence = evidence;
  showVerdict();
}

bool ExamplePanel::edited() const {
  return m_example >= 0 && (m_goldSql != goldSqlOf(*m_review, m_example) ||
                            m_predictedSql != m_review->predicted(m_model, m_example));
}

void ExamplePanel::align() {
  m_aligned = showAligned({m_gold, toUtf8(m_goldSql)}, {m_predicted, toUtf8(predictedSql())},
                          schemaOf(*m_review, m_example));
  m_layoutStale = false;
  m_level.start();
}

// Title and lines of the taller side, the verdict, and room for what is said of an edit.
int ExamplePanel::sqlHeight() const {
  const bool beside = m_sides->orientation() == Qt::Horizontal;
  const int gold = m_gold->naturalHeight(), predicted = m_predicted->naturalHeight();
  const int line = fontMetrics().lineSpacing() + metrics::kMargin;
  return beside ? qMax(gold, predicted) + 3 * line : gold + predicted + 4 * line;
}

int ExamplePanel::naturalHeight() const {
  constexpr int kReasonRows = 8;
  const int line = fontMetrics().lineSpacing() + metrics::kMargin;
  const int said = m_alone ? 0 : (kReasonRows + 1) * line;
  return 3 * line + m_bar->height() + m_question->height() + sqlHeight() + said;
}

void ExamplePanel::showVerdict() {
  const auto e = std::size_t(m_example);
  const SpiderModel& model = sqlOf(*m_review).models[std::size_t(m_model)];
  const bool other = !showsStored();
  m_bar->markChosen();
  if ((edited() || other || m_evidence) && schemaOf(*m_review, m_example) != nullptr) {
    SpiderPair pair = model.pairs[e];
    pair.gold = toUtf8(m_goldSql);
    pair.predicted = toUtf8(predictedSql());
    m_judged = judgeSql(sqlOf(*m_review), pair, m_evidence);
  } else {
    m_judged = {model.evaluation.verdicts[e], model.verdicts[e]};
  }
  m_verdict->setText(verdictText());
  QString state;
  const QString match = m_judged.match.match.exact ? tr("exact match") : tr("no match");
  if (other) {
    state = tr("Shown instead of the prediction: %1, %2").arg(m_otherName, match);
  } else if (edited()) {
    state = tr("Edited (kept as a note, the files stay): %1").arg(match);
  } else if (m_editing) {
    state = tr("Change either query: match, category and results follow.");
  }
  showText(m_editState, state);
  m_revert->setVisible(edited() && !other);
  m_reasons->showReasons(m_judged.category, m_judged.match.match.exact);
}

QString ExamplePanel::verdictText() const {
  if (m_example < 0) return {};
  const CategoryVerdict& verdict = m_judged.category;
  QStringList parts = {tr("Program: %1").arg(categoryTitle(verdict.category))};
  if (!verdict.subType.empty()) parts.append(engineText(verdict.subType));
  if (verdict.possibleFalsePositive) parts.append(tr("perhaps wrong all the same"));
  parts.append(tr("confidence %1").arg(QLocale().toString(verdict.confidence, 'f', 2)));
  if (!m_judged.match.parseError.empty())
    parts.append(tr("the official parser refuses it: %1").arg(fromUtf8(m_judged.match.parseError)));
  const auto stale = m_review->judgements().stale(std::size_t(m_model), std::size_t(m_example));
  for (const CategoryOverride& old : stale)
    if (const auto category = errorCategoryFromId(old.category))
      parts.append(tr("set to %1 when the SQL was another one").arg(categoryTitle(*category)));
  return parts.join(QStringLiteral(" · "));
}

void ExamplePanel::markReason(int reason) {
  for (SqlEditor* editor : {m_gold, m_predicted}) editor->clearMarks(SqlEditor::Reason);
  const auto& reasons = m_judged.category.reasons;
  const auto index = std::size_t(reason);
  if (reason < 0 || index >= reasons.size()) return;
  if (m_layoutStale) align();
  const auto mark = [](SqlEditor* editor, const SqlSide& side, const SourceSpan& span) {
    if (span.empty()) return;
    const int begin = int(side.textOffset(span.begin));
    editor->mark(SqlEditor::Reason, begin, int(side.textOffset(span.end)));
    editor->showByte(begin);
  };
  mark(m_gold, m_aligned.gold, reasons[index].gold);
  mark(m_predicted, m_aligned.predicted, reasons[index].predicted);
}

void ExamplePanel::setEditing(bool editing) {
  if (m_example < 0) return;
  if (!editing) keepEdits();
  if (editing && !m_otherSql.isEmpty()) showTexts();
  m_editing = editing && m_review->canBeChanged();
  m_gold->setEditable(m_editing);
  m_predicted->setEditable(m_editing);
  if (m_editing) m_predicted->setFocus(Qt::ShortcutFocusReason);
  if (!m_editing) align();
  showVerdict();
}

void ExamplePanel::keepEdits() {
  if (m_pending) takeEdits();
}

void ExamplePanel::takeEdits() {
  m_wait.stop();
  m_pending = false;
  if (m_example < 0) return;
  const auto keep = [this](EditedSide side, const SqlEditor* editor, const QString& file) {
    // Line ends and fillers were put in for the eye.
    const QString typed = QString::fromUtf8(editor->sql()).simplified();
    const bool same = normalisedSql(toUtf8(typed)) == normalisedSql(toUtf8(file));
    const Status status = m_review->setEditedText(m_example, side, same ? QString() : typed);
    if (!status.ok()) Q_EMIT failed(status.error());
    return same ? file : typed;
  };
  const QString goldBefore = m_goldSql, predictedBefore = m_predictedSql;
  m_pending = true;  // what this changes is shown already
  m_goldSql = keep({true, 0}, m_gold, goldSqlOf(*m_review, m_example));
  m_predictedSql = keep({false, std::size_t(m_model)}, m_predicted, m_review->predicted(m_model, m_example));
  m_pending = false;
  if (goldBefore == m_goldSql && predictedBefore == m_predictedSql) return;
  m_evidence.reset();
  m_layoutStale = true;
  showVerdict();
  Q_EMIT sqlShown();
}

void ExamplePanel::revert() {
  if (m_example < 0) return;
  m_pending = false;
  m_wait.stop();
  for (const EditedSide side : {EditedSide{true, 0}, EditedSide{false, std::size_t(m_model)}}) {
    const Status status = m_review->setEditedText(m_example, side, {});
    if (!status.ok()) Q_EMIT failed(status.error());
  }
  showTexts();
}

void ExamplePanel::changeEvent(QEvent* event) {
  WrappingPane::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_example >= 0 && !m_review->empty()) showQuestion();
  if (event->type() != QEvent::FontChange) return;
  setTextShare(m_question, font(), kQuestionSize);
  sizeTabs();
  placeSides();
}

void ExamplePanel::resizeEvent(QResizeEvent* event) {
  WrappingPane::resizeEvent(event);
  placeSides();
}

void ExamplePanel::placeSides() {
  const bool narrow = width() < kCharactersSideBySide * fontMetrics().averageCharWidth();
  m_sides->setOrientation(narrow ? Qt::Vertical : Qt::Horizontal);
}

bool ExamplePanel::eventFilter(QObject* watched, QEvent* event) {
  if ((watched == m_gold || watched == m_predicted) && event->type() == QEvent::Resize) m_level.start();
  // Escape leaves the text and keeps what was typed.
  if ((watched == m_gold || watched == m_predicted) && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && m_editing) {
    keepEdits();
    (m_alone ? static_cast<QWidget*>(m_bar) : m_reasons)->setFocus(Qt::OtherFocusReason);
    return true;
  }
  return WrappingPane::eventFilter(watched, event);
}

}  // namespace fathom
