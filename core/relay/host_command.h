// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fathom {

// Answer of a program of this host.
struct HostAnswer {
  int exitCode = -1;      // 128 + n for signal n
  bool timedOut = false;  // it took longer, or said more than anybody would read, and was ended
  std::string out, err;
};
// The messages of a program: in `err`, among what it prints, or nowhere.
enum class HostMessages { Apart, Among, Nowhere };

// Runs a program that PATH finds, without input, for at most so many seconds; one that cannot be started
// leaves with 127. Blocks.
HostAnswer hostAnswer(std::vector<std::string> words, int seconds, HostMessages messages);
// A program that only a login shell finds is found by all that comes after it, too: sites set up their
// commands in its start files.
void findAsLoginShell(const std::string& program);

}  // namespace fathom
