// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns of the run table are there, and how wide.
#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <utility>
#include <vector>

#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/run_swatch.h"
#include "views/look/theme.h"
#include "views/panels/train/group_bar.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_fold_model.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

// More configuration keys than this make a menu nobody reads; the search box of the form finds the rest.
constexpr int kMaxConfigChoices = 40;
constexpr int kLayout = 2;  // of saveLayout
constexpr int kRowsRead = 48;
constexpr int kLiveDigits = 14;  // a wider column of updates says what is left, too

}  // namespace

int RunTablePanel::columnOf(const QString& id) const {
  for (int column = 0; column < m_model->columnCount(); ++column)
    if (m_model->columnId(column) == id) return column;
  return -1;
}

// As wide as its head and its cells; of long tables some rows stand for all.
int RunTablePanel::contentWidth(int column) const {
  const QFontMetrics text = m_table->fontMetrics();
  const int rows = m_rows->rowCount(), step = qMax(1, rows / kRowsRead);
  int widest = 0;
  for (int row = 0; row < rows; row += step)
    widest = qMax(widest, text.horizontalAdvance(m_rows->index(row, column).data().toString()));
  return widest;
}

// Pixels of the longest name: those are measured that have most letters, a Chinese one for two.
int RunTablePanel::longestName() const {
  constexpr char32_t kWide = 0x2E80;  // here the letters of Chinese, Japanese and Korean begin
  std::vector<std::pair<qsizetype, QString>> names;
  for (int row = 0; row < m_rows->rowCount(); ++row) {
    QString name = m_rows->index(row, RunTableModel::Name).data().toString();
    const auto wide =
        std::count_if(name.cbegin(), name.cend(), [](QChar letter) { return letter.unicode() >= kWide; });
    names.emplace_back(name.size() + wide, std::move(name));
  }
  const auto measured = names.begin() + qMin(qsizetype(names.size()), qsizetype(kRowsRead));
  std::partial_sort(names.begin(), measured, names.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  const QFontMetrics text = m_table->fontMetrics();
  int widest = 0;
  for (auto name = names.begin(); name != measured; ++name)
    widest = qMax(widest, text.horizontalAdvance(name->second));
  return widest;
}

// In which the longest name stands whole, as RunTableDelegate draws it.
int RunTablePanel::wholeNameWidth() const {
  const int arrows = m_rows->anyGroup() ? metrics::kIcon : 0;
  return qMax(leastNameWidth(),
              longestName() + 3 * metrics::kGrid + kSwatchWidth + metrics::kMargin + arrows);
}

int RunTablePanel::usualWidth(int column) const {
  const QFontMetrics text = m_table->fontMetrics();
  const int digit = text.horizontalAdvance(QLatin1Char('0'));
  if (column <= RunTableModel::Star) return metrics::kIcon + metrics::kGrid / 2;
  if (column == RunTableModel::State) return metrics::kIcon + 2 * metrics::kGrid;
  if (column == RunTableModel::Name) return qMin(wholeNameWidth(), 64 * digit);
  const int mark = column == RunTableModel::Source ? metrics::kIcon + metrics::kGrid : 0;
  const int later = column == RunTableModel::Place ? 2 * digit : 0;  // "9 s ago" becomes longer
  const int cells = contentWidth(column) + 3 * metrics::kGrid + mark + later;
  // Its sort sign stands beside the title.
  const int head = text.horizontalAdvance(m_model->headerData(column, Qt::Horizontal).toString());
  return qBound(6 * digit, qMax(cells, qMin(head, 16 * digit) + 5 * metrics::kGrid), 24 * digit);
}

// Least width of a name: its colour and its ends.
int RunTablePanel::leastNameWidth() const {
  const int digit = m_table->fontMetrics().horizontalAdvance(QLatin1Char('0'));
  return 14 * digit + metrics::kIcon;
}

void RunTablePanel::sizeColumns() {
  m_sizing = true;
  for (int column = 0; column < m_model->columnCount(); ++column) {
    const bool hidden = m_table->isColumnHidden(column);
    if (!hidden && !m_sized.contains(m_model->columnId(column)))
      m_table->setColumnWidth(column, usualWidth(column));
  }
  m_sizing = false;
  makeRoom();
}

// Which columns stand there first where there is not room for all.
QVector<int> RunTablePanel::byImportance() const {
  QVector<int> columns = {RunTableModel::Eye, RunTableModel::Star, RunTableModel::Name, RunTableModel::State};
  const int metricsEnd = RunTableModel::FixedColumns + static_cast<int>(m_model->metricColumns().size());
  if (metricsEnd > RunTableModel::FixedColumns) columns.append(RunTableModel::FixedColumns);
  columns << RunTableModel::Progress << RunTableModel::Duration;
  for (int column = RunTableModel::FixedColumns + 1; column < metricsEnd; ++column) columns.append(column);
  columns << RunTableModel::Place << RunTableModel::Started << RunTableModel::Tags << RunTableModel::Notes
          << RunTableModel::Source << RunTableModel::Job;
  for (int column = metricsEnd; column < m_model->columnCount(); ++column) columns.append(column);
  return columns;
}

bool RunTablePanel::isWanted(int column, int used, int width) const {
  const QString id = m_model->columnId(column);
  const auto chosen = m_wanted.constFind(id);
  if (column <= RunTableModel::Name) return true;
  if (chosen != m_wanted.cend()) return *chosen;
  if (column == RunTableModel::State || m_sized.contains(id)) return true;
  // A column chosen from the list of options or of metrics is wanted whether there is room or not.
  const bool standard = column < RunTableModel::FixedColumns || m_standard.contains(id.section(u':', 1));
  if (!standard) return true;
  if (column >= RunTableModel::Tags && column < RunTableModel::FixedColumns && contentWidth(column) == 0)
    return false;
  return used + width <= m_table->viewport()->width();
}

void RunTablePanel::makeRoom() {
  if (m_sizing) return;
  m_sizing = true;
  const int room = m_table->viewport()->width();
  const auto widthOf = [this](int column) {
    const bool own = m_sized.contains(m_model->columnId(column)) && !m_table->isColumnHidden(column);
    return own ? m_table->columnWidth(column) : usualWidth(column);
  };
  const int name = widthOf(RunTableModel::Name);
  const bool nameIsOurs = !m_sized.contains(m_model->columnId(RunTableModel::Name));
  // While a run tells what is left the time that it took is worth less than its name.
  const int digit = m_table->fontMetrics().horizontalAdvance(QLatin1Char('0'));
  const bool live = widthOf(RunTableModel::Progress) > kLiveDigits * digit;
  int used = 0;  // with the name as narrow as it may be
  for (const int column : byImportance()) {
    const int width = column == RunTableModel::Name && nameIsOurs ? leastNameWidth() : widthOf(column);
    // A name is worth more than the columns that come last.
    const bool late = (column == RunTableModel::Duration && live) || column == RunTableModel::Started ||
                      (column >= RunTableModel::Tags && column != RunTableModel::FixedColumns);
    const int before = late && nameIsOurs ? used + name - leastNameWidth() : used;
    const bool shown = isWanted(column, before, width);
    m_table->setColumnHidden(column, !shown);
    if (!shown) continue;
    if (!m_sized.contains(m_model->columnId(column))) m_table->setColumnWidth(column, width);
    used += width;
  }
  if (nameIsOurs)
    m_table->setColumnWidth(RunTableModel::Name,
                            qBound(leastNameWidth(), room - (used - leastNameWidth()), wholeNameWidth()));
  m_sizing = false;
  m_model->setPlaceApart(!m_table->isColumnHidden(RunTableModel::Place));
  showFirstColumn();
}

// They are what stays in sight, so they come first.
void RunTablePanel::keepNameFirst() {
  QHeaderView* header = m_table->horizontalHeader();
  m_sizing = true;
  for (int column = RunTableModel::Eye; column <= RunTableModel::Name; ++column)
    header->moveSection(header->visualIndex(column), column);
  m_sizing = false;
}

void RunTablePanel::chooseMetrics(const QStringList& chosen) {
  m_standard = chosen;
  m_model->setMetricColumns(chosen);
  QHeaderView* header = m_table->horizontalHeader();
  m_sizing = true;
  // The model was made anew: the order is the model's.
  for (int i = 0; i < chosen.size(); ++i) {
    const int after = i == 0 ? RunTableModel::Name : RunTableModel::Duration;
    const int from = header->visualIndex(RunTableModel::FixedColumns + i);
    const int place = header->visualIndex(after) + (i == 0 ? 1 : i);
    header->moveSection(from, place);
  }
  m_sizing = false;
  sizeColumns();
}

// Nobody scrolls to hide eye and star: the table went to the name when it was narrow.
void RunTablePanel::showFirstColumn() {
  const QHeaderView* header = m_table->horizontalHeader();
  QScrollBar* bar = m_table->horizontalScrollBar();
  const int marks =
      header->sectionSize(header->logicalIndex(0)) + header->sectionSize(header->logicalIndex(1));
  if (bar->value() <= marks) bar->setValue(0);
}

void RunTablePanel::addChoice(QMenu* menu, const QString& column, const QString& title, bool shown) {
  QAction* action = menu->addAction(literalActionText(title));
  action->setCheckable(true);
  action->setChecked(shown);
  action->setToolTip(column.section(QLatin1Char(':'), 1));
  connect(action, &QAction::toggled, this, [this, column](bool on) { toggleColumn(column, on); });
}

void RunTablePanel::fillColumnMenu() {
  m_columnMenu->clear();
  for (int column = RunTableModel::State; column < RunTableModel::FixedColumns; ++column)
    addChoice(m_columnMenu, m_model->columnId(column), m_model->headerData(column, Qt::Horizontal).toString(),
              !m_table->isColumnHidden(column));
  m_columnMenu->addSection(tr("Best value of"));
  const MetricCatalogue metrics = m_model->metricCatalogue();
  for (const QString& metric : m_model->knownMetrics())
    addChoice(m_columnMenu, QStringLiteral("metric:") + metric, metricTitle(metrics.of(toUtf8(metric))),
              m_model->metricColumns().contains(metric));
  addFoldChoice();
  QMenu* options = m_columnMenu->addMenu(tr("Options"));
  options->setToolTipsVisible(true);
  const QStringList chosen = m_model->configColumns();
  QStringList keys = chosen;
  for (const QString& key : m_model->knownConfigKeys())
    if (!keys.contains(key) && keys.size() < kMaxConfigChoices) keys.append(key);
  for (const QString& key : std::as_const(keys))
    addChoice(options, QStringLiteral("config:") + key, key, chosen.contains(key));
  options->setEnabled(!keys.isEmpty());
}

void RunTablePanel::addFoldChoice() {
  m_columnMenu->addSeparator();
  QAction* folds = m_columnMenu->addAction(tr("One row for each group"));
  folds->setObjectName(QStringLiteral("foldGrids"));
  folds->setCheckable(true);
  folds->setChecked(m_rows->folds());
  connect(folds, &QAction::toggled, this, [this](bool on) {
    m_rows->setFolds(on);
    Q_EMIT layoutChanged();
  });
  QMenu* groups = m_columnMenu->addMenu(tr("Group rows by"));
  groups->setObjectName(QStringLiteral("groupMenu"));
  m_groups->fillMenu(groups);
}

// Options that tell runs apart, but for the seed and the like.
QStringList RunTablePanel::differingOptions() const {
  constexpr qsizetype kMostDiffering = 6;
  QStringList keys;
  for (const QString& key : m_model->differingConfigKeys())
    if (keys.size() < kMostDiffering) keys.append(key);
  return keys;
}

// Other options may stand there as well.
bool RunTablePanel::showsDiffering() const {
  const QStringList keys = differingOptions(), shown = m_model->configColumns();
  return !keys.isEmpty() && std::all_of(keys.cbegin(), keys.cend(),
                                        [&shown](const QString& key) { return shown.contains(key); });
}

void RunTablePanel::showDiffering(bool shown) {
  QStringList keys = m_model->configColumns();
  for (const QString& key : m_model->differingConfigKeys()) keys.removeAll(key);
  if (shown) keys += differingOptions();
  showColumns(m_model->metricColumns(), keys);
}

void RunTablePanel::toggleColumn(const QString& id, bool shown) {
  const auto toggled = [&](QStringList list) {
    const QString name = id.section(QLatin1Char(':'), 1);
    list.removeAll(name);
    if (shown) list.append(name);
    return list;
  };
  const bool metric = id.startsWith(QLatin1String("metric:"));
  if (!metric && !id.startsWith(QLatin1String("config:"))) {
    m_wanted.insert(id, shown);
    makeRoom();
    return Q_EMIT layoutChanged();
  }
  m_wanted.remove(id);
  m_standard.removeAll(id.section(QLatin1Char(':'), 1));
  showColumns(metric ? toggled(m_model->metricColumns()) : m_model->metricColumns(),
              metric ? m_model->configColumns() : toggled(m_model->configColumns()));
}

void RunTablePanel::showColumns(const QStringList& metrics, const QStringList& options) {
  const QByteArray layout = saveLayout();
  m_model->setMetricColumns(metrics);
  m_model->setConfigColumns(options);
  m_options->setChecked(showsDiffering());
  // The columns after the changed one have new places; the layout is by name.
  sizeColumns();
  Json json = Json::parse(layout.toStdString());
  json.erase("metrics");
  json.erase("options");
  restoreLayout(QByteArray::fromStdString(json.dump()));
  Q_EMIT layoutChanged();
}

QByteArray RunTablePanel::saveLayout() const {
  const QHeaderView* header = m_table->horizontalHeader();
  Json json;
  json["metrics"] = Json::array();
  for (const QString& metric : m_model->metricColumns()) json["metrics"].push_back(toUtf8(metric));
  json["options"] = Json::array();
  for (const QString& key : m_model->configColumns()) json["options"].push_back(toUtf8(key));
  json["columns"] = Json::array();
  for (int visual = 0; visual < header->count(); ++visual) {
    const int column = header->logicalIndex(visual);
    const QString id = m_model->columnId(column);
    Json item = {{"id", toUtf8(id)},
                 {"width", header->isSectionHidden(column) ? 0 : header->sectionSize(column)},
                 {"chosen", m_sized.contains(id)}};
    if (m_wanted.contains(id)) item["shown"] = m_wanted[id];
    json["columns"].push_back(std::move(item));
  }
  json["folds"] = m_rows->folds();
  json["version"] = kLayout;
  json["standard"] = Json::array();
  for (const QString& metric : m_standard) json["standard"].push_back(toUtf8(metric));
  json["sort"] = toUtf8(m_model->columnId(qMax(0, header->sortIndicatorSection())));
  json["descending"] = header->sortIndicatorOrder() == Qt::DescendingOrder;
  return QByteArray::fromStdString(json.dump());
}

void RunTablePanel::restoreLayout(const QByteArray& text) {
  const Json json = Json::parse(text.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  const auto words = [&json](const char* key) {
    QStringList list;
    if (json.contains(key) && json[key].is_array())
      for (const Json& item : json[key])
        if (item.is_string()) list.append(fromUtf8(item.get<std::string>()));
    return list;
  };
  m_rows->setFolds(json.value("folds", Json(true)) != Json(false));
  if (json.contains("metrics")) m_model->setMetricColumns(words("metrics"));
  if (json.contains("options")) m_model->setConfigColumns(words("options"));
  m_options->setChecked(showsDiffering());
  QHeaderView* header = m_table->horizontalHeader();
  const bool old = json.value("version", Json(1)) != Json(kLayout);
  if (json.contains("standard")) m_standard = words("standard");
  m_sized.clear();
  m_wanted.clear();
  sizeColumns();
  int visual = 0;
  if (json.contains("columns") && json["columns"].is_array()) {
    for (const Json& item : json["columns"]) {
      if (!item.is_object() || !item.contains("id") || !item["id"].is_string()) continue;
      const int column = columnOf(fromUtf8(item["id"].get<std::string>()));
      if (column < 0) continue;
      m_sizing = true;
      header->moveSection(header->visualIndex(column), visual++);
      m_sizing = false;
      const int width =
          item.contains("width") && item["width"].is_number_integer() ? item["width"].get<int>() : 80;
      // Layouts from before columns came and went by themselves: what is hidden was hidden by hand.
      if (item.contains("shown") && item["shown"].is_boolean()) {
        m_wanted.insert(m_model->columnId(column), item["shown"].get<bool>());
      } else if (old && width == 0) {
        m_wanted.insert(m_model->columnId(column), false);
      }
      // Layouts from before widths had a "chosen": a width that is not the usual one was.
      const bool chosen = item.contains("chosen") ? item["chosen"] == true : width != usualWidth(column);
      if (width <= 0 || !chosen) continue;
      m_sized.insert(m_model->columnId(column));
      m_sizing = true;
      header->setSectionHidden(column, false);
      header->resizeSection(column, qBound(20, width, 2000));
      m_sizing = false;
    }
    keepNameFirst();
    makeRoom();
  }
  if (!json.contains("sort") || !json["sort"].is_string()) return;
  const int sortColumn = columnOf(fromUtf8(json["sort"].get<std::string>()));
  if (sortColumn >= 0)
    m_table->sortByColumn(sortColumn,
                          json.value("descending", true) ? Qt::DescendingOrder : Qt::AscendingOrder);
}

}  // namespace fathom
