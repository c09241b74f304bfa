// SPDX-License-Identifier: GPL-3.0-or-later
// Values in the form of a page: those of the page, its panels, data and options of the selected one.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/library/figures/panel_places.h"
#include "views/figure/figure_page.h"
#include "views/figures/composition_page.h"
#include "views/figures/figure_entry.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/style_choice.h"
#include "views/panels/figures/track_shares_field.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_row.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"

namespace fathom {

namespace {

constexpr int kRunRows = 6;

void choose(QComboBox* box, const std::string& id) {
  box->setCurrentIndex(box->findData(fromUtf8(id)));
}

QString figureTitle(const std::string& id) {
  const auto entry = findFigure(id);
  return entry.ok() ? engineText(entry->title) : fromUtf8(id);
}

}  // namespace

CompositionForm::~CompositionForm() {
  // A field that loses the focus on its way out still tells the draft, which must be there.
  qDeleteAll(m_optionRows);
}

void CompositionForm::setProblem(const QString& problem) {
  showText(m_problem, problem);
  setTextColour(m_problem, Theme::of(palette()).failed);
}

void CompositionForm::showPage() {
  m_showing = true;
  if (m_name->text() != fromUtf8(m_composition.name)) m_name->setText(fromUtf8(m_composition.name));
  m_style->setPage(m_composition);
  choose(m_font, m_composition.font);
  choose(m_letters, m_composition.letters);
  m_width->setValue(m_composition.widthMm);
  m_height->setValue(m_composition.heightMm);
  m_text->setValue(m_composition.textPoints);
  m_rows->setShares(m_composition.rowShares, std::max(1, rowsOf(m_composition)));
  m_columns->setShares(m_composition.columnShares, std::max(1, columnsOf(m_composition)));
  m_shareX->setChecked(m_composition.shareX);
  m_shareY->setChecked(m_composition.shareY);
  m_dashes->setChecked(m_composition.dashes);
  m_showing = false;
}

void CompositionForm::showPanels() {
  m_showing = true;
  m_panels->clear();
  std::vector<PlacedFigure> places;
  for (const CompositionPanel& panel : m_composition.panels)
    places.push_back({{}, panel.row, panel.column, panel.rowSpan, panel.columnSpan, {}});
  const std::vector<std::size_t> order = letterOrder(places);
  std::vector<std::size_t> byLetter(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) byLetter[order[i]] = i;
  for (const std::size_t index : byLetter) {
    const CompositionPanel& panel = m_composition.panels[index];
    const QString place = tr("%1, %2").arg(panel.row + 1).arg(panel.column + 1);
    const QString title = panel.title.empty() ? figureTitle(panel.recipe.figure) : fromUtf8(panel.title);
    auto* item = new QTreeWidgetItem(
        m_panels, {fromUtf8(panelLetter(m_composition.letters, order[index])), title, place});
    item->setData(0, Qt::UserRole, int(index));
    item->setSizeHint(0, {0, metrics::kTableRow});
    item->setToolTip(1, figureTitle(panel.recipe.figure));
    item->setToolTip(2, tr("row, column"));
    if (int(index) == m_selected) m_panels->setCurrentItem(item);
  }
  // The form scrolls, the list in it does not.
  const int rows = qMax(2, m_panels->topLevelItemCount());
  m_panels->setFixedHeight(m_panels->header()->sizeHint().height() + rows * metrics::kTableRow +
                           2 * m_panels->frameWidth() + metrics::kGrid);
  m_showing = false;
}

void CompositionForm::showPanel() {
  const bool any = m_selected >= 0 && m_selected < int(m_composition.panels.size());
  m_settings->setVisible(any);
  if (!any) return;
  m_showing = true;
  const CompositionPanel& panel = m_composition.panels[std::size_t(m_selected)];
  m_heading->setFullText(figureTitle(panel.recipe.figure));
  if (m_title->text() != fromUtf8(panel.title)) m_title->setText(fromUtf8(panel.title));
  const int values[] = {panel.row + 1, panel.column + 1, panel.rowSpan, panel.columnSpan};
  for (int i = 0; i < 4; ++i) m_places[i]->setValue(values[i]);
  showRuns(panel.recipe);
  showReviews(panel.recipe);
  showOptions(panel.recipe);
  m_showing = false;
}

void CompositionForm::showRuns(const FigureRecipe& recipe) {
  const auto entry = findFigure(recipe.figure);
  const bool ofRuns = entry.ok() && !entry->ofPredictions();
  m_runs->setVisible(ofRuns);
  m_runsLabel->setVisible(ofRuns);
  m_sameRuns->setVisible(ofRuns);
  if (!ofRuns) return m_runs->clear();
  QVector<Run> shown = m_known;
  for (const std::string& uuid : recipe.runs) {
    const bool known = std::any_of(m_known.cbegin(), m_known.cend(),
                                   [&](const Run& run) { return toUtf8(run.uuid) == uuid; });
    if (known) continue;
    const auto name = recipe.runNames.find(uuid);
    shown.prepend(
        {fromUtf8(uuid), tr("%1 (gone)").arg(fromUtf8(name != recipe.runNames.end() ? name->second : uuid))});
  }
  const QColor grey = palette().color(QPalette::Disabled, QPalette::Text);
  // The list stays where it was scrolled to when only ticks differ.
  while (m_runs->count() > shown.size()) delete m_runs->takeItem(m_runs->count() - 1);
  for (int i = 0; i < shown.size(); ++i) {
    if (i == m_runs->count()) m_runs->addItem(QString());
    QListWidgetItem* item = m_runs->item(i);
    const bool ticked =
        std::find(recipe.runs.begin(), recipe.runs.end(), toUtf8(shown[i].uuid)) != recipe.runs.end();
    const QString why = entry->ofStates ? shown[i].noStates : shown[i].noValues;
    const QString whole = shown[i].wholeName.isEmpty() ? shown[i].name : shown[i].wholeName;
    item->setText(shown[i].name);
    item->setToolTip(why.isEmpty() ? whole : whole + u'\n' + why);
    item->setData(Qt::AccessibleDescriptionRole, why);
    item->setData(Qt::ForegroundRole, why.isEmpty() ? QVariant() : QVariant(QBrush(grey)));
    item->setData(Qt::UserRole, shown[i].uuid);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
  }
  fitRuns();
}

// The first rows are whole, however large the texts are.
void CompositionForm::fitRuns() {
  int height = 2 * m_runs->frameWidth() + 2;
  for (int row = 0; row < std::clamp(m_runs->count(), 1, kRunRows); ++row)
    height += qMax(metrics::kTableRow, m_runs->sizeHintForRow(row));
  m_runs->setFixedHeight(height);
}

void CompositionForm::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_runs != nullptr) fitRuns();
}

