// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/system/system_figure.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/look/engine_text.h"
#include "views/panels/system/system_view.h"

namespace fathom {

namespace {

constexpr double kMinuteOfLoad = 60, kHourOfLoad = 3600, kDayOfLoad = 86400;  // seconds
constexpr double kRoom = 1.12;                                                // over the highest value
constexpr double kGib = double(1 << 30);
constexpr std::size_t kMostCharts = 24;  // of what other programs have names for

struct TimeUnit {
  double seconds;
  QString axis;
};

TimeUnit unitFor(double seconds) {
  if (seconds < 3 * kMinuteOfLoad) return {1, SystemView::tr("time, s")};
  if (seconds < 3 * kHourOfLoad) return {kMinuteOfLoad, SystemView::tr("time, min")};
  if (seconds < 3 * kDayOfLoad) return {kHourOfLoad, SystemView::tr("time, h")};
  return {kDayOfLoad, SystemView::tr("time, days")};
}

// Number of the card and the rest of a name of ours: "system/gpu1_memory" is 1 and "_memory".
struct CardName {
  int card = -1;
  std::string rest;
};
CardName cardNameOf(const std::string& name) {
  if (!name.starts_with(system_name::kCard)) return {};
  std::size_t at = system_name::kCard.size();
  const std::size_t first = at;
  while (at < name.size() && at < first + 4 && std::isdigit(static_cast<unsigned char>(name[at])) != 0) ++at;
  if (at == first) return {};
  return {std::stoi(name.substr(first, at - first)), name.substr(at)};
}

class SystemCharts {
 public:
  SystemCharts(const RunSystem& system, int columns) : m_system(system), m_columns(std::max(columns, 1)) {
    double last = 0;
    for (const SystemSeries& series : system.series) last = std::max(last, series.seconds.back());
    m_unit = unitFor(last);
  }

  void begin(const QString& title, std::optional<double> most = {}) {
    m_panel = FigurePanel();
    m_panel.title = toUtf8(escapeMarkup(title));
    m_panel.y.minimum = 0;
    m_panel.y.maximum = most;
    m_panel.legend = LegendPlace::None;
    m_title = title;
    m_highest = 0;
    m_lines = 0;
  }
  void add(const SystemSeries& series, const QString& label, double factor = 1) {
    m_drawn.insert(series.name);
    LineMark line;
    for (const double seconds : series.seconds) line.x.push_back(seconds / m_unit.seconds);
    for (const double value : series.values) {
      line.y.push_back(value * factor);
      m_highest = std::max(m_highest, value * factor);
      if (value < 0) m_panel.y.minimum.reset();
    }
    FigureMark mark;
    mark.label = toUtf8(escapeMarkup(label));
    mark.style.colour = "series:" + std::to_string(m_lines++);
    mark.style.marker = line.x.size() == 1 ? MarkerShape::Disc : MarkerShape::None;
    addWords(label, line.y);
    mark.shape = std::move(line);
    m_panel.marks.push_back(std::move(mark));
  }
  bool add(std::string_view name, const QString& label = {}, double factor = 1) {
    const SystemSeries* series = m_system.find(name);
    if (series != nullptr) add(*series, label, factor);
    return series != nullptr;
  }
  void addRule(double value, const QString& label) {
    FigureMark mark;
    mark.label = toUtf8(label);
    mark.style.colour = "secondary";
    mark.style.dash = LineDash::Dash;
    mark.shape = RuleMark{value, false};
    m_panel.marks.push_back(std::move(mark));
    m_highest = std::max(m_highest, value);
  }
  // A chart without a line is none.
  void end() {
    if (m_lines == 0) return;
    if (m_panel.marks.size() > 1) m_panel.legend = LegendPlace::Inside;
    if (!m_panel.y.maximum) m_panel.y.maximum = m_highest > 0 ? kRoom * m_highest : 1;
    const auto place = static_cast<int>(m_spec.panels.size());
    m_panel.row = place / m_columns;
    m_panel.column = place % m_columns;
    m_spec.panels.push_back(std::move(m_panel));
  }
  bool isDrawn(const std::string& name) const { return m_drawn.contains(name); }
  void setDrawn(std::string_view name) { m_drawn.insert(std::string(name)); }

