// SPDX-License-Identifier: Apache-2.0
#include "core/engine/probe_progress.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"

namespace fathom {

void ProbeProgress::beginPart(std::size_t index, std::size_t count) {
  if (index == 0) m_begun = std::chrono::steady_clock::now();
  m_part = index;
  m_parts = count;
}

ProgressUpdate ProbeProgress::ofAll(const ProgressUpdate& update) {
  ProgressUpdate all;
  all.phase = update.phase;
  all.unit = Phrase::tr("checkpoints").english;
  // A probe of several phases fills its part in the first.
  m_done =
      std::max(m_done, static_cast<double>(m_part) + (update.total > 0 ? update.done / update.total : 0));
  all.done = m_done;
  all.total = static_cast<double>(m_parts);
  all.spentSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begun).count();
  if (all.done > 0) all.remainingSeconds = all.spentSeconds * (all.total - all.done) / all.done;
  return all;
}

void ProbeProgress::note(const Phrase& words) {
  if (std::exchange(m_noted, true)) return;
  if (!m_lines) return m_line.message(words.english());
  Json line;
  writePhrase(line, "note", words);
  std::cout << jsonText(line) << std::endl;
}

void ProbeProgress::show(const ProgressUpdate& part) {
  const ProgressUpdate update = m_parts > 1 ? ofAll(part) : part;
  if (!m_lines) return m_line.progress(update);
  const Json line = {{"phase", update.phase},
                     {"unit", update.unit},
                     {"done", update.done},
                     {"total", update.total},
                     {"remaining", update.remainingSeconds ? Json(*update.remainingSeconds) : Json()}};
  std::cout << jsonText(line) << std::endl;
}

}  // namespace fathom
