// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/composition_form.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/figure/figure_page.h"
#include "views/figure/figure_style.h"
#include "views/figures/composition_page.h"
#include "views/figures/figure_entry.h"
#include "views/panels/elided_label.h"
#include "views/panels/engine_text.h"
#include "views/panels/experiment_draft.h"
#include "views/panels/option_row.h"
#include "views/panels/theme.h"

namespace fathom {

namespace {

constexpr double kLargestMm = 500, kLargestPoints = 36;
constexpr int kRunRows = 6;

QDoubleSpinBox* lengthBox(const QString& suffix, double most, const QString& none, QWidget* parent) {
  auto* box = new QDoubleSpinBox(parent);
  box->setRange(0, most);
  box->setDecimals(1);
  box->setSuffix(QLatin1Char(' ') + suffix);
  box->setSpecialValueText(none);
  box->setKeyboardTracking(false);
  return box;
}

QLabel* heading(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  QFont font = label->font();
  font.setWeight(QFont::DemiBold);
  label->setFont(font);
  return label;
}

void narrow(QComboBox* box) {
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(8);
}

void choose(QComboBox* box, const std::string& id) {
  box->setCurrentIndex(box->findData(fromUtf8(id)));
}

QString figureTitle(const std::string& id) {
  const auto entry = findFigure(id);
  return entry.ok() ? engineText(entry->title) : fromUtf8(id);
}

}  // namespace

CompositionForm::CompositionForm(QWidget* parent) : QWidget(parent) {
  auto* column = new QWidget(this);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kMargin);
  layout->setSpacing(metrics::kGrid);
  layout->addWidget(heading(tr("Page"), column));
  layout->addWidget(makePage());
  layout->addSpacing(metrics::kGrid);
  layout->addWidget(heading(tr("Panels"), column));
  layout->addWidget(makePanelList());
  m_settings = makePanelSettings();
  layout->addWidget(m_settings);
  layout->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(column);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);
  column->setAutoFillBackground(false);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(scroll);
  setAccessibleName(tr("Recipe of the page"));
}

CompositionForm::~CompositionForm() {
  // A field that loses the focus on its way out still tells the draft, which must be there.
  qDeleteAll(m_rows);
}

QWidget* CompositionForm::makePage() {
  auto* page = new QWidget(this);
  auto* form = new QFormLayout(page);
  form->setContentsMargins(0, 0, 0, 0);
  form->setVerticalSpacing(metrics::kGrid);
  m_name = new QLineEdit(page);
  m_style = new QComboBox(page);
  for (const FigureStyle& style : figureStyles())
    if (!style.dark) m_style->addItem(engineText(toUtf8(style.title)), style.id);
  m_width = lengthBox(QStringLiteral("mm"), kLargestMm, tr("as the style"), page);
  m_height = lengthBox(QStringLiteral("mm"), kLargestMm, tr("as the figures need"), page);
  m_font = new QComboBox(page);
  for (const auto& [id, title] : {std::pair{"", tr("As the style")}, std::pair{"serif", tr("Serif")},
                                  std::pair{"sans", tr("Sans serif")}})
    m_font->addItem(title, QString::fromLatin1(id));
  m_text = lengthBox(QStringLiteral("pt"), kLargestPoints, tr("as the style"), page);
  m_letters = new QComboBox(page);
  for (const auto& [id, title] :
       {std::pair{"(a)", QStringLiteral("(a) (b) (c)")}, std::pair{"a)", QStringLiteral("a) b) c)")},
        std::pair{"A", QStringLiteral("A B C")}, std::pair{"", tr("none")}})
    m_letters->addItem(title, QString::fromLatin1(id));
  for (QComboBox* box : {m_style, m_font, m_letters}) narrow(box);
  m_shareX = new QCheckBox(tr("Share x axes of a column"), page);
  m_shareY = new QCheckBox(tr("Share y axes of a row"), page);
  form->addRow(tr("Name"), m_name);
  form->addRow(tr("Style"), m_style);
  form->addRow(tr("Width"), m_width);
  form->addRow(tr("Height"), m_height);
  form->addRow(tr("Typeface"), m_font);
  form->addRow(tr("Text"), m_text);
  form->addRow(tr("Letters"), m_letters);
  form->addRow(m_shareX);
  form->addRow(m_shareY);
  m_text->setToolTip(tr("Size of axis labels; the other texts follow in proportion"));
  connect(m_name, &QLineEdit::textEdited, this, [this](const QString& text) {
    change(QStringLiteral("name"), [&](FigureComposition& c) { c.name = toUtf8(text); });
  });
  const auto spin = [this](QDoubleSpinBox* box, const char* what, double FigureComposition::*member) {
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, what, member](double value) {
      change(QString::fromLatin1(what), [&](FigureComposition& c) { c.*member = value; });
    });
  };
  spin(m_width, "width", &FigureComposition::widthMm);
  spin(m_height, "height", &FigureComposition::heightMm);
  spin(m_text, "text", &FigureComposition::textPoints);
  const auto combo = [this](QComboBox* box, std::string FigureComposition::*member) {
    connect(box, &QComboBox::activated, this, [this, box, member] {
      change({}, [&](FigureComposition& c) { c.*member = toUtf8(box->currentData().toString()); });
    });
  };
  combo(m_style, &FigureComposition::style);
  combo(m_font, &FigureComposition::font);
  combo(m_letters, &FigureComposition::letters);
  connect(m_shareX, &QCheckBox::clicked, this,
          [this](bool on) { change({}, [&](FigureComposition& c) { c.shareX = on; }); });
  connect(m_shareY, &QCheckBox::clicked, this,
          [this](bool on) { change({}, [&](FigureComposition& c) { c.shareY = on; }); });
  return page;
}