void CompositionForm::showReviews(const FigureRecipe& recipe) {
  const auto entry = findFigure(recipe.figure);
  const bool ofReview = entry.ok() && entry->ofPredictions();
  m_reviewBox->setVisible(ofReview);
  m_reviewBox->clear();
  if (!ofReview) return;
  int current = -1;
  for (std::size_t i = 0; i < m_reviews.size(); ++i) {
    const StoredReview& review = m_reviews[i];
    if (!canBeOf(*entry, review)) continue;
    if (recipe.review.is_object() && review.uuid == recipe.review.value("uuid", ""))
      current = m_reviewBox->count();
    m_reviewBox->addItem(fromUtf8(review.name), int(i));
  }
  if (current < 0 && recipe.review.is_object())
    m_reviewBox->setPlaceholderText(fromUtf8(recipe.review.value("name", "")));
  m_reviewBox->setCurrentIndex(current);
}

// The rows of one kind of figure are made once; another panel of the same kind only changes their values.
void CompositionForm::showOptions(const FigureRecipe& recipe) {
  const auto entry = findFigure(recipe.figure);
  if (!entry.ok()) return;
  if (m_optionsOf != fromUtf8(recipe.figure)) {
    for (OptionRow* row : std::as_const(m_optionRows)) {
      row->hide();
      m_options->removeWidget(row);
    }
    qDeleteAll(std::exchange(m_optionRows, {}));
    m_optionsOf = fromUtf8(recipe.figure);
    m_draft = std::make_unique<ExperimentDraft>(OptionSchema(entry->fields, {}));
    for (const OptionField& field : m_draft->schema().fields()) {
      // The page says how large everything is.
      if (field.key == "width" || field.key == "height") continue;
      auto* row = new OptionRow(field, m_draft.get(), m_settings);
      m_options->addWidget(row);
      m_optionRows.append(row);
    }
    connect(m_draft.get(), &ExperimentDraft::valueChanged, this, [this](const QString& key) {
      for (OptionRow* row : std::as_const(m_optionRows)) {
        row->refresh();
        row->setVisible(m_draft->active(row->key()));
      }
      if (!m_draft->acceptable()) return;
      changePanel(QStringLiteral("option ") + key,
                  [this](CompositionPanel& panel) { panel.recipe.options = m_draft->values().minimal(); });
    });
  }
  if (m_draft->values().minimal() != recipe.options) (void)m_draft->start({}, recipe.options);
  for (OptionRow* row : std::as_const(m_optionRows)) {
    row->refresh();
    row->setVisible(m_draft->active(row->key()));
  }
}

void CompositionForm::focusPanel() {
  if (m_settings->isVisible()) m_title->setFocus(Qt::OtherFocusReason);
}

}  // namespace fathom
