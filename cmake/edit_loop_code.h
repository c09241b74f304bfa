// SPDX-License-Identifier: Apache-2.0
// Part of the precompiled headers of preset `dev` (Precompiled.cmake), never included by a source file.
#pragma once

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Names what nearly every file makes the compiler write out: it is then compiled once, into the object file
// of the precompiled header. Never called.
inline void compiledWithTheHeader(Json& a, Json& b) {
  a = Json::parse(std::string());
  b = a;
  b = std::move(a);
  b = {{"key", 1}, {"text", "word"}, {"string", std::string()}, {"real", 1.0}, {"flag", true}};
  b["key"] = 1;
  b["key"] = 1.0;
  b["key"] = true;
  b["key"] = "word";
  b["key"] = std::string();
  b["key"] = Json::array();
  b.push_back(a);
  for (auto& item : a) item.dump();
  for (const auto& [key, value] : a.items()) value.contains(key);
  a.at("key").get<bool>();
  a.at("key").get<int>();
  a.at("key").get<std::int64_t>();
  a.at("key").get<double>();
  a.at("key").get<std::string>();
  a.value("key", 1);
  a.value("key", 1.0);
  a.value("key", true);
  a.value("key", std::string());
  a.value("key", "");
}

}  // namespace fathom
