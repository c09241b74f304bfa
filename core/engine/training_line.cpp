// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training_line.h"

#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string_view>

namespace fathom {

namespace {

constexpr std::string_view kRateMetric = "tokens_per_s";

std::optional<double> valueOf(const NamedValues& values, std::string_view name) {
  for (const auto& [key, value] : values) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace

TrainingLine::TrainingLine() : m_terminal(::isatty(STDERR_FILENO) != 0) {}

TrainingLine::~TrainingLine() {
  clear();
}

void TrainingLine::metrics(const Metrics& metrics) {
  if (const Metric* rate = findMetric(metrics, kRateMetric)) m_rateTitle = rate->shortTitle;
}

void TrainingLine::progress(const ProgressUpdate& update) {
  m_progress = update;
  show();
}

void TrainingLine::step(const StepReport& report) {
  m_step = report;
  const double rate = valueOf(report.values, kRateMetric).value_or(0);
  m_rate = m_rate == 0 ? rate : 0.95 * m_rate + 0.05 * rate;
}

void TrainingLine::message(const std::string& text) {
  clear();
  std::fprintf(stderr, "%s\n", text.c_str());
}

std::string TrainingLine::text() const {
  char line[256];
  int used = std::snprintf(line, sizeof line, "%s %.0f", m_progress.phase.c_str(), m_progress.done);
  const auto add = [&](const char* format, auto... values) {
    if (used < static_cast<int>(sizeof line))
      used += std::snprintf(line + used, sizeof line - static_cast<std::size_t>(used), format, values...);
  };
  if (m_progress.total >= 0) add("/%.0f", m_progress.total);
  add(" %s", m_progress.unit.c_str());
  if (m_progress.phase == "training" && m_step.step > 0) {
    if (const auto loss = valueOf(m_step.values, "loss")) add("  loss %.3f", *loss);
    if (const auto ppl = valueOf(m_step.values, "ppl")) add("  ppl %.4g", *ppl);
    add("  %.0f %s", m_rate, m_rateTitle.c_str());
  }
  add("  %s", formatDuration(m_progress.spentSeconds).c_str());
  if (m_progress.remainingSeconds)
    add(" spent, %s left", formatDuration(*m_progress.remainingSeconds).c_str());
  return line;
}

void TrainingLine::show() {
  const auto now = std::chrono::steady_clock::now();
  const auto pause = m_terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
  if (now - m_last < pause) return;
  m_last = now;
  const std::string line = text();
  if (m_terminal) {
    std::fprintf(stderr, "%s", m_line.show(line, terminalShape(STDERR_FILENO)).c_str());
    std::fflush(stderr);
    m_shown = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

void TrainingLine::clear() {
  if (m_shown) std::fprintf(stderr, "%s", m_line.clear(terminalShape(STDERR_FILENO)).c_str());
  m_shown = false;
}

}  // namespace fathom
