// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/option_form.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QCursor>
#include <QElapsedTimer>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTimer>
#include <QTreeWidget>
#include <algorithm>
#include <numeric>

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_help_panel.h"
#include "views/panels/form/option_row.h"
#include "views/panels/form/preset_list.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/sliced_deletion.h"

namespace fathom {

namespace {

// Rows are made in slices of this length, so that the event loop stays well under 16 ms.
constexpr qint64 kSliceMilliseconds = 5;
// After the last key, until the help tells of the value that was typed.
constexpr int kRestMilliseconds = 150;
constexpr int kWidthForTree = 560;
constexpr int kWidthForHelpPanel = 860;

// A layout arranges all of its rows each time one of them comes or goes: while this lives it waits.
class LayoutHeld {
 public:
  explicit LayoutHeld(QLayout* layout) : m_layout(layout) { m_layout->setEnabled(false); }
  LayoutHeld(const LayoutHeld&) = delete;
  ~LayoutHeld() {
    m_layout->setEnabled(true);
    m_layout->activate();
  }

 private:
  QLayout* m_layout;
};

}  // namespace

OptionForm::OptionForm(QWidget* parent)
    : QWidget(parent),
      m_search(searchLine(this, tr("Search options"))),
      m_hideUnused(new QCheckBox(tr("Hide options not in use"), this)),
      m_all(new QPushButton(tr("All options"), this)),
      m_tree(new QTreeWidget(this)),
      m_scroll(new QScrollArea(this)),
      m_nothing(wrappedLabel(this)),
      m_splitter(new QSplitter(this)),
      m_help(new OptionHelpPanel(this)),
      m_builder(new QTimer(this)),
      m_rest(new QTimer(this)) {
  m_search->setObjectName(QStringLiteral("optionSearch"));
  m_all->setObjectName(QStringLiteral("allOptions"));
  m_all->setCheckable(true);
  m_all->setToolTip(tr("Every option there is, in groups; without it those that decide what a run is"));
  m_all->hide();
  m_tree->setHeaderHidden(true);
  m_tree->setFrameShape(QFrame::NoFrame);
  m_tree->setAccessibleName(tr("Groups of options"));
  m_tree->setTextElideMode(Qt::ElideRight);
  m_tree->setIndentation(metrics::kGroupGap);
  evenRows(m_tree);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  m_nothing->setAlignment(Qt::AlignCenter);
  m_nothing->setTextFormat(Qt::RichText);
  m_nothing->setTextInteractionFlags(Qt::LinksAccessibleByKeyboard | Qt::LinksAccessibleByMouse);
  m_nothing->hide();
  auto* left = new QWidget(this);
  makeColumn(left, {{m_tree, 1}}, metrics::kGrid);
  auto* middle = new QWidget(this);
  auto* bar =
      makeRow({{m_search, 1}, m_hideUnused, m_all}, kStyleGap, {metrics::kMargin, 0, metrics::kMargin, 0});
  makeColumn(middle, {bar, m_nothing, {m_scroll, 1}}, metrics::kGrid);
  fillSplitter(m_splitter, {left, {middle, 1}, m_help}, {120, 640, 240});
  makeColumn(this, {m_splitter});
  m_builder->setInterval(0);
  m_rest->setSingleShot(true);
  m_rest->setInterval(kRestMilliseconds);
  connect(m_rest, &QTimer::timeout, this, [this] { helpWith(m_helpKey); });
  connect(m_builder, &QTimer::timeout, this, &OptionForm::buildSome);
  connect(m_search, &QLineEdit::textChanged, this, &OptionForm::applyFilter);
  connect(m_nothing, &QLabel::linkActivated, m_search, &QLineEdit::clear);
  connect(m_hideUnused, &QCheckBox::toggled, this, &OptionForm::applyFilter);
  connect(m_all, &QPushButton::toggled, this, &OptionForm::applyFilter);
  connect(m_tree, &QTreeWidget::currentItemChanged, this,
          [this](QTreeWidgetItem* item) { showSection(item); });
  connect(m_tree, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { showSection(item); });
  m_help->show(nullptr, {});
}

void OptionForm::setDraft(ExperimentDraft* draft) {
  m_builder->stop();
  if (m_draft != nullptr) disconnect(m_draft, nullptr, this, nullptr);
  m_draft = draft;
  m_sections.clear();
  m_sectionByPath.clear();
  m_itemByPath.clear();
  m_rowsByKey.clear();
  m_tree->clear();
  m_built = 0;
  m_plan.clear();
  m_found = nullptr;
  m_ranked = false;
  SlicedDeletion::begin(m_scroll->takeWidget(), window());
  m_column = new QWidget;
  m_scroll->setWidget(m_column);
  m_scroll->viewport()->setBackgroundRole(QPalette::Base);
  m_column->setBackgroundRole(QPalette::Base);
  m_column->setAutoFillBackground(true);
  helpWith({});
  if (draft == nullptr) return;
  makeSections();
  connect(draft, &ExperimentDraft::valueChanged, this, [this](const QString& key) {
    if (OptionRow* changed = row(key)) changed->refresh();
    m_helpKey = key;
    m_rest->start();
  });
  connect(draft, &ExperimentDraft::judged, this, [this] {
    keepInPlace(heldRow());
    for (OptionRow* each : std::as_const(m_rowsByKey)) each->refresh();
    refreshTree();
    if (m_hideUnused->isChecked() || !m_essentials.isEmpty()) applyFilter();
  });
  connect(draft, &ExperimentDraft::restarted, this, [this] { helpWith({}); });
  m_builder->start();
}

// The row under the pointer, or else the one that is typed in; null where there is none.
OptionRow* OptionForm::heldRow() const {
  const QPoint pointer = QCursor::pos();
  const QWidget* pane = m_scroll->viewport();
  const bool over = pane->isVisible() && pane->rect().contains(pane->mapFromGlobal(pointer));
  const QPoint at = m_column->mapFromGlobal(pointer);
  const QWidget* typed = window()->focusWidget();
  for (OptionRow* each : std::as_const(m_rowsByKey))
    if (each->isVisible() && (over ? each->geometry().contains(at) : each->isAncestorOf(typed))) return each;
  return nullptr;
}

// Whatever comes or goes above it, the form is scrolled so that the row stays where it is.
void OptionForm::keepInPlace(OptionRow* row) {
  if (row == nullptr || !m_column->isVisible()) return;
  const QPointer<OptionRow> held = row;
  const int before = row->mapTo(m_scroll->viewport(), QPoint()).y();
  QTimer::singleShot(0, m_column, [this, held, before] {
    // Rows take their new heights now: a request for that may stand behind this call.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    if (held.isNull() || !held->isVisible()) return;
    QScrollBar* bar = m_scroll->verticalScrollBar();
    bar->setValue(bar->value() + held->mapTo(m_scroll->viewport(), QPoint()).y() - before);
  });
}

void OptionForm::helpWith(const QString& key) {
  m_rest->stop();
  m_help->show(m_draft, key);
}

void OptionForm::makeSections() {
  auto* column = makeColumn(m_column, {}, 0, {0, 0, 0, metrics::kGroupGap});
  m_found = makeColumn({}, 0);
  column->addLayout(m_found);
  for (const OptionField& field : m_draft->schema().fields()) {
    const QString path = fromUtf8(field.group);
    if (m_sectionByPath.contains(path)) continue;
    Section section;
    section.path = path;
    section.item = groupItem(path);
    section.header = headingLabel(m_column, section.item->data(0, Qt::UserRole).toString());
    section.header->setContentsMargins(metrics::kMargin, metrics::kGroupGap, metrics::kMargin,
                                       metrics::kGrid);
    section.header->hide();  // until something of it is in sight
    column->addWidget(section.header);
    section.layout = makeColumn({}, 0);
    column->addLayout(section.layout);
    m_sectionByPath[path] = static_cast<int>(m_sections.size());
    m_sections.append(section);
  }
  column->addStretch(1);
  m_tree->expandAll();
}

QTreeWidgetItem* OptionForm::groupItem(const QString& path) {
  if (QTreeWidgetItem* known = m_itemByPath.value(path)) return known;
  const qsizetype slash = path.lastIndexOf(QLatin1Char('/'));
  const QString name = engineText(toUtf8(path.mid(slash + 1).trimmed()));
  QTreeWidgetItem* parent = slash > 0 ? groupItem(path.left(slash)) : nullptr;
  auto* item = parent != nullptr ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(m_tree);
  const QString shown = name.isEmpty() ? tr("General") : name;
  item->setText(0, shown);
  item->setToolTip(0, shown);
  const QString above =
      parent != nullptr ? parent->data(0, Qt::UserRole).toString() + QStringLiteral(" › ") : QString();
  item->setData(0, Qt::UserRole, above + shown);
  m_itemByPath[path] = item;
  return item;
}

// The part in sight is built first.
void OptionForm::planBuilding() {
  m_plan.resize(m_draft->schema().fields().size());
  std::iota(m_plan.begin(), m_plan.end(), std::size_t{0});
  if (!sight().few) return;
  std::stable_partition(m_plan.begin(), m_plan.end(), [this](std::size_t place) {
    return isEssential(fromUtf8(m_draft->schema().fields()[place].key));
  });
}

void OptionForm::buildSome() {
  if (m_plan.empty()) planBuilding();
  QElapsedTimer clock;
  clock.start();
  {
    const LayoutHeld held(m_column->layout());
    while (m_built < m_plan.size() && clock.elapsed() < kSliceMilliseconds) addRow(m_plan[m_built++]);
  }
  if (m_built < m_plan.size()) return;
  m_builder->stop();
  orderTabs();
  applyFilter();
  refreshTree();
  if (!m_revealAfterBuild.isEmpty()) reveal(m_revealAfterBuild);
}

// Tab goes as one reads: the groups, the search, the rows in the order on the screen, the help.
void OptionForm::orderTabs() {
  QWidget* last = m_tree;
  const auto next = [&last](QWidget* widget) {
    setTabOrder(last, widget);
    last = widget;
  };
  next(m_search);
  next(m_hideUnused);
  next(m_all);
  for (const Section& section : std::as_const(m_sections))
    for (const OptionRow* each : section.rows)
      for (QWidget* stop : each->tabStops()) next(stop);
  next(m_help);
}

void OptionForm::finishBuilding() {
  while (m_builder->isActive()) buildSome();
}

void OptionForm::addRow(std::size_t index) {
  const OptionField& field = m_draft->schema().fields()[index];
  Section& section = m_sections[m_sectionByPath.value(fromUtf8(field.group))];
  auto* made = new OptionRow(field, m_draft, m_column);
  const Sight seen = sight();
  const bool shown = shows(made, seen);
  if (!shown) made->hide();  // one that would be taken away at the end never comes
  const auto after = std::upper_bound(section.places.begin(), section.places.end(), index);
  const auto at = static_cast<int>(after - section.places.begin());
  section.places.insert(after, index);
  section.rows.insert(at, made);
  section.layout->insertWidget(std::min(at, section.layout->count()), made);  // a search has some elsewhere
  m_rowsByKey[made->key()] = made;
  if (shown) made->show();
  if (shown && seen.search.isEmpty() && !seen.few) section.header->show();
  connect(made, &OptionRow::browseRequested, this, &OptionForm::browseRequested);
  connect(made, &OptionRow::focused, this, [this, made](const QString& key) {
    helpWith(key);
    m_scroll->ensureWidgetVisible(made, 0, metrics::kFormRow);
  });
}

void OptionForm::setPresets(const QVector<PresetEntry>& presets) {
  m_help->setPresets(presets);
}

void OptionForm::setEssentials(const QStringList& keys) {
  if (keys == m_essentials) return;
  m_essentials = keys;
  m_all->setVisible(!keys.isEmpty());
  if (!m_builder->isActive()) applyFilter();
}

OptionForm::View OptionForm::view() const {
  return {m_search->text(), m_hideUnused->isChecked(), m_all->isChecked()};
}

void OptionForm::setView(const View& view) {
  m_all->setChecked(view.all);
  m_hideUnused->setChecked(view.hideUnused);
  m_search->setText(view.search);
}

void OptionForm::setAllShown(bool all) {
  m_all->setChecked(all);
}

bool OptionForm::allShown() const {
  return m_essentials.isEmpty() || m_all->isChecked();
}

// An option that was changed or has to be mended is always in sight; an essential one only while it is used.
bool OptionForm::isEssential(const QString& key) const {
  if (m_draft->changed(key) || !m_draft->error(key).isEmpty() || !m_draft->reasons(key).isEmpty())
    return true;
  return m_essentials.contains(key) && m_draft->active(key);
}

OptionForm::Sight OptionForm::sight() const {
  const OptionSearch search(m_search->text());
  return {search, search.isEmpty() && !allShown()};
}

bool OptionForm::shows(const OptionRow* row, const Sight& sight) const {
  return sight.search.finds(row->words()) && (!m_hideUnused->isChecked() || m_draft->active(row->key())) &&
         (!sight.few || isEssential(row->key()));
}

void OptionForm::applyFilter() {
  if (m_draft == nullptr) return;
  const Sight seen = sight();
  const LayoutHeld held(m_column->layout());
  QVector<OptionRow*> found;
  int shown = 0;
  for (Section& section : m_sections) {
    bool any = false;
    for (OptionRow* each : std::as_const(section.rows)) {
      const bool visible = shows(each, seen);
      if (!visible && seen.few && each->editor()->hasFocus())
        continue;  // nobody loses what they are typing in
      each->setVisible(visible);
      any = any || visible;
      shown += visible ? 1 : 0;
      if (visible) found.append(each);
    }
    section.header->setVisible(any && seen.search.isEmpty() && !seen.few);  // one screen is enough without
    section.item->setHidden(!any && section.item->childCount() == 0);
  }
  showRanked(seen.search.isEmpty() ? QVector<OptionRow*>() : found);
  showTree();
  m_nothing->setVisible(shown == 0 && !m_sections.isEmpty() && !m_builder->isActive());
  m_nothing->setText(tr("No option matches “%1”. <a href=\"clear\">Clear the search</a>")
                         .arg(m_search->text().trimmed().toLower().toHtmlEscaped()));
}

void OptionForm::showRanked(const QVector<OptionRow*>& found) {
  if (found.isEmpty() && !m_ranked) return;
  for (const Section& section : std::as_const(m_sections))
    for (OptionRow* each : section.rows) section.layout->addWidget(each);
  m_ranked = !found.isEmpty();
  if (!m_ranked || m_found == nullptr) return;
  const OptionSearch search(m_search->text());
  const auto rank = [&](const OptionRow* row) {
    return search.rank(row->words(), m_draft->active(row->key()));
  };
  QVector<OptionRow*> sorted = found;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const OptionRow* a, const OptionRow* b) { return rank(a) < rank(b); });
  for (OptionRow* each : std::as_const(sorted)) m_found->addWidget(each);
}