QWidget* CompositionForm::makePanelList() {
  auto* part = new QWidget(this);
  m_panels = new QTreeWidget(part);
  m_panels->setColumnCount(3);
  m_panels->setHeaderLabels({QString(), tr("Figure"), tr("Place")});
  m_panels->setRootIsDecorated(false);
  m_panels->setUniformRowHeights(true);
  m_panels->setAccessibleName(tr("Panels"));
  m_panels->header()->setStretchLastSection(false);
  m_panels->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_panels->header()->setSectionResizeMode(1, QHeaderView::Stretch);
  m_panels->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  m_panels->setFixedHeight(metrics::kTableRow * 6);
  m_buttons = new QWidget(part);
  auto* row = new QHBoxLayout(m_buttons);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(metrics::kGrid);
  auto* layout = new QVBoxLayout(part);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(metrics::kGrid);
  layout->addWidget(m_panels);
  layout->addWidget(m_buttons);
  connect(m_panels, &QTreeWidget::currentItemChanged, this, [this] {
    if (m_showing || m_panels->currentItem() == nullptr) return;
    Q_EMIT panelSelected(m_panels->currentItem()->data(0, Qt::UserRole).toInt());
  });
  return part;
}

void CompositionForm::setPanelActions(const QList<QAction*>& actions) {
  for (QAction* action : actions) {
    auto* button = new QToolButton(m_buttons);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(withoutMnemonic(action->text()));
    button->setFocusPolicy(Qt::StrongFocus);
    m_buttons->layout()->addWidget(button);
  }
  static_cast<QHBoxLayout*>(m_buttons->layout())->addStretch(1);
}

QWidget* CompositionForm::makePlaces() {
  auto* part = new QWidget(m_settings);
  auto* grid = new QGridLayout(part);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(metrics::kGrid);
  const QString titles[] = {tr("Row"), tr("Column"), tr("Rows high"), tr("Columns wide")};
  for (int i = 0; i < 4; ++i) {
    m_places[i] = new QSpinBox(part);
    m_places[i]->setRange(1, FigureComposition::kMostTracks);
    m_places[i]->setAccessibleName(titles[i]);
    m_places[i]->setKeyboardTracking(false);
    auto* label = new QLabel(titles[i], part);
    label->setBuddy(m_places[i]);
    grid->addWidget(label, i / 2, i % 2 * 2);
    grid->addWidget(m_places[i], i / 2, i % 2 * 2 + 1);
    connect(m_places[i], &QSpinBox::valueChanged, this, [this, i](int value) { movePanel(i, value); });
  }
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 1);
  return part;
}

