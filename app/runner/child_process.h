// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// A program to start. No shell is involved; argv[0] is `program`.
struct ChildSpec {
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // on top of ours
  std::string stderrPath;   // "" = captured (runChild) or /dev/null (startDetached)
  int nice = 0;             // added to ours
  std::string folder = {};  // where it starts; "" = where we are
  bool keepOutput = false;  // startChild: what it prints goes to stderrPath, too
  bool holds = false;       // stderrPath is locked while it is the child's stderr: see isHeldByChild
};

struct ChildLimits {
  double seconds = 30;
  std::size_t maxOutputBytes = std::size_t{64} << 20;
  std::function<void(const std::string& soFar)> watch = {};  // after each piece of output; may be empty
};

struct ChildOutput {
  int exitCode = -1;  // 128 + n for signal n
  bool timedOut = false;
  std::string out;
  std::string err;  // the last 4 KiB
};

// Runs a short child in its own process group and waits for it; at the deadline, on a stop request and when
// the output grows over the limit the whole group is killed. Resource error when it cannot be started.
// Any thread.
Result<ChildOutput> runChild(const ChildSpec& spec, const ChildLimits& limits, const StopToken& stop);

// Starts a child of ours (own session, stdin and stdout on /dev/null, stderr appended to stderrPath) that
// waitpid can wait for. Returns its pid.
Result<int> startChild(const ChildSpec& spec);

// True while the child that was started with these messages has them as its own, whoever started it.
bool isHeldByChild(const std::string& stderrPath);

// Starts a process that is nobody's child and outlives us: double fork, setsid, all three streams on
// /dev/null or stderrPath. Errors of exec are reported. Returns its pid.
Result<int> startDetached(const ChildSpec& spec);

// A child of ours with its three streams as pipes, which do not block; the caller closes it with endPiped. In
// a session of its own, unless it is to ask on the terminal of this program.
struct PipedChild {
  int pid = 0;
  int in = -1, out = -1, err = -1;
};
Result<PipedChild> startPiped(const ChildSpec& spec, bool ownSession = true);
// Closes the pipes, waits for its end, and kills it after `seconds`. Its exit code.
int endPiped(PipedChild& child, double seconds);

// Exit code as in core/record/runs/exit_code.h from what waitpid stored: 128 + n for signal n.
int exitCodeOfStatus(int waitStatus);
// "was ended by signal 11 (Segmentation fault)" or "left with exit code 3".
Phrase describeExit(int exitCode);

// Path of a program of ours that lies beside this executable (or in ../bin of it). Empty when there is none.
std::string siblingProgram(const std::string& name);
// Path of the program `fathom` itself, to be started once more.
Result<std::string> fathomProgram();

}  // namespace fathom
