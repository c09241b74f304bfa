// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/over_training.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/name_list.h"

namespace fathom {

namespace {

Error cannotBeFollowed(const std::string& analysis) {
  std::vector<std::string> known;
  for (const AnalysisEntry& entry : analyses())
    if (entry.layers) known.push_back(entry.id);
  return usageError(Phrase::tr("'%1' cannot be followed over training")(analysis),
                    Phrase::tr("one of %1")(nameList(known)));
}

// The course of the layer of a value: parts stay together in the order they were first met.
LayerCourse& courseOf(std::vector<LayerCourse>& courses, const LayerValue& value, std::size_t before) {
  auto at = courses.end();
  for (auto it = courses.begin(); it != courses.end(); ++it) {
    if (it->part == value.part && it->layer == value.layer) return *it;
    if (it->part == value.part && it->layer < value.layer) at = it + 1;
    if (it->part == value.part && it->layer > value.layer && at == courses.end()) at = it;
  }
  LayerCourse course{value.part, value.layer, {}, {}};
  course.values.assign(before, std::numeric_limits<double>::quiet_NaN());
  return *courses.insert(at, std::move(course));
}

}  // namespace

Result<std::vector<LayerCourse>> overTraining(const std::string& analysis,
                                              const std::vector<AnalysedState>& states, bool median) {
  const AnalysisEntry* entry = findAnalysisEntry(analysis);
  if (entry == nullptr || !entry->layers) return cannotBeFollowed(analysis);
  std::vector<LayerCourse> courses;
  std::vector<double> steps;
  for (const AnalysedState& state : states) {
    FATHOM_TRY(const std::vector<LayerValue> values, entry->layers->read(state.result, median));
    for (const LayerValue& value : values)
      courseOf(courses, value, steps.size()).values.push_back(value.value);
    steps.push_back(static_cast<double>(state.step));
    for (LayerCourse& course : courses) course.values.resize(steps.size(), std::nan(""));
  }
  for (LayerCourse& course : courses) course.steps = steps;
  return courses;
}

}  // namespace fathom
