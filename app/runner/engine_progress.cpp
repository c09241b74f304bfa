// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/engine_progress.h"

#include "core/base/json/json.h"
#include "core/base/json/phrase_json.h"

namespace fathom {

void EngineProgress::operator()(const std::string& soFar) {
  for (std::size_t end; (end = soFar.find('\n', m_read)) != std::string::npos; m_read = end + 1)
    line(soFar.substr(m_read, end - m_read));
}

void EngineProgress::line(const std::string& text) {
  const auto json = parseJson(text);
  if (!json || !json->is_object()) return;
  if (m_say && json->contains("note")) m_say(readPhrase(*json, "note"));
  if (!json->contains("done")) return;
  const std::string phase = json->value("phase", ""), unit = json->value("unit", "");
  const ProgressUpdate& state = m_progress.state();
  // Each of several checkpoints has the same phases: the time that is left is that of all.
  const bool goesOn = unit == kCheckpointUnit && unit == state.unit;
  if (phase != state.phase && !goesOn) m_progress.begin(phase, unit, json->value("total", -1.0));
  m_progress.report(json->value("done", 0.0));
}

CheckpointCount::CheckpointCount(Progress& all, const std::string& phase, double total)
    : m_all(all), m_engine([this](const ProgressUpdate& update) {
        if (update.unit == kCheckpointUnit) m_all.report(m_before + update.done);
      }) {
  m_all.begin(phase, kCheckpointUnit, total);
}

void CheckpointCount::add(double checkpoints) {
  m_before += checkpoints;
  m_all.report(m_before);
}

std::string answerLineOf(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t before = text.rfind('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, end + 1 - begin);
}

Error engineError(const ChildOutput& output) {
  if (const auto at = output.out.rfind("{\"error\""); at != std::string::npos)
    if (const auto line = parseJson(output.out.substr(at)); line.ok())
      return dataError(readPhrase(*line, "error"));
  std::string words = output.err;
  while (!words.empty() && words.back() == '\n') words.pop_back();
  if (const auto at = words.rfind("error: "); at != std::string::npos) words.erase(0, at + 7);
  return dataError(words.empty() ? Phrase::tr("the engine %1")(describeExit(output.exitCode))
                                 : Phrase::words(words));
}

}  // namespace fathom
