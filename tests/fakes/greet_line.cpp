// SPDX-License-Identifier: Apache-2.0
// A verb of the engine that a test adds.
#include <iostream>
#include <memory>

#include "core/engine/engine_line.h"

namespace fathom {

EngineVerb greetLineEntry() {
  return {.name = "greet", .help = "Greets", .declare = [](CLI::App& sub) -> VerbAction {
            const auto name = std::make_shared<std::string>();
            sub.add_option("--name", *name, "Whom")->required();
            return {[name] {
              std::cout << "hello " << *name << '\n';
              return ExitCode::Finished;
            }};
          }};
}

}  // namespace fathom
