// SPDX-License-Identifier: Apache-2.0
#include "core/library/curve_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/library/library_error.h"

namespace fathom {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Bins of equal width over [first, last].
class Binning {
 public:
  Binning(double first, double last, int bins)
      : m_first(first), m_last(last), m_bins(static_cast<std::size_t>(std::max(bins, 1))), m_all(m_bins) {
    m_width = std::max(last - first, 1e-300) / static_cast<double>(m_bins);
  }
  std::size_t binOf(double step) const {
    const double place = (step - m_first) / m_width;
    return std::min(static_cast<std::size_t>(std::max(place, 0.0)), m_bins - 1);
  }
  bool covers(double step) const { return step >= m_first && step <= m_last; }
  void add(double step, double value) {
    if (std::isfinite(value) && covers(step)) addRange(step, step, value, value);
  }
  // All of it in one bin.
  void addRange(double firstStep, double lastStep, double minimum, double maximum) {
    CurveBin& bin = m_all[binOf(firstStep)];
    if (m_used.empty()) m_used.resize(m_bins, false);
    if (!m_used[binOf(firstStep)]) {
      m_used[binOf(firstStep)] = true;
      bin = {firstStep, lastStep, minimum, maximum};
      return;
    }
    bin.firstStep = std::min(bin.firstStep, firstStep);
    bin.lastStep = std::max(bin.lastStep, lastStep);
    bin.minimum = std::min(bin.minimum, minimum);
    bin.maximum = std::max(bin.maximum, maximum);
  }
  std::vector<CurveBin> take() const {
    std::vector<CurveBin> bins;
    for (std::size_t i = 0; i < m_used.size(); ++i) {
      if (m_used[i]) bins.push_back(m_all[i]);
    }
    return bins;
  }

 private:
  double m_first, m_last, m_width;
  std::size_t m_bins;
  std::vector<CurveBin> m_all;
  std::vector<bool> m_used;
};

void bindBlob(SQLite::Statement& statement, int index, const double* values, std::size_t count) {
  statement.bindNoCopy(index, values, static_cast<int>(count * sizeof(double)));
}

void appendBlob(const SQLite::Column& column, std::vector<double>& values) {
  const std::size_t count = static_cast<std::size_t>(column.getBytes()) / sizeof(double);
  const std::size_t before = values.size();
  values.resize(before + count);
  if (count > 0) std::memcpy(values.data() + before, column.getBlob(), count * sizeof(double));
}

std::int64_t storeAxis(SQLite::Database& database, const ScalarSeries& series) {
  database.exec("INSERT INTO axis DEFAULT VALUES");
  const std::int64_t axis = database.getLastInsertRowid();
  SQLite::Statement insert(
      database, "INSERT INTO axis_block (axis, number, step, time, epoch, tokens) VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0, number = 0; at < series.step.size(); at += kBlockPoints, ++number) {
    const std::size_t count = std::min(kBlockPoints, series.step.size() - at);
    insert.bind(1, axis);
    insert.bind(2, static_cast<std::int64_t>(number));
    bindBlob(insert, 3, series.step.data() + at, count);
    bindBlob(insert, 4, series.time.data() + at, count);
    bindBlob(insert, 5, series.epoch.data() + at, count);
    bindBlob(insert, 6, series.tokens.data() + at, count);
    insert.exec();
    insert.reset();
  }
  return axis;
}

void storeValues(SQLite::Database& database, std::int64_t series, const ScalarSeries& points) {
  SQLite::Statement insert(
      database,
      "INSERT INTO value_block (series, number, first_step, last_step, minimum, maximum, "
      "value) VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t at = 0, number = 0; at < points.value.size(); at += kBlockPoints, ++number) {
    const std::size_t count = std::min(kBlockPoints, points.value.size() - at);
    double minimum = kInfinity, maximum = -kInfinity;
    for (std::size_t i = at; i < at + count; ++i) {
      if (!std::isfinite(points.value[i])) continue;
      minimum = std::min(minimum, points.value[i]);
      maximum = std::max(maximum, points.value[i]);
    }
    insert.bind(1, series);
    insert.bind(2, static_cast<std::int64_t>(number));
    insert.bind(3, points.step[at]);
    insert.bind(4, points.step[at + count - 1]);
    insert.bind(5, minimum);
    insert.bind(6, maximum);
    bindBlob(insert, 7, points.value.data() + at, count);
    insert.exec();
    insert.reset();
  }
}

bool sameAxis(const ScalarSeries& a, const ScalarSeries& b) {
  return a.step == b.step && a.time == b.time && a.epoch == b.epoch && a.tokens == b.tokens;
}

struct SeriesIds {
  std::int64_t series = 0, axis = 0;
};

std::optional<SeriesIds> findSeries(SQLite::Database& database, std::int64_t run, const std::string& metric) {
  SQLite::Statement query(database, "SELECT id, axis FROM series WHERE run = ? AND metric = ?");
  query.bind(1, run);
  query.bind(2, metric);
  if (!query.executeStep()) return std::nullopt;
  return SeriesIds{query.getColumn(0).getInt64(), query.getColumn(1).getInt64()};
}

}  // namespace

void createCurveTables(SQLite::Database& database) {
  database.exec(R"sql(
CREATE TABLE run (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL);
CREATE TABLE axis (id INTEGER PRIMARY KEY);
CREATE TABLE axis_block (
  axis INTEGER NOT NULL, number INTEGER NOT NULL, step BLOB NOT NULL, time BLOB NOT NULL, epoch BLOB NOT NULL,
  tokens BLOB NOT NULL, PRIMARY KEY (axis, number)
) WITHOUT ROWID;
CREATE TABLE series (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, metric TEXT NOT NULL,
  axis INTEGER NOT NULL, UNIQUE (run, metric)
);
CREATE TABLE value_block (
  series INTEGER NOT NULL, number INTEGER NOT NULL, first_step REAL NOT NULL, last_step REAL NOT NULL,
  minimum REAL NOT NULL, maximum REAL NOT NULL, value BLOB NOT NULL, PRIMARY KEY (series, number)
) WITHOUT ROWID;
)sql");
}

