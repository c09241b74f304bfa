// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/prediction_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include "core/base/json/json_members.h"
#include "views/look/theme.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/prediction_columns.h"
#include "views/panels/errors/prediction_table_delegate.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/natural_split.h"
#include "views/tables/prediction_table_model.h"

namespace fathom {

PredictionPanel::PredictionPanel(PredictionTableModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_modelBox(narrowChoice(this, tr("Model"), 8)),
      m_subsetBox(narrowChoice(this, tr("Set of examples"), 8)),
      m_filterBox(searchLine(this, tr("Filter: words, /regex/"))),
      m_facetButton(flatTextButton(this, tr("Facets"), {}, QStringLiteral("filter"))),
      m_problem(wrappedLabel(this)),
      m_count(new QLabel(this)),
      m_facets(new FacetPanel(this)),
      m_stack(new QStackedWidget(this)),
      m_table(compactTable(model, tr("Predictions"), this)),
      m_nothingMatches(new EmptyState(this)),
      m_clear(new QAction(tr("Clear the filter"), this)),
      m_progress(new QProgressBar(this)),
      m_progressText(new ElidedLabel({}, this)),
      m_split(new QSplitter(Qt::Vertical, this)) {
  m_modelBox->setToolTip(tr("The model whose predictions are looked at"));
  m_filterBox->setAccessibleName(tr("Filter the predictions"));
  m_facetButton->setCheckable(true);
  m_facetButton->setToolTip(
      tr("Kinds of examples to be ticked; the list has the room while they are folded"));
  m_problem->hide();
  m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  constexpr int kPauseMilliseconds = 300;
  m_move.setSingleShot(true);
  m_move.setInterval(kPauseMilliseconds);
  connect(&m_move, &QTimer::timeout, this, &PredictionPanel::moveIntoList);
  // While it is typed a pattern is none now and then.
  m_complain.setSingleShot(true);
  m_complain.setInterval(kPauseMilliseconds);
  connect(&m_complain, &QTimer::timeout, m_problem, &QLabel::show);
  m_progress->setTextVisible(false);
  m_progress->setFixedHeight(4);
  makeTable();
  makeLayout();
  connectModel();
}

void PredictionPanel::makeTable() {
  m_table->setItemDelegate(new PredictionTableDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_table->horizontalHeader()->setMinimumSectionSize(22);
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(0, Qt::AscendingOrder);
  m_columns = new PredictionColumns(m_table, m_model);
  m_table->installEventFilter(this);
  m_nothingMatches->setActions({m_clear});
  m_stack->addWidget(m_table);
  m_stack->addWidget(m_nothingMatches);
}

void PredictionPanel::makeLayout() {
  auto* top = makeRow({{m_modelBox, 1}, {m_subsetBox, 1}});
  auto* filter = makeRow({{m_filterBox, 1}, m_facetButton});
  fillSplitter(m_split, {m_facets, {m_stack, 1}}, {150, 400});
  m_facets->hide();
  m_natural = new NaturalSplit(m_split, [this] { return facetsLength(); }, {.least = 0.15, .most = 0.4});
  connect(m_facets, &QTreeWidget::expanded, m_natural, &NaturalSplit::refresh);
  connect(m_facets, &QTreeWidget::collapsed, m_natural, &NaturalSplit::refresh);
  auto* bottom = makeRow({{m_progressText, 1}, m_count});
  makeColumn(this, {top, filter, m_problem, {m_split, 1}, m_progress, bottom}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, 0, metrics::kMargin});
}

int PredictionPanel::facetsLength() const {
  constexpr int kCharactersBeside = 40;
  return m_split->orientation() == Qt::Vertical ? m_facets->naturalHeight()
                                                : kCharactersBeside * fontMetrics().averageCharWidth();
}

// Beside the list they take nothing from it: they unfold, unless somebody folded them.
void PredictionPanel::setFacetsBeside(bool beside) {
  if (!m_facetsChosen) m_facetButton->setChecked(beside);
  m_split->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
  m_natural->refresh();
}

void PredictionPanel::connectModel() {
  ReviewedPredictions* review = m_model->reviewed();
  m_filterBox->installEventFilter(this);
  connect(m_filterBox, &QLineEdit::textChanged, this, &PredictionPanel::applyFilter);
  connect(m_filterBox, &QLineEdit::returnPressed, this, [this] {
    moveIntoList();
    if (m_model->rowCount() > 0) m_table->setFocus(Qt::OtherFocusReason);
  });
  connect(m_facetButton, &QToolButton::toggled, m_facets, &QWidget::setVisible);
  connect(m_facetButton, &QToolButton::clicked, this, [this] { m_facetsChosen = true; });
  connect(m_facetButton, &QToolButton::toggled, this, &PredictionPanel::layoutChanged);
  connect(m_clear, &QAction::triggered, this, [this] {
    clearFilter();
    m_model->refresh();
    m_table->setFocus();
  });
  connect(m_facets, &FacetPanel::ticked, this, [this](int facet, int value, bool on) {
    m_model->filter().tick(facet, value, on);
    m_model->refresh();
    moveIntoList();
  });
  connect(m_modelBox, &QComboBox::activated, this, [this](int index) {
    m_model->reviewed()->choose(index, m_model->reviewed()->currentExample(), this);
  });
  connect(m_subsetBox, &QComboBox::activated, this,
          [this](int index) { showSubset(m_subsetBox->itemData(index).toInt()); });
  connect(review, &ReviewedPredictions::reviewChanged, this, [this] {
    fillModels();
    fillSubsets();
    m_filterBox->setPlaceholderText(filterHint());
    m_filterBox->setToolTip(m_filterBox->placeholderText());
    m_columns->restart();
  });
  connect(review, &ReviewedPredictions::currentChanged, this, &PredictionPanel::followCurrent);
  connect(m_model, &PredictionTableModel::filtered, this, [this] {
    showCounts();
    m_columns->sizeOnce();
    m_natural->refresh();
    followCurrent();
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (m_following || !current.isValid()) return;
            m_model->reviewed()->choose(m_model->reviewed()->currentModel(),
                                        m_model->exampleOfRow(current.row()), this);
          });
}

void PredictionPanel::setContextActions(const QList<QAction*>& actions) {
  for (QAction* action : actions) m_table->addAction(action);
}

void PredictionPanel::fillModels() {
  const ReviewedPredictions* review = m_model->reviewed();
  const QSignalBlocker quiet(m_modelBox);
  m_modelBox->clear();
  for (int i = 0; i < review->models(); ++i)
    m_modelBox->addItem(tr("%1  %2").arg(PredictionTableModel::modelLetter(i), review->modelName(i)));
}

// Names facets that these predictions have.
QString PredictionPanel::filterHint() const {
  constexpr qsizetype kLongestWord = 16;
  QStringList hints;
  for (const ShownFacet& facet : m_model->filter().facets()) {
    const bool ofCategory = facet.id == QLatin1String("category");
    if (facet.id == QLatin1String("is") || facet.id == QLatin1String("tag") || hints.size() == 2) continue;
    // The first category is "right".
    for (std::size_t v = ofCategory ? 1 : 0; v < facet.values.size(); ++v) {
      const QString& word = facet.values[v].word;
      if (word.contains(QLatin1Char(' ')) || word.size() > kLongestWord) continue;
      hints.append(facet.id + QLatin1Char(':') + word);
      break;
    }
  }
  return hints.isEmpty() ? tr("Filter: words, /regex/")
                         : tr("Filter: words, %1, /regex/").arg(hints.join(QStringLiteral(", ")));
}

void PredictionPanel::fillSubsets() {
  const ReviewedPredictions* review = m_model->reviewed();
  const ReviewFilter& filter = m_model->filter();
  const QSignalBlocker quiet(m_subsetBox);
  if (review->empty() || review->currentModel() < 0) {
    m_subsetBox->clear();
    return;
  }
  const QLocale locale;
  int place = 0;
  // Most filter keys change no text here.
  const auto add = [this, &place](ReviewSubset subset, const QString& text) {
    if (place == m_subsetBox->count()) m_subsetBox->addItem(QString());
    if (m_subsetBox->itemText(place) != text) m_subsetBox->setItemText(place, text);
    m_subsetBox->setItemData(place++, int(subset));
  };
  const int wrong = review->progress(review->currentModel()).wrong;
  add(ReviewSubset::All, tr("all (%1)").arg(locale.toString(review->examples())));
  add(ReviewSubset::WrongHere, tr("wrong here (%1)").arg(locale.toString(wrong)));
  add(ReviewSubset::WrongInAll, tr("all wrong (%1)").arg(locale.toString(review->wrongInAll())));
  add(ReviewSubset::WrongInAny, tr("any wrong (%1)").arg(locale.toString(review->wrongInAny())));
  const int right = review->progress(review->currentModel()).right;
  add(ReviewSubset::RightHere, tr("right here (%1)").arg(locale.toString(right)));
  if (filter.picked() > 0)
    add(ReviewSubset::Picked, tr("%1 (%2)").arg(filter.pickedTitle(), locale.toString(filter.picked())));
  while (m_subsetBox->count() > place) m_subsetBox->removeItem(place);
  m_subsetBox->setCurrentIndex(m_subsetBox->findData(int(filter.subset())));
  m_subsetBox->setToolTip(tr("Which examples are shown; “all wrong” are those that every model has wrong"));
}

void PredictionPanel::showSubset(int subset) {
  m_model->filter().setSubset(static_cast<ReviewSubset>(subset));
  m_model->refresh();
  moveIntoList();
}

void PredictionPanel::showAll() {
  clearFilter();
  showSubset(int(ReviewSubset::All));
}

// The example that is looked at becomes one of the list.
void PredictionPanel::moveIntoList() {
  m_move.stop();
  const ReviewedPredictions* review = m_model->reviewed();
  if (review->empty() || m_model->rowCount() == 0) return;
  if (m_model->rowOfExample(review->currentExample()) < 0)
    m_model->reviewed()->choose(review->currentModel(), m_model->exampleOfRow(0), this);
}

Json PredictionPanel::saveFilter() const {
  return m_model->filter().save();
}

void PredictionPanel::restoreFilter(const Json& saved) {
  m_model->filter().restore(saved);
  {
    const QSignalBlocker quiet(m_filterBox);
    m_filterBox->setText(m_model->filter().text());
  }
  m_model->refresh();
  moveIntoList();
}

void PredictionPanel::clearFilter() {
  m_model->filter().clear();
  const QSignalBlocker quiet(m_filterBox);
  m_filterBox->clear();
  m_complain.stop();
  m_problem->hide();
}

void PredictionPanel::showPicked(const std::vector<int>& examples, const QString& title) {
  if (examples.empty()) return;
  clearFilter();
  m_model->filter().pick(examples, title);
  m_model->refresh();
  m_model->reviewed()->choose(m_model->reviewed()->currentModel(), examples.front(), this);
}

void PredictionPanel::showCategory(const QString& category) {
  clearFilter();
  m_model->filter().setSubset(ReviewSubset::All);
  const auto& facets = m_model->filter().facets();
  for (std::size_t f = 0; f < facets.size(); ++f)
    for (std::size_t v = 0; facets[f].id == QLatin1String("category") && v < facets[f].values.size(); ++v)
      if (facets[f].values[v].word == category) m_model->filter().tick(int(f), int(v), true);
  m_model->refresh();
  if (m_model->rowCount() > 0)
    m_model->reviewed()->choose(m_model->reviewed()->currentModel(), m_model->exampleOfRow(0), this);
}

void PredictionPanel::applyFilter(const QString& text) {
  QString problem;
  const bool fine = m_model->filter().setText(text, &problem);
  if (!fine) {
    m_problem->setText(tr("Not a regular expression: %1").arg(problem));
    m_complain.start();
    return;
  }
  m_complain.stop();
  m_problem->hide();
  m_model->refresh();
  m_move.start();
}

void PredictionPanel::showCounts() {
  const ReviewedPredictions* review = m_model->reviewed();
  const ReviewFilter& filter = m_model->filter();
  const QLocale locale;
  m_facets->showFilter(filter);
  // Ticks count while they are folded, too.
  const int ticks = filter.ticks();
  m_facetButton->setText(ticks == 0 ? tr("Facets") : tr("Facets · %1 ticked").arg(ticks));
  fillSubsets();
  const bool any = m_model->rowCount() > 0 || review->empty();
  if (!any)
    m_nothingMatches->setText(filter.text().isEmpty() ? tr("No example is in this set with these facets.")
                                                      : tr("Nothing matches “%1”.").arg(filter.text()));
  m_stack->setCurrentIndex(any ? 0 : 1);
  showShare();
  m_progressText->setFullText(progressText());
  if (review->currentModel() < 0) return;
  const HandCheck progress = review->progress(review->currentModel());
  m_progress->setRange(0, qMax(1, progress.wrong));
  m_progress->setValue(progress.reviewed);
  m_progress->setAccessibleName(progressText());
}

// How many the list shows; and where the one that is looked at is not among them, that.
void PredictionPanel::showShare() {
  const ReviewedPredictions* review = m_model->reviewed();
  const QLocale locale;
  const QString share =
      tr("%1 of %2").arg(locale.toString(m_model->rowCount()), locale.toString(review->examples()));
  const bool outside = !review->empty() && m_model->rowOfExample(review->currentExample()) < 0;
  const QString text =
      outside ? tr("#%1 is not in this list · %2").arg(review->currentExample()).arg(share) : share;
  // Its size stays as long as it may: another one lays out the whole workspace and paints it, at every key.
  const QFontMetrics letters = m_count->fontMetrics();
  constexpr int kLeast = 80;
  const int room = qMax(width() * 3 / 5, kLeast);
  const QSize natural = letters.size(Qt::TextSingleLine, text);  // Chinese is higher than the font says
  const QSize needed(qMin(natural.width() + metrics::kGrid, room), natural.height());
  if (m_count->height() != needed.height() || m_count->width() < needed.width() || m_count->width() > room)
    m_count->setFixedSize(needed);
  m_count->setText(letters.elidedText(text, Qt::ElideRight, m_count->width()));
  const QString help = tr("Examples shown, and all examples");
  m_count->setToolTip(m_count->text() == text ? help : text + QLatin1Char('\n') + help);
}

void PredictionPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) showShare();
}

