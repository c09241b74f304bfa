// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/run_grouping.h"

#include <algorithm>

#include "core/base/json/json.h"
#include "core/base/options/asked_key.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::string_view kOfName = "name:";
constexpr std::size_t kMostStars = 3;  // more would take long with long names
constexpr std::size_t kLongestName = 500;

bool isDigit(char letter) {
  return letter >= '0' && letter <= '9';
}

// The parts that the stars stand for, joined; false where the name does not fit. The first star takes as much
// as it can, but no digits of a number that is told apart behind it.
bool fits(std::string_view pattern, std::string_view name, std::vector<std::string_view>& stars) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    const bool beforeNumber = pattern.substr(1).starts_with('#');
    for (std::size_t length = name.size() + 1; length-- > 0;) {
      if (beforeNumber && length > 0 && isDigit(name[length - 1])) continue;
      stars.push_back(name.substr(0, length));
      if (fits(pattern.substr(1), name.substr(length), stars)) return true;
      stars.pop_back();
    }
    return false;
  }
  if (pattern.front() == '#') {
    std::size_t digits = 0;
    while (digits < name.size() && isDigit(name[digits])) ++digits;
    return digits > 0 && fits(pattern.substr(1), name.substr(digits), stars);
  }
  return !name.empty() && pattern.front() == name.front() && fits(pattern.substr(1), name.substr(1), stars);
}

// "deep" of "deep_s2", "deep/seed-3", "deep run 4"; "" of a name without such an end.
std::string withoutTrial(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && isDigit(name[end - 1])) --end;
  if (end == name.size()) return {};
  const auto isBetween = [](char letter) {
    return std::string_view("-_./ ").find(letter) != std::string_view::npos;
  };
  while (end > 0 && isBetween(name[end - 1])) --end;
  for (const std::string_view word : {"seed", "run", "rep", "trial", "version", "s"}) {
    if (end < word.size() || !isSameText(name.substr(end - word.size(), word.size()), word)) continue;
    std::size_t before = end - word.size();
    if (before > 0 && !isBetween(name[before - 1])) continue;  // "kiss2"
    while (before > 0 && isBetween(name[before - 1])) --before;
    return before == 0 ? std::string(word) : std::string(name.substr(0, before));
  }
  return {};
}

}  // namespace

Result<RunGrouping> RunGrouping::parse(std::string_view text) {
  RunGrouping made;
  text = strip(text);
  made.m_text = std::string(text);
  if (text.empty()) return made;
  if (text.starts_with(kOfName)) {
    made.m_kind = Kind::Name;
    made.m_pattern = std::string(strip(text.substr(kOfName.size())));
    const std::size_t stars = std::size_t(std::count(made.m_pattern.begin(), made.m_pattern.end(), '*'));
    if (!made.m_pattern.empty() && stars == 0)
      return usageError(Phrase::tr("the name pattern '%1' has no *, which stands for the name of the group")(
          made.m_pattern));
    if (stars > kMostStars)
      return usageError(
          Phrase::tr("the name pattern '%1' has more than %2 stars")(made.m_pattern, kMostStars));
    return made;
  }
  made.m_kind = Kind::Options;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find_first_of(",+"), text.size());
    const std::string_view name = strip(text.substr(0, comma));
    if (name.empty() || name.find_first_of("*#<>=") != std::string_view::npos)
      return usageError(name.empty()
                            ? Phrase::tr("an option is expected beside each comma")()
                            : Phrase::tr("'%1' is no option; a pattern for names begins with name:")(name));
    made.m_options.emplace_back(name);
    made.m_lower.push_back(smallLetters(name));
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (text.empty() && (made.m_text.back() == ',' || made.m_text.back() == '+'))
      return usageError(Phrase::tr("an option is expected beside each comma")());
  }
  return made;
}

std::string RunGrouping::groupOfName(std::string_view name) const {
  if (name.size() > kLongestName) return {};
  if (m_pattern.empty()) return withoutTrial(name);
  std::vector<std::string_view> stars;
  if (!fits(m_pattern, name, stars)) return {};
  std::string group;
  for (const std::string_view star : stars) group += (group.empty() ? "" : " · ") + std::string(star);
  return group;
}

// Keys that are called so as a whole come before those that end so.
std::string RunGrouping::groupOfOptions(const EachOption& options) const {
  std::vector<std::string> whole(m_lower.size()), ends(m_lower.size());
  const auto add = [](std::string& values, std::string_view value) {
    values += (values.empty() ? "" : "/") + std::string(value);
  };
  options([&](std::string_view key, const Value& value) {
    for (std::size_t i = 0; i < m_lower.size(); ++i) {
      if (isAskedFor(key, m_lower[i], true))
        add(whole[i], value());
      else if (isAskedFor(key, m_lower[i], false))
        add(ends[i], value());
    }
  });
  std::string group;
  bool any = false;
  for (std::size_t i = 0; i < m_lower.size(); ++i) {
    const std::string& value = whole[i].empty() ? ends[i] : whole[i];
    any = any || !value.empty();
    group += (i == 0 ? "" : " · ") + m_options[i] + "=" + (value.empty() ? "–" : value);
  }
  return any ? group : std::string();
}

std::string RunGrouping::groupOf(std::string_view name, const EachOption& options) const {
  return m_kind == Kind::Name ? groupOfName(name) : groupOfOptions(options);
}

std::string RunGrouping::groupOf(std::string_view name, const Json& options) const {
  return groupOf(name, [&options](const Take& take) {
    if (!options.is_object()) return;
    for (auto option = options.begin(); option != options.end(); ++option)
      take(option.key(), [&option] {
        return option->is_string() ? option->get<std::string>()
                                   : option->dump(-1, ' ', false, Json::error_handler_t::replace);
      });
  });
}

}  // namespace fathom
