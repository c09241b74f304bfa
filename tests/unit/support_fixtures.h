// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/json/json.h"

namespace fathom::fixtures {

// The folder named by FATHOM_FIXTURES, or the shared one, or the small copy in tests/fixtures; an area
// without cases there is skipped. A program may go through several folders in turn (tests/test_program.cpp):
// what is kept of one is kept under its name.
std::string folder();
// Real data: the folder named by FATHOM_DATA, or the shared one; empty when absent. dataPath: something in it
// that is to be there, empty when it is not.
std::string dataFolder();
std::string dataPath(const std::string& inside);

struct Case {
  std::string name;
  std::vector<std::string> files;                     // full paths
  std::string file(const std::string& ending) const;  // the first that ends so, empty if none
};
// All cases of an area, in the order of index.json.
std::vector<Case> cases(const std::string& area);
// Every area of the index with the number of its cases.
std::map<std::string, int> areas();
// `why` as a sentence that makes ctest count the whole test as skipped; without that effect while another
// folder is gone through in the same process.
std::string skipped(const std::string& why);
// For initTestCase: a sentence that makes ctest count the whole test as skipped when none of the areas has a
// case, else empty.
std::string absence(const std::vector<std::string>& areas);

// What the tests of this program have read: an array that nobody looks at may be wrong for ever. Every reader
// of arrays notes them; the last function of a fixture test asks for those of its cases that are left.
// `taken`: only cases whose JSON it accepts (areas that two programs share).
void noteRead(const std::string& file, const std::string& array);
std::string unreadArraysOf(const std::string& file);
std::string unreadArrays(const std::string& area, const std::function<bool(const Json&)>& taken = {});

Json readJson(const std::string& path);                    // plain or gzip, throws Failure
std::vector<Json> readJsonLines(const std::string& path);  // plain or gzip, throws Failure
std::vector<std::string> readLines(const std::string& path);

}  // namespace fathom::fixtures
