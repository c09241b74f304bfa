// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/part_phase.h"

namespace fathom {

std::string partPhase(const std::string& part, Phrase::Text train, Phrase::Text validation,
                      Phrase::Text test) {
  return part == "train" ? train.english : part == "validation" ? validation.english : test.english;
}

}  // namespace fathom
