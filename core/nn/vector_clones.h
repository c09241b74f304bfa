// SPDX-License-Identifier: Apache-2.0
#pragma once

// Before a function whose loops the compiler vectorises (its file is compiled at -O3): it is compiled for
// wider vectors too and chosen at start. All variants agree bit for bit. For functions of an unnamed
// namespace alone: of one that was declared without it, clang 14 keeps the widest variant and no other.
#define FATHOM_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
