// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_describe.h"
#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareDescribe(CLI::App& sub) {
  const auto said = std::make_shared<DescribeVerb>();
  CLI::Option* model = sub.add_option_function<std::string>(
                              "--model",
                              [said](const std::string& name) {
                                said->model = true;
                                if (!name.empty())
                                  said->assignments.insert(said->assignments.begin(), "model=" + name);
                              },
                              "Print the sizes of the configured model instead, or of this one")
                           ->expected(0, 1);
  addStart(sub, said->config, said->preset);
  model->default_str("");
  sub.add_option("--vocabulary", said->vocabulary,
                 "Pieces of a joined vocabulary, with --model; otherwise the preset's")
      ->check(wholeNumber(1, kMostPieces));
  addSet(sub, said->assignments);
  return {[said] { return describeVerb(*said); }};
}

}  // namespace

EngineVerb describeLineEntry() {
  return {.name = "describe", .help = "Prints everything there is as JSON", .declare = declareDescribe};
}

}  // namespace fathom
