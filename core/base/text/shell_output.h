// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// Exit code of a program that SIGPIPE ended, as the shell gives it and as ours do when their reader has gone.
constexpr int kReaderGoneCode = 128 + 13;

// Nobody reads the standard output any more, as behind `| head`. Asked after a write failed: the stream keeps
// no reason, and a reader that has enough is no full disk.
bool outputReaderHasGone();

// Flushes what this program printed and returns the code it ends with: `code` when all has arrived,
// kReaderGoneCode, without a word, when the reader has gone, `diskCode` and a line on stderr when it could
// not be written. A code that is not 0 stays. `written`: nothing failed before.
int codeAfterOutput(int code, bool written, int diskCode);

}  // namespace fathom