  FigureSpec finish() {
    // Each says its unit: the last of them may be scrolled away.
    for (FigurePanel& panel : m_spec.panels) panel.x.label = toUtf8(m_unit.axis);
    m_spec.title = toUtf8(SystemView::tr("Load of the machine"));
    return std::move(m_spec);
  }

 private:
  void addWords(const QString& label, const std::vector<double>& values) {
    const QString name = label.isEmpty() ? m_title : m_title + QStringLiteral(", ") + label;
    m_spec.summary.append(toUtf8(SystemView::tr("%1: last %2, at most %3.")
                                     .arg(name, valueText(values.back()),
                                          valueText(*std::max_element(values.begin(), values.end())))));
  }
  const RunSystem& m_system;
  int m_columns;
  TimeUnit m_unit;
  FigureSpec m_spec;
  FigurePanel m_panel;
  QString m_title;
  double m_highest = 0;
  std::size_t m_lines = 0;
  std::set<std::string> m_drawn;
};

// Each line has a name where there are several cards.
void addCards(SystemCharts& charts, const RunSystem& system, const std::string& rest, const QString& title,
              std::optional<double> most = {}, std::int64_t neededBytes = 0) {
  std::vector<std::pair<int, const SystemSeries*>> cards;
  for (const SystemSeries& series : system.series)
    if (const CardName name = cardNameOf(series.name); name.card >= 0 && name.rest == rest)
      cards.emplace_back(name.card, &series);
  std::sort(cards.begin(), cards.end());
  charts.begin(title, most);
  for (const auto& [card, series] : cards)
    charts.add(*series, cards.size() > 1 ? SystemView::tr("card %1").arg(card) : QString());
  if (neededBytes > 0) charts.addRule(double(neededBytes) / kGib, SystemView::tr("estimate"));
  charts.end();
}

void addMachine(SystemCharts& charts, const RunSystem& system) {
  constexpr double kWhole = 100;
  const bool share = system.machine.memory > 0;
  charts.begin(SystemView::tr("Whole machine, %"), kWhole);
  const bool processors = charts.add(system_name::kCpu, SystemView::tr("processors"));
  if (share)
    charts.add(system_name::kMemory, processors ? SystemView::tr("memory") : QString(),
               kWhole / system.machine.memory);
  charts.end();
  if (share) return;
  charts.begin(SystemView::tr("Memory of the machine, GiB"));
  charts.add(system_name::kMemory);
  charts.end();
}

}  // namespace

FigureSpec systemFigure(const RunSystem& system, std::int64_t neededBytes, int columns) {
  if (system.series.empty()) return {};
  SystemCharts charts(system, columns);
  charts.begin(SystemView::tr("Processors of the run, cores"));
  charts.add(system_name::kProcessCpu);
  charts.end();
  const bool onCard = system.machine.device.starts_with("cuda");
  charts.begin(SystemView::tr("Memory of the run, GiB"));
  if (charts.add(system_name::kProcessMemory) && neededBytes > 0 && !onCard)
    charts.addRule(double(neededBytes) / kGib, SystemView::tr("estimate"));
  charts.end();
  charts.setDrawn(system_name::kProcessPeak);  // in words
  addCards(charts, system, "", SystemView::tr("Cards, % busy"), 100);
  addCards(charts, system, "_process_memory", SystemView::tr("Memory of the run on cards, GiB"), {},
           onCard ? neededBytes : 0);
  addCards(charts, system, "_memory", SystemView::tr("Memory of cards, GiB"));
  addCards(charts, system, "_power", SystemView::tr("Power of cards, W"));
  addCards(charts, system, "_temperature", SystemView::tr("Temperature of cards, °C"));
  charts.begin(SystemView::tr("Written to disks, GiB"));
  charts.add(system_name::kDiskWritten);
  charts.end();
  charts.begin(SystemView::tr("Free on the disk, GiB"));
  charts.add(system_name::kDiskFree);
  charts.end();
  addMachine(charts, system);
  std::size_t others = 0;
  for (const SystemSeries& series : system.series) {
    if (charts.isDrawn(series.name) || ++others > kMostCharts) continue;
    charts.begin(fromUtf8(series.name.starts_with(system_name::kPrefix)
                              ? series.name.substr(system_name::kPrefix.size())
                              : series.name));
    charts.add(series, {});
    charts.end();
  }
  return charts.finish();
}

}  // namespace fathom
