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
// A .wandb file, and one whose only record is the bytes: with a right checksum.
void fuzzWandb(std::string_view bytes);
// Options as PyYAML writes them, beside a table of Lightning and alone.
void fuzzYaml(std::string_view bytes);
// trainer_state.json, JSON lines, and a log of fairseq.
void fuzzJsonLogs(std::string_view bytes);

}  // namespace fathom
