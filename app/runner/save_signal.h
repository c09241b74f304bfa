// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fathom {

// SIGUSR1, which schedulers send some time before they end a job: it does not end this program any more, and
// whoever waits for a run or works on a queue has its engines save and go on.
void catchSaveSignal();
// True once for each signal (those that come together count once).
bool takeSaveWish();

}  // namespace fathom
