// SPDX-License-Identifier: Apache-2.0
#pragma once

// Before a function whose loops the compiler vectorises (its file is compiled at -O3): it is compiled for
// wider vectors too and chosen at start. All variants agree bit for bit.
#define FATHOM_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
