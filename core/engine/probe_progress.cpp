// SPDX-License-Identifier: Apache-2.0
#include "core/engine/probe_progress.h"

#include <iostream>

#include "core/base/json.h"

namespace fathom {

void ProbeProgress::show(const ProgressUpdate& update) {
  if (!m_lines) return m_line.progress(update);
  const Json line = {{"phase", update.phase},
                     {"unit", update.unit},
                     {"done", update.done},
                     {"total", update.total},
                     {"remaining", update.remainingSeconds ? Json(*update.remainingSeconds) : Json()}};
  std::cout << line.dump() << std::endl;
}

}  // namespace fathom