// Written out, since connections run no triggers (library_error.h).
void removeSeries(SQLite::Database& database, const std::string& path) {
  const char* const kSteps[] = {
      "DELETE FROM value_block WHERE series IN (SELECT s.id FROM series s JOIN run r ON r.id = s.run WHERE "
      "r.path = ?)",
      "DELETE FROM axis_block WHERE axis IN (SELECT s.axis FROM series s JOIN run r ON r.id = s.run WHERE "
      "r.path = ?)",
      "DELETE FROM axis WHERE id IN (SELECT s.axis FROM series s JOIN run r ON r.id = s.run WHERE r.path = "
      "?)",
      "DELETE FROM series WHERE run IN (SELECT id FROM run WHERE path = ?)",
      "DELETE FROM run WHERE path = ?"};
  for (const char* step : kSteps) {
    SQLite::Statement remove(database, step);
    remove.bind(1, path);
    remove.exec();
  }
}

void storeSeries(SQLite::Database& database, std::int64_t run, const std::vector<ScalarSeries>& all) {
  std::vector<std::pair<const ScalarSeries*, std::int64_t>> axes;
  SQLite::Statement insert(database, "INSERT INTO series (run, metric, axis) VALUES (?, ?, ?)");
  for (const ScalarSeries& series : all) {
    const auto known = std::find_if(axes.begin(), axes.end(),
                                    [&](const auto& item) { return sameAxis(*item.first, series); });
    const std::int64_t axis = known == axes.end() ? storeAxis(database, series) : known->second;
    if (known == axes.end()) axes.emplace_back(&series, axis);
    insert.bind(1, run);
    insert.bind(2, series.metric);
    insert.bind(3, axis);
    insert.exec();
    insert.reset();
    storeValues(database, database.getLastInsertRowid(), series);
  }
}

std::optional<ScalarSeries> loadSeries(SQLite::Database& database, std::int64_t run,
                                       const std::string& metric) {
  const auto ids = findSeries(database, run, metric);
  if (!ids) return std::nullopt;
  ScalarSeries series;
  series.metric = metric;
  SQLite::Statement axis(database,
                         "SELECT step, time, epoch, tokens FROM axis_block WHERE axis = ? ORDER BY number");
  axis.bind(1, ids->axis);
  while (axis.executeStep()) {
    appendBlob(axis.getColumn(0), series.step);
    appendBlob(axis.getColumn(1), series.time);
    appendBlob(axis.getColumn(2), series.epoch);
    appendBlob(axis.getColumn(3), series.tokens);
  }
  SQLite::Statement values(database, "SELECT value FROM value_block WHERE series = ? ORDER BY number");
  values.bind(1, ids->series);
  while (values.executeStep()) appendBlob(values.getColumn(0), series.value);
  if (series.value.size() != series.step.size()) return std::nullopt;
  return series;
}

std::vector<CurveBin> loadOverview(SQLite::Database& database, std::int64_t run, const std::string& metric,
                                   double first, double last, int bins) {
  const auto ids = findSeries(database, run, metric);
  if (!ids) return {};
  if (first > last) {
    SQLite::Statement range(database,
                            "SELECT min(first_step), max(last_step) FROM value_block WHERE series = ?");
    range.bind(1, ids->series);
    if (!range.executeStep() || range.isColumnNull(0)) return {};
    first = range.getColumn(0).getDouble();
    last = range.getColumn(1).getDouble();
  }
  Binning binning(first, last, bins);
  SQLite::Statement heads(
      database,
      "SELECT number, first_step, last_step, minimum, maximum FROM value_block WHERE series = ? "
      "AND last_step >= ? AND first_step <= ? ORDER BY number");
  heads.bind(1, ids->series);
  heads.bind(2, first);
  heads.bind(3, last);
  SQLite::Statement block(
      database,
      "SELECT a.step, v.value FROM value_block v JOIN axis_block a ON a.axis = ? AND a.number = "
      "v.number WHERE v.series = ? AND v.number = ?");
  while (heads.executeStep()) {
    const double from = heads.getColumn(1).getDouble(), to = heads.getColumn(2).getDouble();
    if (binning.covers(from) && binning.covers(to) && binning.binOf(from) == binning.binOf(to)) {
      const double minimum = heads.getColumn(3).getDouble();
      if (std::isfinite(minimum)) binning.addRange(from, to, minimum, heads.getColumn(4).getDouble());
      continue;
    }
    block.reset();
    block.bind(1, ids->axis);
    block.bind(2, ids->series);
    block.bind(3, heads.getColumn(0).getInt64());
    if (!block.executeStep()) continue;
    std::vector<double> step, value;
    appendBlob(block.getColumn(0), step);
    appendBlob(block.getColumn(1), value);
    for (std::size_t i = 0; i < std::min(step.size(), value.size()); ++i) binning.add(step[i], value[i]);
  }
  return binning.take();
}

std::vector<CurveBin> binPoints(const ScalarSeries& series, double first, double last, int bins) {
  if (series.step.empty()) return {};
  if (first > last) {
    first = *std::min_element(series.step.begin(), series.step.end());
    last = *std::max_element(series.step.begin(), series.step.end());
  }
  Binning binning(first, last, bins);
  for (std::size_t i = 0; i < series.step.size(); ++i) binning.add(series.step[i], series.value[i]);
  return binning.take();
}

}  // namespace fathom
