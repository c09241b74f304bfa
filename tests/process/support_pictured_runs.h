// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

class ProjectFixture;

// Trains two small runs with the real engine, which differ in the seed: each has a course, analyses along the
// way and norms of epochs. A failure is one of the test that asks.
void makePicturedRuns(const ProjectFixture& fixture);

}  // namespace fathom
