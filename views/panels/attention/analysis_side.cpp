// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/analysis_side.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QScrollArea>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "views/look/run_swatch.h"
#include "views/look/theme.h"
#include "views/panels/attention/checkpoint_bar.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/name_delegate.h"
#include "views/tables/run_names.h"

namespace fathom {

namespace {

constexpr int kUuid = Qt::UserRole;
constexpr int kMostRows = 14, kLeastRunRows = 4;
constexpr double kRingPixels = 1.5;
constexpr int kMostComputation = 210;  // pixels; more can be scrolled to

// A ring stands for a curve that is not drawn, without a piece of its curve below.
QIcon swatch(int number, const QColor& colour, bool drawn) {
  QPixmap pixmap(metrics::kIcon, metrics::kIcon);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, kRingPixels));
  if (drawn) painter.setBrush(colour);
  painter.drawEllipse(QRectF(3.75, drawn ? 1.75 : 3.75, 8.5, 8.5));
  if (drawn) drawSwatch(painter, QRectF(0, 12, metrics::kIcon, 3), number, colour);
  return QIcon(pixmap);
}

}  // namespace

AnalysisSide::AnalysisSide(QWidget* parent)
    : QWidget(parent),
      m_analyses(new QListWidget(this)),
      m_filter(filterLine(this, tr("Filter runs"), tr("Filter runs"))),
      m_runs(new QListWidget(this)),
      m_checkpoints(new CheckpointBar(this)),
      m_computationTitle(headingLabel(this, tr("Computed from"))),
      m_variants(new QComboBox(this)),
      m_computationArea(new QScrollArea(this)),
      m_computation(new FigureChoices(m_computationArea, FigureChoices::Texts::Typed)) {
  m_analyses->setAccessibleName(tr("Analysis"));
  m_analyses->setTextElideMode(Qt::ElideRight);
  m_analyses->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  evenRows(m_analyses);
  m_runs->setAccessibleName(tr("Runs that are compared"));
  m_runs->setItemDelegate(new NameDelegate(m_runs));
  m_runs->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const BoxPart gap = BoxPart::gap(metrics::kMargin);
  makeColumn(this,
             {headingLabel(this, tr("Analysis")),
              {m_analyses, 6},
              gap,
              headingLabel(this, tr("Runs")),
              m_filter,
              {m_runs, 4},
              gap,
              m_checkpoints,
              gap,
              m_computationTitle,
              m_variants,
              m_computationArea,
              BoxPart::stretch()},
             metrics::kGrid, {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  m_variants->setAccessibleName(tr("Stored results"));
  m_variants->setToolTip(tr("Results that are stored for these runs, by what they were computed from"));
  m_variants->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_variants->setPlaceholderText(tr("not computed yet"));
  m_variants->hide();
  m_computationArea->setFrameShape(QFrame::NoFrame);
  m_computationArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_computationArea->setWidgetResizable(true);
  m_computationArea->setWidget(m_computation);
  m_computationArea->viewport()->setAutoFillBackground(false);
  m_computation->setAutoFillBackground(false);
  connect(m_analyses, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
    if (item != nullptr) Q_EMIT analysisChosen(item->data(kUuid).toString());
  });
  connect(m_runs, &QListWidget::itemChanged, this, [this] { Q_EMIT runsChosen(chosenRuns()); });
  // A click on the name alone ticks too: the box is small.
  connect(m_runs, &QListWidget::itemActivated, this, [](QListWidgetItem* item) {
    item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
  });
  connect(m_filter, &QLineEdit::textChanged, this, &AnalysisSide::filterRuns);
  connect(m_computation, &FigureChoices::changed, this, &AnalysisSide::computationChanged);
  connect(m_variants, &QComboBox::activated, this, &AnalysisSide::variantChosen);
}

void AnalysisSide::setAnalyses(const QVector<Entry>& entries) {
  const QSignalBlocker blocker(m_analyses);
  m_analyses->clear();
  for (const Entry& entry : entries) {
    auto* item = new QListWidgetItem(entry.title, m_analyses);
    item->setData(kUuid, entry.id);
    item->setToolTip(entry.reference.isEmpty() ? entry.title
                                               : entry.title + QStringLiteral("\n") + entry.reference);
  }
  m_analyses->setCurrentRow(0);
  fitLists();
}

// All analyses in view where the window is high enough; a few runs leave them the room.
void AnalysisSide::fitLists() {
  const auto fit = [](QListWidget* list, int rows) {
    const int row = std::max(list->sizeHintForRow(0), metrics::kTableRow);
    list->setMaximumHeight(rows * row + 2 * list->frameWidth() + metrics::kGrid);
  };
  fit(m_analyses, std::min(m_analyses->count(), kMostRows));
  fit(m_runs, std::max(m_runs->count(), kLeastRunRows));
}

int AnalysisSide::naturalWidth() const {
  return m_analyses->sizeHintForColumn(0) + 2 * m_analyses->frameWidth() + 4 * metrics::kMargin;
}

QString AnalysisSide::analysis() const {
  const QListWidgetItem* item = m_analyses->currentItem();
  return item == nullptr ? QString() : item->data(kUuid).toString();
}

void AnalysisSide::setAnalysis(const QString& id) {
  for (int i = 0; i < m_analyses->count(); ++i)
    if (m_analyses->item(i)->data(kUuid) == id) m_analyses->setCurrentRow(i);
}

void AnalysisSide::setRuns(const QVector<RunItem>& runs, const QStringList& reasons) {
  const auto same = [](const RunItem& a, const RunItem& b) {
    return a.uuid == b.uuid && a.name == b.name && a.gridValues == b.gridValues && a.colour == b.colour;
  };
  const bool reasoned = std::exchange(m_reasons, reasons) != reasons;
  if (std::equal(runs.begin(), runs.end(), m_items.begin(), m_items.end(), same)) {
    if (reasoned) shadeRuns();
    return;
  }
  const QStringList ticked = chosenRuns();
  m_items = runs;
  const QSignalBlocker blocker(m_runs);
  m_runs->clear();
  const QStringList names = shortRunNames(runs);
  for (qsizetype i = 0; i < runs.size(); ++i) {
    const RunItem& run = runs[i];
    auto* item = new QListWidgetItem(swatchOf(run.uuid), names[i], m_runs);
    item->setData(kUuid, run.uuid);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(ticked.contains(run.uuid) ? Qt::Checked : Qt::Unchecked);
  }
  shadeRuns();
  filterRuns(m_filter->text());
  fitLists();
}

// Greys the runs that cannot serve and says why; they can be chosen like the others, since the window has one
// selection.
void AnalysisSide::shadeRuns() {
  const QSignalBlocker blocker(m_runs);
  const QColor grey = palette().color(QPalette::Disabled, QPalette::Text);
  for (int i = 0; i < m_runs->count(); ++i) {
    QListWidgetItem* item = m_runs->item(i);
    const QString why = m_reasons.value(i);
    item->setToolTip(why.isEmpty() ? m_items[i].name : m_items[i].name + u'\n' + why);
    item->setData(Qt::AccessibleDescriptionRole, why);
    item->setData(Qt::ForegroundRole, why.isEmpty() ? QVariant() : QVariant(QBrush(grey)));
  }
}

QIcon AnalysisSide::swatchOf(const QString& uuid) const {
  const auto run = std::find_if(m_items.begin(), m_items.end(),
                                [&uuid](const RunItem& item) { return item.uuid == uuid; });
  if (run == m_items.end()) return {};
  return swatch(run->colour, Theme::of(palette()).run(run->colour), m_drawn.contains(uuid));
}

void AnalysisSide::setDrawnRuns(const QStringList& uuids) {
  if (m_drawn == uuids) return;
  m_drawn = uuids;
  colourRuns();
}

void AnalysisSide::colourRuns() {
  const QSignalBlocker blocker(m_runs);
  for (int i = 0; i < m_runs->count(); ++i)
    m_runs->item(i)->setIcon(swatchOf(m_runs->item(i)->data(kUuid).toString()));
}

QStringList AnalysisSide::chosenRuns() const {
  QStringList uuids;
  for (int i = 0; i < m_runs->count(); ++i)
    if (m_runs->item(i)->checkState() == Qt::Checked) uuids.append(m_runs->item(i)->data(kUuid).toString());
  return uuids;
}

void AnalysisSide::setChosenRuns(const QStringList& uuids) {
  const QSignalBlocker blocker(m_runs);
  for (int i = 0; i < m_runs->count(); ++i)
    m_runs->item(i)->setCheckState(uuids.contains(m_runs->item(i)->data(kUuid).toString()) ? Qt::Checked
                                                                                           : Qt::Unchecked);
}

void AnalysisSide::setComputation(const std::vector<OptionField>& fields, const Json& values) {
  m_computation->setFields(fields, values);
  m_computationArea->setVisible(!fields.empty());
  m_computationTitle->setVisible(!fields.empty());
  if (fields.empty()) m_variants->hide();
  fitComputation();
}

void AnalysisSide::setVariants(const QStringList& words, int shown) {
  const QSignalBlocker blocker(m_variants);
  m_variants->clear();
  for (const QString& text : words) {
    m_variants->addItem(text);
    m_variants->setItemData(m_variants->count() - 1, text, Qt::ToolTipRole);
  }
  m_variants->setCurrentIndex(shown);
  m_variants->setVisible(words.size() > 1 || (words.size() == 1 && shown < 0));
}

void AnalysisSide::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    colourRuns();
    shadeRuns();
  }
  if (event->type() == QEvent::FontChange) fitLists();
}

void AnalysisSide::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitComputation();
}

void AnalysisSide::fitComputation() {
  const int across = m_computationArea->viewport()->width();
  m_computationArea->setFixedHeight(std::min(m_computation->heightForWidth(across), kMostComputation));
}

bool AnalysisSide::matches(const QListWidgetItem* item, const QString& text) {
  return item->text().contains(text, Qt::CaseInsensitive) ||
         item->toolTip().contains(text, Qt::CaseInsensitive);
}

// Ticked runs stay in view, whatever the filter says.
void AnalysisSide::filterRuns(const QString& text) {
  for (int i = 0; i < m_runs->count(); ++i) {
    QListWidgetItem* item = m_runs->item(i);
    item->setHidden(item->checkState() != Qt::Checked && !matches(item, text));
  }
}

}  // namespace fathom
