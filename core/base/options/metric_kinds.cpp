// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/metric_kinds.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/errors/phrase.h"

namespace fathom {

namespace {

constexpr std::array<std::string_view, 7> kHeldOut = {"valid", "validation", "val",       "eval",
                                                      "dev",   "test",       "evaluation"};

// Common ends of titles of one id where tasks differ: a title by itself, so it is marked. The test of the
// catalogue looks whether there are others.
constexpr std::array kCommonEnds = {Phrase::tr("per second")};

// "target tokens per second" and "training examples per second" both end with "per second".
std::string commonEnd(std::string_view a, std::string_view b) {
  std::size_t same = 0, whole = 0;
  while (same < std::min(a.size(), b.size()) && a[a.size() - 1 - same] == b[b.size() - 1 - same]) {
    ++same;
    const auto begins = [same](std::string_view text) {
      return same == text.size() || text[text.size() - 1 - same] == ' ';
    };
    if (begins(a) && begins(b)) whole = same;
  }
  const std::string_view end = a.substr(a.size() - whole);
  const bool marked = std::any_of(kCommonEnds.begin(), kCommonEnds.end(),
                                  [&](const Phrase::Text& one) { return end == one.english; });
  return marked ? std::string(end) : std::string();
}

// "valid1" and "newstest2014" are others of their kind.
bool isHeldOut(std::string_view word) {
  const std::size_t digits = word.find_last_not_of("0123456789");
  if (digits != std::string_view::npos) word = word.substr(0, digits + 1);
  if (word == "newstest") return true;
  return std::find(kHeldOut.begin(), kHeldOut.end(), word) != kHeldOut.end();
}

}  // namespace

Metric commonMetric(const Metric& a, const Metric& b) {
  if (a == b) return a;
  Metric common = a;
  if (a.unit != b.unit) common.unit.clear();
  if (a.direction == MetricDirection::None) common.direction = b.direction;
  const bool against = b.direction != MetricDirection::None && common.direction != b.direction;
  if (against) common.direction = MetricDirection::None;
  if (a.decimals != b.decimals) common.decimals = -1;
  if (a.stepMetric != b.stepMetric) common.stepMetric.clear();
  if (a.title == b.title) return common;
  if (const std::string end = commonEnd(a.title, b.title); !end.empty()) {
    common.title = end;
    common.shortTitle.clear();
  }
  return common;
}

bool isValidationMetric(std::string_view id) {
  std::string lower;
  for (const char c : id) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  // Parts between dots and slashes; of the first and the last also their words.
  const std::string_view text = lower;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("./", from), text.size());
    const std::string_view part = text.substr(from, end - from);
    const std::string_view first = part.substr(0, part.find_first_of("_- "));
    const std::size_t gap = part.find_last_of("_- ");
    const std::string_view last = gap == std::string_view::npos ? part : part.substr(gap + 1);
    if (isHeldOut(first) || isHeldOut(last)) return true;
    from = end + 1;
  }
  return false;
}

}  // namespace fathom
