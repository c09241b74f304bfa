// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>
#include <exception>
#include <functional>

#include "core/base/json/json.h"

namespace fathom::test {

// `use` with each part of `good` replaced by something of every other type, and left out: whoever reads what
// others wrote may refuse it, but nothing may leave as an exception.
inline void withEveryPartOdd(const Json& good, const std::function<void(const Json&)>& use) {
  static const std::vector<Json> kOdd = {nullptr,
                                         true,
                                         -1,
                                         7,
                                         1e300,
                                         18446744073709551615U,
                                         "",
                                         "odd",
                                         Json::array(),
                                         Json::object(),
                                         Json::array({1}),
                                         {{"odd", 1}}};
  const auto tried = [&use](const Json& json) {
    try {
      use(json);
    } catch (const std::exception& error) {
      QFAIL(qPrintable(QString::fromUtf8(error.what()) + ": " + QString::fromStdString(json.dump())));
    }
  };
  const std::function<void(const Json::json_pointer&)> walk = [&](const Json::json_pointer& place) {
    for (const Json& odd : kOdd) {
      Json json = good;
      json[place] = odd;
      tried(json);
    }
    const Json& part = good[place];
    if (!place.empty()) {
      Json json = good;
      Json& parent = json[place.parent_pointer()];
      if (parent.is_object())
        parent.erase(place.back());
      else
        parent.erase(static_cast<std::size_t>(std::stoul(place.back())));
      tried(json);
    }
    if (part.is_object())
      for (const auto& [key, value] : part.items()) walk(place / key);
    if (part.is_array())
      for (std::size_t i = 0; i < part.size(); ++i) walk(place / i);
  };
  tried(good);
  walk(Json::json_pointer());
}

}  // namespace fathom::test
