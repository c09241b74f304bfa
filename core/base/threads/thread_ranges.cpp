// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/thread_ranges.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"

namespace fathom {

Status forRanges(std::size_t count, int threads,
                 const std::function<void(std::size_t first, std::size_t last)>& body) {
  const std::size_t parts = std::clamp<std::size_t>(count, 1, static_cast<std::size_t>(std::max(1, threads)));
  std::vector<std::optional<Error>> failures(parts);
  const auto run = [&](std::size_t part) noexcept {
    try {
      failures[part] = errorThrownBy([&] { body(part * count / parts, (part + 1) * count / parts); });
    } catch (...) {  // not even memory for the text of the error: this one needs none
      failures[part] = memoryError(Phrase::tr("out of memory"));
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(parts);
  for (std::size_t part = 1; part < parts; ++part) {
    try {
      helpers.push_back(startThread([&run, part] { run(part); }));
    } catch (const std::exception&) {  // no more threads, or no memory for one
      break;
    }
  }
  run(0);
  for (std::size_t part = helpers.size() + 1; part < parts; ++part) run(part);
  for (auto& helper : helpers) helper.join();
  for (auto& failure : failures) {
    if (failure) return std::move(*failure);
  }
  return {};
}

}  // namespace fathom
