// SPDX-License-Identifier: Apache-2.0
#include "core/nn/host_tape.h"

namespace fathom {

namespace {
thread_local HostTape* currentTape = nullptr;
}

HostTape::HostTape() {
  currentTape = this;
}
HostTape::~HostTape() {
  currentTape = nullptr;
}

HostTape* HostTape::current() {
  return currentTape;
}

}  // namespace fathom
