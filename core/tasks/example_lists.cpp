// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/example_lists.h"

#include <algorithm>

#include "core/base/errors/phrase.h"

namespace fathom {

Result<std::vector<const Prediction*>> inExampleOrder(const std::vector<Prediction>& predictions,
                                                      std::int64_t examples) {
  std::vector<const Prediction*> ordered(static_cast<std::size_t>(examples));
  for (const Prediction& prediction : predictions) {
    const std::int64_t id = prediction.example.value;
    const bool exists = id >= 0 && id < examples;
    if (!exists || ordered[static_cast<std::size_t>(id)] != nullptr)
      return dataError((exists ? Phrase::tr("prediction for example %1 comes twice")
                               : Phrase::tr("prediction for example %1, which does not exist"))(id));
    ordered[static_cast<std::size_t>(id)] = &prediction;
  }
  if (const auto missing = std::find(ordered.begin(), ordered.end(), nullptr); missing != ordered.end())
    return dataError(Phrase::tr("no prediction for example %1")(missing - ordered.begin()));
  return ordered;
}

std::vector<std::vector<ExampleId>> batchesOf(const std::vector<ExampleId>& examples, std::int64_t most) {
  std::vector<std::vector<ExampleId>> batches;
  for (const ExampleId example : examples) {
    if (batches.empty() || static_cast<std::int64_t>(batches.back().size()) == most) batches.emplace_back();
    batches.back().push_back(example);
  }
  return batches;
}

}  // namespace fathom
