// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/shared_options.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "core/base/options/seed_options.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

const SharedOption* sharedOption(const std::string& key, const Json& value) {
  static std::mutex mutex;
  static std::unordered_map<std::string, SharedOption> known;  // by "key=value"; nodes stay where they are
  std::string name = key + "=" + value.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::lock_guard lock(mutex);
  const auto [it, added] = known.try_emplace(std::move(name));
  if (added) {
    const QString text = value.is_string()
                             ? fromUtf8(value.get<std::string>())
                             : fromUtf8(value.dump(-1, ' ', false, Json::error_handler_t::replace));
    it->second = {key, value, text, fromUtf8(key).toLower(), text.simplified().toLower(), setsRunsApart(key)};
  }
  return &it->second;
}

}  // namespace

SharedOptions::SharedOptions(const Json& options) {
  if (!options.is_object()) return;
  m_all.reserve(options.size());
  for (const auto& [key, value] : options.items()) m_all.push_back(sharedOption(key, value));
}

const SharedOption* SharedOptions::find(const std::string& key) const {
  const auto found = std::find_if(m_all.begin(), m_all.end(),
                                  [&key](const SharedOption* option) { return option->key == key; });
  return found == m_all.end() ? nullptr : *found;
}

Json SharedOptions::toJson() const {
  Json options = Json::object();
  for (const SharedOption* option : m_all) options[option->key] = option->value;
  return options;
}

}  // namespace fathom
