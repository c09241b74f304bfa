// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/try_panel.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/errors/aligned_editors.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/sql_editor.h"
#include "views/panels/errors/try_history.h"
#include "views/panels/linking/link_matrix.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/heading.h"
#include "views/panels/widgets/titled_side.h"

namespace fathom {

namespace {

// Tables first, the extra one with them, then columns: the rows of the matrix.
QVector<LinkItem> matrixItems(const SchemaItems& items) {
  QVector<LinkItem> all;
  for (const std::string& table : items.tables) all.append({fromUtf8(table), true});
  for (const SchemaItems::Column& column : items.columns) {
    const QString table =
        column.table < 0 ? QString() : fromUtf8(items.tables[std::size_t(column.table)]) + QLatin1Char('.');
    all.append({table + fromUtf8(column.name), false});
  }
  return all;
}

QVector<quint8> matrixCodes(const SchemaLinks& links) {
  QVector<quint8> codes;
  for (const auto* cells : {&links.table, &links.column})
    for (const LinkCode code : *cells) codes.append(quint8(code));
  return codes;
}

SchemaLinks linksOfMatrix(const QVector<quint8>& codes, int words, const SchemaItems& items) {
  SchemaLinks links(words, items.columnCount(), items.tableCount());
  qsizetype at = 0;
  for (auto* cells : {&links.table, &links.column})
    for (LinkCode& code : *cells) code = LinkCode(codes[at++]);
  return links;
}

QString judgedWords(const JudgedSql& judged) {
  QStringList parts = {judged.match.match.exact ? categoryTitle(ErrorCategory::Correct)
                                                : categoryTitle(judged.category.category)};
  if (!judged.category.subType.empty()) parts.append(engineText(judged.category.subType));
  parts.append(judged.match.match.exact ? TryPanel::tr("exact match") : TryPanel::tr("no match"));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

TryPanel::TryPanel(ReviewedPredictions* review, QWidget* parent)
    : QWidget(parent),
      m_review(review),
      m_subject(new ElidedLabel({}, this)),
      m_database(narrowChoice(this, tr("Database of the question"), 18)),
      m_question(new QLineEdit(this)),
      m_buttons(new QHBoxLayout),
      m_state(wrappedLabel(this)),
      m_waiting(new QWidget(this)),
      m_progressText(new QLabel(m_waiting)),
      m_progress(new QProgressBar(m_waiting)),
      m_problem(wrappedLabel(this, QStringLiteral("tryProblem"))),
      m_links(new LinkMatrix(this)),
      m_historyModel(new TryHistoryModel(&m_tries, this)),
      m_history(rowTable(m_historyModel, tr("Tries"), this)),
      m_sides(new QSplitter(Qt::Horizontal, this)),
      m_beforeTitle(new ElidedLabel({}, this)),
      m_nowTitle(new ElidedLabel({}, this)),
      m_before(new SqlEditor(this)),
      m_now(new SqlEditor(this)),
      m_beforeVerdict(wrappedLabel(this, QStringLiteral("beforeVerdict"))),
      m_nowVerdict(wrappedLabel(this, QStringLiteral("nowVerdict"))),
      m_results(new ResultsPanel(this)) {
  auto* upper = new QSplitter(Qt::Horizontal, this);
  upper->addWidget(m_links);
  upper->addWidget(m_history);
  upper->setChildrenCollapsible(false);
  upper->setSizes({700, 500});
  auto* all = new QSplitter(Qt::Vertical, this);
  fillSplitter(all, {{upper, 3}, {makeSides(), 2}, {m_results, 3}});
  makeColumn(this, {makeHead(), {all, 1}}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  m_history->setSelectionMode(QAbstractItemView::SingleSelection);
  m_history->setWordWrap(false);
  fitHistory();
  connect(m_history->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& row) {
            if (row.isValid() && row.row() != m_shown) showTry(row.row());
          });
  connect(m_question, &QLineEdit::textChanged, this, [this] {
    showState();
    Q_EMIT questionEdited();
  });
  connect(m_links->model(), &LinkMatrixModel::linkChanged, this, [this] {
    showState();
    Q_EMIT questionEdited();
  });
  connect(m_database, &QComboBox::activated, this, [this] { setDatabase(m_database->currentText()); });
  connect(review, &ReviewedPredictions::reviewChanged, this, &TryPanel::clear);
  clear();
}

QWidget* TryPanel::makeHead() {
  auto* head = new QWidget(this);
  m_database->setObjectName(QStringLiteral("askedDatabase"));
  m_question->setAccessibleName(tr("Question"));
  m_question->setPlaceholderText(tr("A question to the database"));
  m_question->setMaxLength(20000);
  m_question->setClearButtonEnabled(true);
  setHeadingRank(m_subject, HeadingRank::Panel);
  m_buttons->setSpacing(metrics::kGrid);
  auto* cancel = flatTextButton(m_waiting, tr("Cancel"), tr("Asks no longer"));
  m_progress->setTextVisible(false);
  m_progress->setMaximumWidth(160);
  makeRow(m_waiting, {m_progress, {m_progressText, 1}, cancel}, metrics::kMargin);
  connect(cancel, &QToolButton::clicked, this, &TryPanel::cancelRequested);
  setTextColour(m_problem, Theme::of(palette()).failed);
  makeColumn(head,
             {makeRow({{m_subject, 1}, m_database, m_buttons}, metrics::kMargin), m_question, m_state,
              m_waiting, m_problem},
             metrics::kGrid);
  return head;
}

QWidget* TryPanel::makeSides() {
  m_before->setAccessibleName(tr("SQL before"));
  m_before->setObjectName(QStringLiteral("beforeSql"));
  m_now->setAccessibleName(tr("SQL now"));
  m_now->setObjectName(QStringLiteral("nowSql"));
  const auto side = [this](SqlEditor* editor, QLabel* verdict) {
    auto* body = new QWidget(this);
    makeColumn(body, {{editor, 1}, verdict}, metrics::kGrid);
    return body;
  };
  addTitledSide(m_sides, m_beforeTitle, side(m_before, m_beforeVerdict));
  addTitledSide(m_sides, m_nowTitle, side(m_now, m_nowVerdict));
  m_sides->setChildrenCollapsible(false);
  m_sides->setSizes({1000, 1000});
  return m_sides;
}

void TryPanel::setActions(QAction* predict, QAction* original, QAction* own) {
  for (QAction* action : {predict, original, own}) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly
                                                       : Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAutoRaise(action != predict);
    m_buttons->addWidget(button);
  }
}

void TryPanel::clear() {
  m_model = m_example = m_shown = -1;
  m_tries.clear();
  m_historyModel->refresh();
  m_items = {};
  showIdle();
  showProblem({});
  const QSignalBlocker quiet(m_question);
  m_question->clear();
  m_subject->setFullText({});
  showLinks(nullptr);
  showAnother();
}

const SpiderSchema* TryPanel::schema() const {
  if (m_model < 0 || m_review->empty()) return nullptr;
  if (m_example >= 0) return schemaOf(*m_review, m_example);
  return findSchema(sqlOf(*m_review).schemas, toUtf8(m_database->currentText()));
}

void TryPanel::fillDatabases() {
  m_database->clear();
  for (const auto& [id, schema] : sqlOf(*m_review).schemas) m_database->addItem(fromUtf8(id));
}

void TryPanel::setSubject(int model, int example) {
  if (m_model == model && m_example == example && model >= 0) return;
  const QString database = m_database->currentText().isEmpty() && m_review->currentExample() >= 0
                               ? databaseOf(*m_review, m_review->currentExample())
                               : m_database->currentText();
  clear();
  if (m_review->empty() || model < 0) return;
  m_model = model;
  m_example = example;
  m_database->setVisible(example < 0);
  m_results->setSides(tr("Before"), tr("Now"));
  if (example < 0) {
    fillDatabases();
    m_subject->setFullText(tr("A question of one's own · %1").arg(m_review->modelName(model)));
    const int last = m_database->findText(database);
    setDatabase(last < 0 ? m_database->itemText(0) : database);
    m_question->setFocus(Qt::OtherFocusReason);
    return;
  }
  m_subject->setFullText(
      tr("#%1 · %2 · %3")
          .arg(QString::number(example), databaseOf(*m_review, example), m_review->modelName(model)));
  if (const SpiderSchema* known = schema()) m_items = schemaItems(*known);
  m_question->setText(questionOf(*m_review, example));
  showAnother();
}

void TryPanel::setDatabase(const QString& database) {
  if (m_example >= 0 || m_model < 0) return;
  m_database->setCurrentIndex(m_database->findText(database));
  m_shown = -1;
  m_tries.clear();
  m_historyModel->refresh();
  if (const SpiderSchema* known = schema()) m_items = schemaItems(*known);
  showLinks(nullptr);
  showAnother();
}

// Another question has other words: the links that are shown say nothing about it.
bool TryPanel::edited() const {
  return m_shown < 0 || toUtf8(m_question->text()) != m_tries[m_shown].asked.question;
}

AskedQuestion TryPanel::asked() const {
  AskedQuestion asked;
  asked.database = toUtf8(m_example >= 0 ? databaseOf(*m_review, m_example) : m_database->currentText());
  asked.question = toUtf8(m_question->text());
  if (edited()) return asked;
  const LinkMatrixModel& links = *m_links->model();
  asked.tokens = m_tries[m_shown].asked.tokens;
  if (links.changedCells() > 0 && !links.words().isEmpty())
    asked.links = linksOfMatrix(links.codes(), int(links.words().size()), m_items);
  return asked;
}

// Links of the first try of this question that had none of a person's.
QVector<quint8> TryPanel::foundLinks(const AskedQuestion& asked) const {
  for (const PredictionTry& made : m_tries)
    if (!made.ownLinks && made.asked.links && made.asked.question == asked.question &&
        made.asked.tokens == asked.tokens)
      return matrixCodes(*made.asked.links);
  return {};
}

void TryPanel::judge(PredictionTry& made, const std::optional<ExecutionEvidence>& evidence) const {
  const SpiderSchema* known = schema();
  if (m_example < 0 || known == nullptr) return;
  SpiderPair pair = sqlOf(*m_review).models[std::size_t(m_model)].pairs[std::size_t(m_example)];
  pair.predicted = toUtf8(made.sql);
  made.judged = judgeSql(sqlOf(*m_review), pair, evidence);
}

void TryPanel::addTry(PredictionTry made) {
  judge(made, {});
  const QVector<quint8> found = foundLinks(made.asked);
  if (made.asked.links && !found.isEmpty()) {
    const QVector<quint8> now = matrixCodes(*made.asked.links);
    for (qsizetype i = 0; i < qMin(now.size(), found.size()); ++i)
      made.changedLinks += now[i] != found[i] ? 1 : 0;
  }
  m_tries.append(std::move(made));
  m_historyModel->refresh();
  fitHistory();
  showTry(int(m_tries.size()) - 1);
}

// Every column is in view: question and SQL share what the short ones leave.
void TryPanel::fitHistory() {
  QHeaderView* header = m_history->horizontalHeader();
  header->setTextElideMode(Qt::ElideRight);
  for (int column = 0; column < m_historyModel->columnCount(); ++column) {
    const bool wide = column == TryHistoryModel::kQuestion || column == TryHistoryModel::kSql;
    header->setSectionResizeMode(column, wide ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
  }
}

void TryPanel::showTry(int index) {
  if (index < 0 || index >= m_tries.size()) return;
  m_shown = index;
  {
    const QSignalBlocker quiet(m_question);
    m_question->setText(fromUtf8(m_tries[index].asked.question));
  }
  showLinks(&m_tries[index]);
  m_history->setCurrentIndex(m_historyModel->index(index, 0));
  showProblem({});
  showAnother();
}

void TryPanel::showOriginal() {
  if (!m_tries.isEmpty()) return showTry(0);
  if (m_example >= 0) m_question->setText(questionOf(*m_review, m_example));
}

// Since the try that is shown something was typed or linked otherwise.
bool TryPanel::touched() const {
  if (m_shown < 0) return false;
  const auto& links = m_tries[m_shown].asked.links;
  return edited() || (links && m_links->model()->codes() != matrixCodes(*links));
}

void TryPanel::undo() {
  if (m_shown < 0) return showOriginal();
  showTry(touched() ? m_shown : qMax(0, m_shown - 1));
}

void TryPanel::redo() {
  showTry(m_shown + 1);
}

void TryPanel::weigh(int index, const ExecutionEvidence& evidence) {
  if (index < 0 || index >= m_tries.size()) return;
  PredictionTry& made = m_tries[index];
  judge(made, evidence);
  made.results = !evidence.comparable ? QString()
                 : evidence.equal     ? tr("same as gold")
                                      : tr("other than gold");
  m_historyModel->refresh();
  m_history->setCurrentIndex(m_historyModel->index(m_shown, 0));
  showQueries();
}

void TryPanel::showLinks(const PredictionTry* shown) {
  if (shown == nullptr || !shown->asked.links) {
    m_links->model()->setLinks({}, {}, {});
    m_links->model()->setEditable(false);
    return;
  }
  QStringList words;
  for (const std::string& word : shown->asked.tokens) words.append(fromUtf8(word));
  m_links->model()->setLinks(words, matrixItems(m_items), matrixCodes(*shown->asked.links));
  m_links->model()->setOriginal(foundLinks(shown->asked));
  m_links->model()->setEditable(true);
  showState();
}

QString TryPanel::beforeSql() const {
  if (m_shown > 0) return m_tries.first().sql;
  return m_example >= 0 && m_model >= 0 ? m_review->predicted(m_model, m_example) : QString();
}

QString TryPanel::nowSql() const {
  return m_shown >= 0 ? m_tries[m_shown].sql : QString();
}

QString TryPanel::goldSql() const {
  return m_example >= 0 && !m_review->empty() ? goldSqlOf(*m_review, m_example) : QString();
}

// A side that is not there yet is no difference.
void TryPanel::showSides(const QString& before, const QString& now) {
  const QString &left = before.isEmpty() ? now : before, &right = now.isEmpty() ? before : now;
  if (!left.isEmpty()) showAligned({m_before, toUtf8(left)}, {m_now, toUtf8(right)}, schema());
  if (before.isEmpty()) m_before->showSql({});
  if (now.isEmpty()) m_now->showSql({});
}

void TryPanel::showQueries() {
  showState();
  const QString before = beforeSql(), now = nowSql();
  const bool first = m_shown <= 0;
  m_beforeTitle->setFullText(first ? tr("Stored prediction") : tr("Original"));
  m_nowTitle->setFullText(m_shown < 0    ? tr("Prediction")
                          : m_shown == 0 ? tr("Predicted now")
                                         : tr("Try %1").arg(m_shown));
  m_before->parentWidget()->parentWidget()->setVisible(!before.isEmpty());
  showSides(before, now);
  std::optional<JudgedSql> was;
  if (first && m_example >= 0 && m_model >= 0) {
    const SpiderModel& model = sqlOf(*m_review).models[std::size_t(m_model)];
    was = JudgedSql{model.evaluation.verdicts[std::size_t(m_example)],
                    sqlVerdictOf(*m_review, m_model, m_example)};
  } else if (!m_tries.isEmpty()) {
    was = m_tries.first().judged;
  }
  showText(m_beforeVerdict, was && !before.isEmpty() ? judgedWords(*was) : QString());
  const bool judged = m_shown >= 0 && m_tries[m_shown].judged.has_value();
  showText(m_nowVerdict, judged ? judgedWords(*m_tries[m_shown].judged) : QString());
}

void TryPanel::showAnother() {
  showQueries();
  Q_EMIT tryShown();
}

void TryPanel::showState() {
  QString text;
  if (m_model < 0) {
    text = tr("Choose a prediction of a run.");
  } else if (m_shown < 0 && m_example < 0) {
    text = tr("Write a question and press Predict: its links and its SQL appear below.");
  } else if (m_shown >= 0 && edited()) {
    text = tr("The question is another one: its links are found when it is predicted.");
  } else if (m_shown >= 0 && m_links->model()->changedCells() > 0) {
    text = tr("Links changed: %1").arg(m_links->model()->changedCells());
  } else if (m_shown >= 0 && beforeSql() == nowSql()) {
    text = tr("The SQL is the same as before.");
  } else if (m_shown >= 0 && !beforeSql().isEmpty()) {
    text = tr("The SQL is another one than before.");
  }
  showText(m_state, text);
}

void TryPanel::showBusy(const ProgressUpdate& update) {
  m_busy = true;
  m_waiting->setVisible(true);
  m_progressText->setText(update.phase.empty() ? tr("Asking the model") : engineText(update.phase));
  showProgress(m_progress, update);
}

void TryPanel::showIdle() {
  m_busy = false;
  m_waiting->setVisible(false);
}

void TryPanel::showProblem(const QString& text) {
  showText(m_problem, text);
}

}  // namespace fathom