QString PredictionPanel::progressText() const {
  const ReviewedPredictions* review = m_model->reviewed();
  if (review->empty() || review->currentModel() < 0) return {};
  const HandCheck progress = review->progress(review->currentModel());
  const QLocale locale;
  return tr("%1 of %2 reviewed").arg(locale.toString(progress.reviewed), locale.toString(progress.wrong));
}

void PredictionPanel::followCurrent() {
  const ReviewedPredictions* review = m_model->reviewed();
  if (review->empty()) return;
  m_modelBox->setCurrentIndex(review->currentModel());
  showShare();
  const int row = m_model->rowOfExample(review->currentExample());
  if (row < 0 || row == m_table->currentIndex().row()) return;
  m_following = true;
  const int scrolled = m_table->horizontalScrollBar()->value();
  const QModelIndex index = m_model->index(row, qMax(0, m_table->currentIndex().column()));
  // By itself the table would add a row while Ctrl is held down: after Ctrl+Z there would be two.
  m_table->selectionModel()->setCurrentIndex(index,
                                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  m_table->scrollTo(m_model->index(row, 0));
  m_table->horizontalScrollBar()->setValue(scrolled);  // another row is no other column
  m_following = false;
}

bool PredictionPanel::goWrong(int direction) {
  const ReviewedPredictions* review = m_model->reviewed();
  const int row = m_model->nextWrong(m_model->rowOfExample(review->currentExample()), direction);
  if (row < 0) return false;
  m_model->reviewed()->choose(review->currentModel(), m_model->exampleOfRow(row), this);
  return true;
}

void PredictionPanel::copyRows() const {
  QStringList lines;
  const auto line = [this](const auto& cell) {
    QStringList cells;
    for (int column = 0; column < m_model->columnCount(); ++column) cells.append(cell(column));
    return cells.join(QLatin1Char('\t'));
  };
  lines.append(line([this](int column) { return m_model->headerData(column, Qt::Horizontal).toString(); }));
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
    lines.append(line([&index](int column) { return index.siblingAtColumn(column).data().toString(); }));
  QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

bool PredictionPanel::eventFilter(QObject* watched, QEvent* event) {
  // Before the first key: a pattern would wait for it.
  if (watched == m_filterBox && event->type() == QEvent::FocusIn) m_model->filter().prepareForPatterns();
  if (watched == m_table && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
    copyRows();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void PredictionPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange || m_model->rowCount() == 0) return;
  m_columns->size();
  showShare();
}

int PredictionPanel::naturalWidth() const {
  constexpr int kScrollBar = 20;
  return m_columns->naturalWidth() + kScrollBar + 2 * metrics::kMargin;
}

QByteArray PredictionPanel::saveLayout() const {
  Json json;
  if (m_facetsChosen) json["facets_chosen"] = m_facetButton->isChecked();
  json["split"] = m_natural->saved().toBase64().toStdString();
  return QByteArray::fromStdString(json.dump());
}

void PredictionPanel::restoreLayout(const QByteArray& text) {
  const Json json = Json::parse(text.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  m_facetsChosen = json.contains("facets_chosen");
  if (m_facetsChosen) m_facetButton->setChecked(memberFlag(json, "facets_chosen", false));
  if (const std::string split = memberText(json, "split"); !split.empty())
    m_natural->restore(QByteArray::fromBase64(QByteArray::fromStdString(split)));
}

}  // namespace fathom
