// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fathom {

// While it lives a QApplication that finds no display ends the program with one sentence and the code of
// something that cannot be used, where Qt would abort with its own text. One at a time, in the GUI thread;
// what else Qt says meanwhile is said afterwards.
class DisplayGuard {
 public:
  DisplayGuard();
  ~DisplayGuard();
  DisplayGuard(const DisplayGuard&) = delete;
  DisplayGuard& operator=(const DisplayGuard&) = delete;
};

}  // namespace fathom
