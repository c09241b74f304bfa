// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/composition_form.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/numbers/figure_limits.h"
#include "views/figure/figure_style.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/figures/style_choice.h"
#include "views/panels/figures/track_shares_field.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/panels/widgets/heading.h"
#include "views/panels/widgets/name_delegate.h"

namespace fathom {

namespace {

constexpr const char* kPlaceNames[] = {"panelRow", "panelColumn", "panelRows", "panelColumns"};
constexpr int kLeastWidth = 250, kChoiceCharacters = 8;

QDoubleSpinBox* lengthBox(const QString& suffix, double most, const QString& none, QWidget* parent) {
  auto* box = new QDoubleSpinBox(parent);
  box->setRange(0, most);
  box->setDecimals(1);
  box->setSuffix(QLatin1Char(' ') + suffix);
  box->setSpecialValueText(none);
  box->setKeyboardTracking(false);
  return box;
}

// Scrolls up and down only: never narrower than what is in it.
class ColumnScroll : public QScrollArea {
 public:
  using QScrollArea::QScrollArea;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
      setMinimumWidth(std::max(
          kLeastWidth, widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width()));
    return QScrollArea::eventFilter(watched, event);
  }
};

}  // namespace

CompositionForm::CompositionForm(QWidget* parent) : QWidget(parent) {
  auto* column = new QWidget(this);
  makeColumn(column,
             {headingLabel(column, tr("Page")), makePage(), BoxPart::gap(metrics::kGrid),
              headingLabel(column, tr("Panels")), makePanelList(), makePanelSettings(), BoxPart::stretch(1)},
             metrics::kGrid, {metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kMargin});
  auto* scroll = new ColumnScroll(this);
  scroll->setWidget(column);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);
  column->setAutoFillBackground(false);
  makeColumn(this, {scroll});
  setAccessibleName(tr("Recipe of the page"));
}

QWidget* CompositionForm::makePage() {
  auto* page = new QWidget(this);
  auto* form = new QFormLayout(page);
  form->setContentsMargins(0, 0, 0, 0);
  form->setVerticalSpacing(metrics::kGrid);
  m_name = new QLineEdit(page);
  m_name->setObjectName(QStringLiteral("pageName"));
  m_style = new StyleChoice(page);
  m_width = lengthBox(QStringLiteral("mm"), kLargestFigureMm, tr("as the style"), page);
  m_width->setObjectName(QStringLiteral("pageWidth"));
  m_height = lengthBox(QStringLiteral("mm"), kLargestFigureMm, tr("as the figures need"), page);
  m_font = narrowChoice(page, {}, kChoiceCharacters);
  for (const auto& [id, title] : {std::pair{"", tr("As the style")}, std::pair{"serif", tr("Serif")},
                                  std::pair{"sans", tr("Sans serif")}})
    m_font->addItem(title, QString::fromLatin1(id));
  m_text = lengthBox(QStringLiteral("pt"), kLargestFigurePoints, tr("as the style"), page);
  m_letters = narrowChoice(page, {}, kChoiceCharacters);
  for (const auto& [id, title] :
       {std::pair{"(a)", QStringLiteral("(a) (b) (c)")}, std::pair{"a)", QStringLiteral("a) b) c)")},
        std::pair{"A", QStringLiteral("A B C")}, std::pair{"", tr("none")}})
    m_letters->addItem(title, QString::fromLatin1(id));
  m_rows = new TrackSharesField(tr("as the figures need"), tr("Heights of the rows"), page);
  m_rows->setObjectName(QStringLiteral("rowShares"));
  m_columns = new TrackSharesField(tr("equally wide"), tr("Widths of the columns"), page);
  m_columns->setObjectName(QStringLiteral("columnShares"));
  m_shareX = new QCheckBox(tr("Share x axes of a column"), page);
  m_shareX->setObjectName(QStringLiteral("shareX"));
  m_shareY = new QCheckBox(tr("Share y axes of a row"), page);
  m_dashes = new QCheckBox(tr("Dashes where greys are alike"), page);
  m_dashes->setObjectName(QStringLiteral("dashes"));
  m_dashes->setToolTip(
      tr("Lines that a print without colour would not tell apart get dashes, points other marks"));
  form->addRow(tr("Name"), m_name);
  form->addRow(tr("Style"), m_style);
  form->addRow(tr("Width"), m_width);
  form->addRow(tr("Height"), m_height);
  form->addRow(tr("Rows"), m_rows);
  form->addRow(tr("Columns"), m_columns);
  form->addRow(tr("Typeface"), m_font);
  form->addRow(tr("Text"), m_text);
  form->addRow(tr("Letters"), m_letters);
  form->addRow(m_shareX);
  form->addRow(m_shareY);
  form->addRow(m_dashes);
  m_text->setToolTip(tr("Size of axis labels; the other texts follow in proportion"));
  connectPage();
  return page;
}

