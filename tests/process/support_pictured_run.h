// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

class ProjectFixture;

// Trains a small run with the real engine: one with a course, analyses along the way and norms of epochs. A
// failure is one of the test that asks.
void makePicturedRun(const ProjectFixture& fixture);

}  // namespace fathom
