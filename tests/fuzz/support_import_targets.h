// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fathom {

// An SQLite database, and one beside a log that is the same bytes, as trackio's and as MLflow's.
void fuzzDatabases(std::string_view bytes);
// Attention as an .npy and as a safetensors file, and tokens beside arrays that are right.
void fuzzAttention(std::string_view bytes);
// Lines of an inbox of trackio; metric, parameter and meta.yaml of MLflow's file store.
void fuzzRunLogs(std::string_view bytes);

}  // namespace fathom