void CompositionForm::connectPage() {
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
  connect(m_rows, &TrackSharesField::edited, this, [this](const std::vector<double>& shares) {
    change({}, [&](FigureComposition& c) { c.rowShares = shares; });
  });
  connect(m_columns, &TrackSharesField::edited, this, [this](const std::vector<double>& shares) {
    change({}, [&](FigureComposition& c) { c.columnShares = shares; });
  });
  connect(m_style, &StyleChoice::styleChosen, this,
          [this](const QString& id) { change({}, [&](FigureComposition& c) { c.style = toUtf8(id); }); });
  connect(m_style, &StyleChoice::sheetChosen, this, [this](const StyleSheet& sheet) {
    change({}, [&](FigureComposition& c) { c = withStyleSheet(c, sheet); });
  });
  combo(m_font, &FigureComposition::font);
  combo(m_letters, &FigureComposition::letters);
  connect(m_shareX, &QCheckBox::clicked, this,
          [this](bool on) { change({}, [&](FigureComposition& c) { c.shareX = on; }); });
  connect(m_shareY, &QCheckBox::clicked, this,
          [this](bool on) { change({}, [&](FigureComposition& c) { c.shareY = on; }); });
  connect(m_dashes, &QCheckBox::clicked, this,
          [this](bool on) { change({}, [&](FigureComposition& c) { c.dashes = on; }); });
}

QWidget* CompositionForm::makePanelList() {
  auto* part = new QWidget(this);
  m_panels = columnList(part, {QString(), tr("Figure"), tr("Place")}, tr("Panels"));
  m_panels->setObjectName(QStringLiteral("panelList"));
  m_panels->setUniformRowHeights(true);
  m_panels->header()->setStretchLastSection(false);
  m_panels->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_panels->header()->setSectionResizeMode(1, QHeaderView::Stretch);
  m_panels->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  m_panels->setFixedHeight(metrics::kTableRow * 6);
  m_buttons = new QWidget(part);
  auto* flow = new FlowLayout(m_buttons);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->setSpacing(metrics::kGrid);
  makeColumn(part, {m_panels, m_buttons}, metrics::kGrid);
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
}

void CompositionForm::setRunsAction(QAction* action) {
  m_sameRuns->setDefaultAction(action);
  m_sameRuns->setToolButtonStyle(Qt::ToolButtonTextOnly);
  m_sameRuns->setFocusPolicy(Qt::StrongFocus);
}

QWidget* CompositionForm::makePlaces() {
  auto* part = new QWidget(m_settings);
  auto* grid = new QGridLayout(part);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(metrics::kGrid);
  const QString titles[] = {tr("Row"), tr("Column"), tr("Rows high"), tr("Columns wide")};
  for (int i = 0; i < 4; ++i) {
    m_places[i] = new QSpinBox(part);
    m_places[i]->setObjectName(QString::fromLatin1(kPlaceNames[i]));
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
  m_problem = wrappedLabel(part, QStringLiteral("panelProblem"));
  m_problem->hide();
  m_title = new QLineEdit(part);
  m_title->setPlaceholderText(tr("Title: as the figure"));
  m_title->setAccessibleName(tr("Title"));
  m_runsLabel = new QLabel(tr("Runs"), part);
  m_runs = new QListWidget(part);
  m_runs->setObjectName(QStringLiteral("panelRuns"));
  m_runs->setAccessibleName(tr("Runs of the panel"));
  m_runs->setItemDelegate(new NameDelegate(m_runs));
  m_sameRuns = new QToolButton(part);
  m_reviewBox = narrowChoice(part, tr("Predictions of the panel"), kChoiceCharacters);
  setHeadingRank(m_heading, HeadingRank::Panel);
  m_options = new QVBoxLayout;
  makeColumn(
      part,
      {m_heading, m_problem, m_title, makePlaces(), m_runsLabel, m_runs, m_sameRuns, m_reviewBox, m_options},
      metrics::kGrid, {0, metrics::kMargin, 0, 0});
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
  connect(m_reviewBox, &QComboBox::activated, this, [this](int shown) {
    const int index = m_reviewBox->itemData(shown).toInt();
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
  m_style->setReadOnly(readOnly);
}

void CompositionForm::setComposition(const FigureComposition& composition, int selected) {
  m_composition = composition;
  m_selected = selected;
  showPage();
  showPanels();
  showPanel();
}

}  // namespace fathom
