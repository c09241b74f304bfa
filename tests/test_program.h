// SPDX-License-Identifier: Apache-2.0
// Included before each tst_*.cpp where the tests of a folder are one program (FATHOM_TEST_PROGRAMS): Qt's
// QTEST_*MAIN macros then put the test into the program's table instead of writing a main().
#pragma once

#include <QTest>

namespace fathom::tests {

using TestMain = int (*)(int argc, char** argv);
// Called before main(); `source` is the path of the test's source, whose stem is its name. Always true.
bool addTest(const char* source, TestMain run);

}  // namespace fathom::tests

// As Qt's own but for the name of the function.
#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestObject, ...)              \
  static int mainOf##TestObject(int argc, char** argv) { \
    QTest::Internal::callInitMain<TestObject>();         \
    __VA_ARGS__                                          \
    TestObject tc;                                       \
    QTEST_SET_MAIN_SOURCE_PATH                           \
    return QTest::qExec(&tc, argc, argv);                \
  }                                                      \
  [[maybe_unused]] static const bool added##TestObject = fathom::tests::addTest(__FILE__, mainOf##TestObject);
