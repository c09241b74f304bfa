// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/part_phase.h"

#include "core/tasks/task.h"

namespace fathom {

std::string partPhase(const std::string& part, Phrase::Text train, Phrase::Text validation,
                      Phrase::Text test) {
  if (part == dataSplitName(DataSplit::Train)) return train.english;
  return part == dataSplitName(DataSplit::Validation) ? validation.english : test.english;
}

}  // namespace fathom
