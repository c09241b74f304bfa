// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// The options that a foreign source says a run was trained with, under its own names. Bounded: 2,000 options,
// names of 200 bytes, values of 4,096; what is beyond is counted and left out.
class ImportedOptions {
 public:
  // Numbers without a fraction become whole ones, reals that are not finite their words; objects are joined
  // with '.', lists stay lists where they hold plain values. The first value of a name stays.
  void add(const std::string& name, const Json& value);
  // As it is written in a table: "12", "0.1", "true", anything else is a text. Empty is no value.
  void addText(const std::string& name, std::string_view text);
  bool empty() const { return m_values.empty(); }
  // {"name": value}. An option that a source calls random_seed, common.seed, ... becomes "seed", so that runs
  // that differ in nothing else are known as repetitions; `warnings` hears what was left out.
  Json finish(std::vector<Phrase>& warnings) const;

 private:
  void take(const std::string& name, const Json& value, int depth);
  std::map<std::string, Json> m_values;
  std::int64_t m_leftOut = 0;
};

// Does a source call its seed like this? By the last part of the name: seed, random_seed, manual_seed,
// rng_seed, data_seed, global_seed.
bool isSeedName(std::string_view name);

// Reads the options out of a Python object as it is printed, Namespace(a=1, b='x') or {'a': {'b': 1}}, from
// `text` on. False when it is none. Depth, values and work are capped; what is neither number, text, truth
// value, list nor dictionary is taken as it is written.
bool readPythonOptions(std::string_view text, ImportedOptions& options);

}  // namespace fathom
