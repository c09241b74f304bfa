// SPDX-License-Identifier: Apache-2.0
// main() of a program that holds the tests of a folder: `tests_unit tst_json …`, or called by the test's name
// through a link beside it: `tst_json …`. The words behind the name are Qt's.
#include "tests/test_program.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace fathom::tests {
namespace {

std::map<std::string, TestMain>& table() {
  static std::map<std::string, TestMain> tests;
  return tests;
}

std::string stemOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  return file.substr(0, file.find('.'));
}

}  // namespace

bool addTest(const char* source, TestMain run) {
  if (!table().emplace(stemOf(source), run).second) {
    std::fprintf(stderr, "%s: two tests have this name\n", source);
    std::abort();
  }
  return true;
}

}  // namespace fathom::tests

int main(int argc, char** argv) {
  const auto& tests = fathom::tests::table();
  auto found = tests.find(fathom::tests::stemOf(argv[0]));
  if (found == tests.end() && argc > 1) {
    found = tests.find(argv[1]);
    ++argv;
    --argc;
  }
  if (found != tests.end()) return found->second(argc, argv);
  std::fprintf(stderr, "Which test? The first word is one of:\n");
  for (const auto& [name, run] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
  return 2;
}