QWidget* CompositionForm::makePanelSettings() {
  auto* part = m_settings = new QWidget(this);
  m_heading = new ElidedLabel({}, part);
  m_problem = new QLabel(part);
  m_problem->setWordWrap(true);
  m_problem->setObjectName(QStringLiteral("panelProblem"));
  m_problem->hide();
  m_title = new QLineEdit(part);
  m_title->setPlaceholderText(tr("Title: as the figure"));
  m_title->setAccessibleName(tr("Title"));
  m_runsLabel = new QLabel(tr("Runs"), part);
  m_runs = new QListWidget(part);
  m_runs->setAccessibleName(tr("Runs of the panel"));
  m_reviewBox = new QComboBox(part);
  m_reviewBox->setAccessibleName(tr("Predictions of the panel"));
  narrow(m_reviewBox);
  auto* layout = new QVBoxLayout(part);
  layout->setContentsMargins(0, metrics::kMargin, 0, 0);
  layout->setSpacing(metrics::kGrid);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  m_heading->setFont(bold);
  layout->addWidget(m_heading);
  layout->addWidget(m_problem);
  layout->addWidget(m_title);
  layout->addWidget(makePlaces());
  layout->addWidget(m_runsLabel);
  layout->addWidget(m_runs);
  layout->addWidget(m_reviewBox);
  m_options = new QVBoxLayout;
  m_options->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(m_options);
  connect(m_title, &QLineEdit::textEdited, this, [this](const QString& text) {
    changePanel(QStringLiteral("title"), [&](CompositionPanel& panel) { panel.title = toUtf8(text); });
  });
  connect(m_runs, &QListWidget::itemChanged, this, [this] {
    changePanel({}, [this](CompositionPanel& panel) {
      panel.recipe.runs.clear();
      for (int i = 0; i < m_runs->count(); ++i)
        if (m_runs->item(i)->checkState() == Qt::Checked)
          panel.recipe.runs.push_back(toUtf8(m_runs->item(i)->data(Qt::UserRole).toString()));
    });
  });
  connect(m_reviewBox, &QComboBox::activated, this, [this](int index) {
    if (std::size_t(index) >= m_reviews.size()) return;
    changePanel(
        {}, [&](CompositionPanel& panel) { panel.recipe.review = m_reviews[std::size_t(index)].toJson(); });
  });
  return part;
}

// A panel in the way goes where this one was.
void CompositionForm::movePanel(int which, int value) {
  if (m_showing || m_selected < 0 || m_selected >= int(m_composition.panels.size())) return;
  const auto index = std::size_t(m_selected);
  CompositionPanel wanted = m_composition.panels[index];
  int* const members[] = {&wanted.row, &wanted.column, &wanted.rowSpan, &wanted.columnSpan};
  *members[which] = which < 2 ? value - 1 : value;
  FigureComposition next = m_composition;
  if (placePanel(next, index, wanted)) {
    change({}, [&next](FigureComposition& c) { c = next; });
  } else {
    showPanel();
    Q_EMIT placeRefused();
  }
}

void CompositionForm::change(const QString& what, const std::function<void(FigureComposition&)>& change) {
  if (m_showing || m_readOnly) return;
  FigureComposition next = m_composition;
  change(next);
  Q_EMIT edited(next, what);
}

void CompositionForm::changePanel(const QString& what, const std::function<void(CompositionPanel&)>& edit) {
  const int selected = m_selected;
  if (selected < 0 || selected >= int(m_composition.panels.size())) return;
  change(what.isEmpty() ? what : what + QString::number(selected),
         [&](FigureComposition& c) { edit(c.panels[std::size_t(selected)]); });
}

void CompositionForm::setData(const QVector<Run>& runs, const std::vector<StoredReview>& reviews) {
  m_known = runs;
  m_reviews = reviews;
  showPanel();
}

void CompositionForm::setReadOnly(bool readOnly) {
  m_readOnly = readOnly;
}

void CompositionForm::setComposition(const FigureComposition& composition, int selected) {
  m_composition = composition;
  m_selected = selected;
  showPage();
  showPanels();
  showPanel();
}

void CompositionForm::setProblem(const QString& problem) {
  m_problem->setText(problem);
  m_problem->setVisible(!problem.isEmpty());
  QPalette red = palette();
  red.setColor(QPalette::WindowText, Theme::of(palette()).failed);
  m_problem->setPalette(red);
}

