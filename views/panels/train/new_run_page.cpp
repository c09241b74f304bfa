// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/new_run_page.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

#include "views/look/icons.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/data/found_data_view.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/form/preset_list.h"
#include "views/panels/train/fit_bar.h"
#include "views/panels/train/grid_editor.h"
#include "views/panels/train/trainability_view.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/tables/config_diff_model.h"

namespace fathom {

namespace {
constexpr int kWidthForPresets = 720, kPresetWidth = 256;
constexpr int kDiffRows = 5;
constexpr int kLinesForPresets = 18;
}  // namespace

NewRunPage::NewRunPage(QWidget* parent)
    : QWidget(parent),
      m_head(new QWidget(this)),
      m_name(new QLineEdit(m_head)),
      m_choose(flatTextButton(m_head, tr("Choose data…"),
                              tr("A folder or file of Spider, a GLUE task, SQuAD, Tatoeba or WikiText: all "
                                 "its files are filled in. Dropped on the window it does the same."),
                              QStringLiteral("folder"))),
      m_data(flatTextButton(m_head, tr("Look at the data"),
                            tr("Examples, lengths, what is dropped, overlap between the splits"),
                            QStringLiteral("data"))),
      m_found(new FoundDataView(this)),
      m_middle(new QWidget(this)),
      m_presets(new PresetList(m_middle)),
      m_form(new OptionForm(m_middle)),
      m_noEngine(new EmptyState(m_middle)),
      m_grid(new GridEditor(this)),
      m_trainability(new TrainabilityView(this)),
      m_fit(new FitBar(this)),
      m_places(new PlaceChoice(this)),
      m_foot(new QWidget(this)),
      m_summary(wrappedLabel(m_foot, QStringLiteral("draftSummary"))),
      m_showDiff(flatTextButton(m_foot, tr("Show"), tr("Every option that differs from the preset"))),
      m_diffModel(new ConfigDiffModel(this)),
      m_diff(rowTable(m_diffModel, tr("What differs from the preset"), m_foot)),
      m_train(new QPushButton(icon(QStringLiteral("run")), tr("Train now"), m_foot)),
      m_queue(new QPushButton(icon(QStringLiteral("queue")), tr("Add to queue"), m_foot)),
      m_gridButton(new QPushButton(icon(QStringLiteral("grid")), tr("Grid over…"), m_foot)),
      m_check(new QPushButton(tr("Check trainability"), m_foot)),
      m_savePreset(flatTextButton(m_foot, tr("Save as preset"),
                                  tr("Keeps these options under the name of the run, to start from again"))) {
  makeHead();
  makeFoot();
  m_presets->setFixedWidth(kPresetWidth);
  makeRow(m_middle, {m_presets, {m_form, 1}, {m_noEngine, 1}}, metrics::kMargin,
          {metrics::kMargin, 0, metrics::kMargin, 0});
  m_middle->installEventFilter(this);
  makeColumn(this, {m_head, m_found, {m_middle, 1}, m_grid, m_trainability, m_fit, m_places, m_foot},
             metrics::kMargin);
  m_grid->hide();
  m_trainability->hide();
  connect(m_presets, &PresetList::chosen, this, [this](const QString& id) {
    // Findings on another configuration say nothing about this one.
    m_trainability->hide();
    Q_EMIT trainabilityCancelled();
    Q_EMIT presetChosen(id);
  });
  connect(m_form, &OptionForm::browseRequested, this, &NewRunPage::browseRequested);
  connect(m_grid, &GridEditor::launchRequested, this, [this] { Q_EMIT gridRequested(m_grid->axes()); });
  connect(m_trainability, &TrainabilityView::cancelRequested, this, &NewRunPage::trainabilityCancelled);
  connect(m_trainability, &TrainabilityView::closed, m_trainability, &QWidget::hide);
  connect(m_places, &PlaceChoice::changed, this, [this] { m_fit->setVisible(m_places->here()); });
  setDraft(nullptr);
}

void NewRunPage::makeHead() {
  QLabel* title = pageTitle(m_head, tr("New run"));
  m_name->setPlaceholderText(tr("Name of the run"));
  m_name->setAccessibleName(tr("Name of the run"));
  m_name->setObjectName(QStringLiteral("runName"));
  m_name->setMaxLength(200);
  auto* close = flatButton(m_head, QStringLiteral("close"), tr("Back to the curves; the draft is kept"));
  close->setAccessibleName(tr("Back to the curves"));
  makeRow(m_head, {title, {m_name, 1}, m_choose, m_data, close}, metrics::kGroupGap,
          {metrics::kMargin, metrics::kMargin, metrics::kMargin, 0});
  setTabOrders({m_name, m_choose, m_data, close});
  m_choose->setObjectName(QStringLiteral("chooseData"));
  connect(m_choose, &QToolButton::clicked, this, &NewRunPage::dataSetRequested);
  connect(close, &QToolButton::clicked, this, &NewRunPage::closed);
  connect(m_data, &QToolButton::clicked, this, &NewRunPage::dataRequested);
  connect(m_name, &QLineEdit::textEdited, this, [this](const QString& text) {
    if (m_draft != nullptr) m_draft->setName(text);
  });
  connect(m_name, &QLineEdit::editingFinished, this, [this] {
    if (m_draft != nullptr) m_draft->endEdit();
  });
}

void NewRunPage::makeFoot() {
  m_showDiff->setCheckable(true);
  m_diff->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_diff->setFixedHeight(metrics::kTableRow * (kDiffRows + 1) + metrics::kMargin);
  m_diff->hide();
  m_train->setObjectName(QStringLiteral("trainNow"));
  m_train->setDefault(true);
  m_train->setProperty("primary", true);
  m_train->setToolTip(tr("Put this at the front of the queue and start"));
  m_queue->setObjectName(QStringLiteral("addToQueue"));
  m_queue->setToolTip(tr("Put this at the end of the queue"));
  m_gridButton->setCheckable(true);
  m_gridButton->setObjectName(QStringLiteral("gridOver"));
  m_gridButton->setToolTip(tr("Several values of any options, times seeds"));
  m_check->setObjectName(QStringLiteral("checkTrainability"));
  m_check->setToolTip(tr("Look at the model before its first update: will it learn, and if not, why"));
  // At the bottom, where they stay however many lines say what is wrong.
  constexpr auto kBottom = Qt::AlignBottom;
  auto* bar = makeRow({{m_summary, 1},
                       {m_showDiff, 0, kBottom},
                       {m_savePreset, 0, kBottom},
                       {m_check, 0, kBottom},
                       {m_gridButton, 0, kBottom},
                       {m_queue, 0, kBottom},
                       {m_train, 0, kBottom}},
                      metrics::kMargin);
  makeColumn(m_foot, {m_diff, bar}, metrics::kGrid,
             {metrics::kMargin, 0, metrics::kMargin, metrics::kMargin});
  setTabOrders({m_diff, m_showDiff, m_savePreset, m_check, m_gridButton, m_queue, m_train});
  connect(m_showDiff, &QToolButton::toggled, m_diff, &QWidget::setVisible);
  m_savePreset->setObjectName(QStringLiteral("savePreset"));
  connect(m_savePreset, &QToolButton::clicked, this, &NewRunPage::savePresetRequested);
  connect(m_train, &QPushButton::clicked, this, &NewRunPage::trainRequested);
  connect(m_queue, &QPushButton::clicked, this, &NewRunPage::queueRequested);
  connect(m_check, &QPushButton::clicked, this, &NewRunPage::trainabilityRequested);
  connect(m_gridButton, &QPushButton::toggled, m_grid, &QWidget::setVisible);
  // What one run alone would do stands aside: one button is filled, and it says what it queues.
  for (QPushButton* alone : {m_train, m_queue})
    connect(m_gridButton, &QPushButton::toggled, alone, &QWidget::setHidden);
  connect(m_gridButton, &QPushButton::toggled, m_places, &PlaceChoice::setSeveral);
  connect(m_gridButton, &QPushButton::toggled, this, &NewRunPage::gridToggled);
  connect(m_diff, &QTableView::activated, this, [this](const QModelIndex& index) {
    m_form->reveal(index.data(ConfigDiffModel::KeyRole).toString());
  });
}

void NewRunPage::focusName() {
  m_name->setFocus(Qt::OtherFocusReason);
}

void NewRunPage::clearSearches() {
  m_form->searchBox()->clear();
  m_presets->clearFilter();
}

void NewRunPage::setGridShown(bool shown) {
  m_gridButton->setChecked(shown);
}

bool NewRunPage::gridShown() const {
  return m_gridButton->isChecked();
}

void NewRunPage::setPresets(const QVector<PresetEntry>& presets) {
  m_entries = presets;
  m_presets->setPresets(presets);
  m_form->setPresets(presets);
  if (m_draft != nullptr) m_presets->setCurrent(m_draft->presetId());
}

void NewRunPage::tellPresets(const QVector<PresetEntry>& presets) {
  m_entries = presets;
  m_presets->tellPresets(presets);
}

void NewRunPage::setDraft(ExperimentDraft* draft, const QString& reason) {
  if (m_draft != nullptr) disconnect(m_draft, nullptr, this, nullptr);
  m_draft = draft;
  m_form->setDraft(draft);
  m_form->setPresets(m_entries);
  m_grid->setDraft(draft);
  m_form->setVisible(draft != nullptr);
  m_noEngine->setVisible(draft == nullptr);
  m_noEngine->setText(reason.isEmpty() ? tr("Asking the engine which options it has…") : reason);
  if (draft != nullptr) {
    connect(draft, &ExperimentDraft::judged, this, &NewRunPage::refresh);
    connect(draft, &ExperimentDraft::restarted, this, &NewRunPage::refresh);
    connect(draft, &ExperimentDraft::nameChanged, this, [this](const QString& name) {
      if (m_name->text() != name) m_name->setText(name);
    });
    m_name->setText(draft->name());
  }
  refresh();
}

void NewRunPage::refresh() {
  const bool ready = m_draft != nullptr && m_draft->acceptable();
  m_train->setEnabled(ready);
  m_queue->setEnabled(ready);
  m_gridButton->setEnabled(m_draft != nullptr);
  m_check->setEnabled(ready);
  m_savePreset->setEnabled(ready);
  m_trainability->markOutdated();
  m_choose->setEnabled(m_draft != nullptr);
  m_data->setEnabled(ready);
  if (m_draft == nullptr) {
    m_diffModel->clear();
    m_summary->clear();
    return;
  }
  m_presets->setCurrent(m_draft->presetId());
  const QString left = m_draft->presetId().isEmpty() ? tr("Defaults") : m_draft->presetId();
  m_diffModel->setConfigs(left, m_draft->base(), tr("This run"), m_draft->values().effective(),
                          &m_draft->schema());
  const QStringList problems = m_draft->problems();
  colourSummary();
  QString text = problems.isEmpty()
                     ? tr("Options that differ from %1: %2").arg(left).arg(m_diffModel->differences())
                     : problems.join(QLatin1Char('\n'));
  if (!m_draft->droppedKeys().isEmpty())
    text += QLatin1Char('\n') + tr("Left out, because this engine has no such option or value: %1")
                                    .arg(nameText(m_draft->droppedKeys()));
  // Ids of presets are long words.
  m_summary->setText(text.replace(QLatin1Char('_'), QStringLiteral("_\u200B")));
}

void NewRunPage::colourSummary() {
  const Theme& theme = Theme::of(palette());
  const bool fine = m_draft == nullptr || m_draft->acceptable();
  setTextColour(m_summary, fine ? theme.text : theme.failed);
}

void NewRunPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colourSummary();
}

void NewRunPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  Q_EMIT shown();
}

void NewRunPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (!event->spontaneous()) Q_EMIT left();
}

// Gives the options all of the width where a grid or a verdict leaves less height than two presets need.
void NewRunPage::placePresets() {
  const bool high = m_middle->height() >= kLinesForPresets * fontMetrics().lineSpacing();
  m_presets->setVisible(width() >= kWidthForPresets &&
                        (high || (m_grid->isHidden() && m_trainability->isHidden())));
}

bool NewRunPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_middle && event->type() == QEvent::Resize) placePresets();
  return QWidget::eventFilter(watched, event);
}

}  // namespace fathom
