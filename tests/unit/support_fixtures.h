// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"

namespace fathom::fixtures {

// The folder named by FATHOM_FIXTURES, or the shared one, or the small copy in tests/fixtures; an area
// without cases there is skipped.
std::string folder();
std::string dataFolder();  // the shared real data, empty when absent

struct Case {
  std::string name;
  std::vector<std::string> files;                     // full paths
  std::string file(const std::string& ending) const;  // the first that ends so, empty if none
};
// All cases of an area, in the order of index.json.
std::vector<Case> cases(const std::string& area);

Json readJson(const std::string& path);                    // plain or gzip, throws Failure
std::vector<Json> readJsonLines(const std::string& path);  // plain or gzip, throws Failure
std::vector<std::string> readLines(const std::string& path);

}  // namespace fathom::fixtures