void CompositionForm::showPage() {
  m_showing = true;
  if (m_name->text() != fromUtf8(m_composition.name)) m_name->setText(fromUtf8(m_composition.name));
  choose(m_style, m_composition.style);
  choose(m_font, m_composition.font);
  choose(m_letters, m_composition.letters);
  m_width->setValue(m_composition.widthMm);
  m_height->setValue(m_composition.heightMm);
  m_text->setValue(m_composition.textPoints);
  m_shareX->setChecked(m_composition.shareX);
  m_shareY->setChecked(m_composition.shareY);
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
  const bool ofRuns = entry.ok() && !entry->buildReview;
  m_runs->setVisible(ofRuns);
  m_runsLabel->setVisible(ofRuns);
  if (!ofRuns) return m_runs->clear();
  QVector<Run> shown = m_known;
  for (const std::string& uuid : recipe.runs) {
    const bool known = std::any_of(m_known.cbegin(), m_known.cend(),
                                   [&](const Run& run) { return toUtf8(run.uuid) == uuid; });
    if (!known) shown.prepend({fromUtf8(uuid), tr("%1 (gone)").arg(fromUtf8(uuid))});
  }
  m_runs->setFixedHeight(metrics::kTableRow * std::clamp(int(shown.size()), 1, kRunRows) + 2);
  // The list stays where it was scrolled to when only ticks differ.
  while (m_runs->count() > shown.size()) delete m_runs->takeItem(m_runs->count() - 1);
  for (int i = 0; i < shown.size(); ++i) {
    if (i == m_runs->count()) m_runs->addItem(QString());
    QListWidgetItem* item = m_runs->item(i);
    const bool ticked =
        std::find(recipe.runs.begin(), recipe.runs.end(), toUtf8(shown[i].uuid)) != recipe.runs.end();
    item->setText(shown[i].name);
    item->setSizeHint({0, metrics::kTableRow});
    item->setToolTip(shown[i].name);
    item->setData(Qt::UserRole, shown[i].uuid);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
  }
}

void CompositionForm::showReviews(const FigureRecipe& recipe) {
  const auto entry = findFigure(recipe.figure);
  const bool ofReview = entry.ok() && entry->buildReview;
  m_reviewBox->setVisible(ofReview);
  m_reviewBox->clear();
  if (!ofReview) return;
  int current = -1;
  for (const StoredReview& review : m_reviews) {
    if (recipe.review.is_object() && review.uuid == recipe.review.value("uuid", ""))
      current = m_reviewBox->count();
    m_reviewBox->addItem(fromUtf8(review.name));
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
    for (OptionRow* row : std::as_const(m_rows)) {
      row->hide();
      m_options->removeWidget(row);
    }
    qDeleteAll(std::exchange(m_rows, {}));
    m_optionsOf = fromUtf8(recipe.figure);
    m_draft = std::make_unique<ExperimentDraft>(OptionSchema(entry->fields, {}));
    for (const OptionField& field : m_draft->schema().fields()) {
      // The page says how large everything is.
      if (field.key == "width" || field.key == "height") continue;
      auto* row = new OptionRow(field, m_draft.get(), m_settings);
      m_options->addWidget(row);
      m_rows.append(row);
    }
    connect(m_draft.get(), &ExperimentDraft::valueChanged, this, [this](const QString& key) {
      for (OptionRow* row : std::as_const(m_rows)) {
        row->refresh();
        row->setVisible(m_draft->active(row->key()));
      }
      if (!m_draft->acceptable()) return;
      changePanel(QStringLiteral("option ") + key,
                  [this](CompositionPanel& panel) { panel.recipe.options = m_draft->values().minimal(); });
    });
  }
  if (m_draft->values().minimal() != recipe.options) (void)m_draft->start({}, recipe.options);
  for (OptionRow* row : std::as_const(m_rows)) {
    row->refresh();
    row->setVisible(m_draft->active(row->key()));
  }
}

OptionRow* CompositionForm::optionRow(const QString& key) const {
  for (OptionRow* row : m_rows)
    if (row->key() == key) return row;
  return nullptr;
}

void CompositionForm::focusPanel() {
  if (m_settings->isVisible()) m_title->setFocus(Qt::OtherFocusReason);
}

}  // namespace fathom