// Groups are for all options. Whoever types into the search finds it where it was.
void OptionForm::showTree() {
  m_splitter->widget(0)->setVisible(width() >= kWidthForTree && allShown());
}

void OptionForm::refreshTree(bool anew) {
  const QColor failed = Theme::of(palette()).failed;
  for (Section& section : m_sections) {
    int changed = 0;
    bool wrong = false;
    for (const OptionRow* each : std::as_const(section.rows)) {
      changed += m_draft->changed(each->key()) ? 1 : 0;
      wrong = wrong || !m_draft->error(each->key()).isEmpty() || !m_draft->reasons(each->key()).isEmpty();
    }
    if (!anew && changed == section.changed && wrong == section.wrong) continue;
    section.changed = changed;
    section.wrong = wrong;
    QFont font = m_tree->font();
    font.setBold(changed > 0);
    section.item->setFont(0, font);
    section.item->setIcon(
        0, wrong ? QIcon(iconPixmap(QStringLiteral("error"), failed, metrics::kIcon, devicePixelRatioF()))
                 : QIcon());
    section.item->setToolTip(0, changed > 0 ? tr("Changed options: %1").arg(changed)
                                            : section.item->data(0, Qt::UserRole).toString());
  }
}

void OptionForm::showSection(QTreeWidgetItem* item) {
  for (const Section& section : std::as_const(m_sections)) {
    if (section.item != item || section.header->isHidden()) continue;
    m_scroll->verticalScrollBar()->setValue(section.header->y());
    return;
  }
}

void OptionForm::reveal(const QString& key) {
  OptionRow* target = row(key);
  m_revealAfterBuild = target == nullptr && m_builder->isActive() ? key : QString();
  if (target == nullptr) return;
  if (target->isHidden()) {
    m_search->clear();
    m_hideUnused->setChecked(false);
    m_all->setChecked(true);
  }
  m_scroll->ensureWidgetVisible(target);
  target->editor()->setFocus(Qt::OtherFocusReason);
}

void OptionForm::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_draft != nullptr) refreshTree(true);
}

void OptionForm::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showTree();
  m_help->setVisible(width() >= kWidthForHelpPanel);
}

}  // namespace fathom
