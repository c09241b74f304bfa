// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/spider/data/spider_dataset.h"
#include "core/spider/spider_schema.h"
#include "tests/unit/support_fixtures.h"

namespace fathom::fixtures {

// A file of the real Spider data; empty when it is not there.
inline std::string spiderFile(const std::string& name) {
  return dataPath("spider/" + name);
}
inline const SpiderSchemas& spiderSchemas() {
  static const SpiderSchemas kSchemas = readSpiderTables(spiderFile("tables.json")).value();
  return kSchemas;
}
inline const SpiderDataset& spiderDevelopment() {
  static const SpiderDataset kDataset = readSpiderDataset(spiderFile("dev.json")).value();
  return kDataset;
}
inline const SpiderDataset& spiderTraining() {
  static const SpiderDataset kDataset = readSpiderDataset(spiderFile("train_spider.json.gz")).value();
  return kDataset;
}

// The cases of an area that stand in a lines file, by name.
inline std::vector<Json> linesOf(const std::vector<Case>& cases, const std::string& name) {
  for (const Case& one : cases)
    if (one.name.ends_with("/" + name)) return readJsonLines(one.file(".jsonl.gz"));
  return {};
}
inline Json caseJson(const std::vector<Case>& cases, const std::string& name) {
  for (const Case& one : cases)
    if (one.name.ends_with("/" + name)) return readJson(one.file(".json"));
  return {};
}

}  // namespace fathom::fixtures
