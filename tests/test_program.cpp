// SPDX-License-Identifier: Apache-2.0
// main() of a program that holds the tests of a folder: `tests_unit tst_json …`, or called by the test's name
// through a link beside it: `tst_json …`. The words behind the name are Qt's. Tests of fixtures also run on
// the folder that FATHOM_FIXTURES_ALSO names, in the same process.
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

// Beginnings of the names of tests that walk an index.json.
constexpr const char* kFixtureTests = "tst_fixtures_";

// The test on the other folder first, then on the one that it reads otherwise. What is missing in one of them
// makes ctest count the test as skipped ("SKIPPED-ALL") only where it has failed on none.
int runOnBoth(TestMain run, const char* also, int argc, char** argv) {
  const char* named = std::getenv("FATHOM_FIXTURES");
  const std::string before = named != nullptr ? named : "";
  std::printf("on %s\n", also);
  std::fflush(stdout);
  ::setenv("FATHOM_FIXTURES", also, 1);
  ::setenv("FATHOM_FIXTURES_PART", "1", 1);
  const int failures = run(argc, argv);
  if (failures == 0) ::unsetenv("FATHOM_FIXTURES_PART");
  if (named != nullptr)
    ::setenv("FATHOM_FIXTURES", before.c_str(), 1);
  else
    ::unsetenv("FATHOM_FIXTURES");
  const int more = run(argc, argv);
  return failures != 0 ? failures : more;
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
  const char* also = std::getenv("FATHOM_FIXTURES_ALSO");
  if (found != tests.end()) {
    const bool both = also != nullptr && found->first.starts_with(fathom::tests::kFixtureTests);
    const int failures =
        both ? fathom::tests::runOnBoth(found->second, also, argc, argv) : found->second(argc, argv);
#ifdef FATHOM_LEAVES_AT_ONCE  // LibTorch would take down each of its operators first, for a tenth of a second
    std::fflush(nullptr);
    std::_Exit(failures);
#endif
    return failures;
  }
  std::fprintf(stderr, "Which test? The first word is one of:\n");
  for (const auto& [name, run] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
  return 2;
}
