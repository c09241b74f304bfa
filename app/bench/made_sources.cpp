// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/made_sources.h"

#include <zlib.h>

#include <cstdio>
#include <string_view>

#include "core/base/files/atomic_file.h"
#include "core/imports/formats/event_file_writer.h"

namespace fathom {

namespace {

constexpr double kBegan = 1.7e9;
constexpr int kWandbMetrics = 8;
constexpr std::size_t kWandbBlock = 32768, kWandbChunkHead = 7;

std::string eventName(const std::string& folder) {
  return folder + "/events.out.tfevents.1700000000.host.1.0";
}

std::string wireBytes(int field, std::string_view inner) {
  std::string out;
  const auto varint = [&out](std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
  };
  varint(static_cast<std::uint64_t>(field) << 3 | 2);
  varint(inner.size());
  return out.append(inner);
}

// Chunks of a record in blocks of LevelDB's log.
void appendRecord(std::string& file, std::string_view record) {
  bool first = true;
  do {
    const std::size_t left = kWandbBlock - file.size() % kWandbBlock;
    if (left < kWandbChunkHead) {
      file.append(left, '\0');
      continue;
    }
    const std::string_view part = record.substr(0, left - kWandbChunkHead);
    record.remove_prefix(part.size());
    const char type = static_cast<char>(first ? (record.empty() ? 1 : 2) : (record.empty() ? 4 : 3));
    const std::string summed = type + std::string(part);
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size())));
    for (int byte = 0; byte < 4; ++byte) file += static_cast<char>(sum >> (8 * byte));
    file += static_cast<char>(part.size());
    file += static_cast<char>(part.size() >> 8);
    file += summed;
    first = false;
  } while (!record.empty() || first);
}

std::string historyItem(std::string_view key, std::string_view json) {
  return wireBytes(1, wireBytes(2, key) + wireBytes(16, json));
}

}  // namespace

float madeScalar(int run, int tag, std::int64_t step) {
  return static_cast<float>((run * 31 + tag * 7 + step * 13) % 4096) / 64.0F;
}

Status writeEventRuns(const std::string& folder, int runs, int tags, std::int64_t points) {
  for (int run = 0; run < runs; ++run) {
    EventFileWriter file(kBegan);
    for (std::int64_t i = 0; i < points; ++i) {
      const std::int64_t step = i / tags;
      const int tag = static_cast<int>(i % tags);
      file.scalar("train/metric_" + std::to_string(tag), static_cast<double>(step),
                  kBegan + 0.05 * static_cast<double>(step), madeScalar(run, tag, step));
    }
    const std::string place = folder + "/run_" + std::to_string(run);
    FATHOM_CHECK(makeFolders(place));
    FATHOM_CHECK(writeFileAtomically(eventName(place), file.content()));
  }
  return {};
}

Status writeWideRun(const std::string& folder, int scalars, int steps) {
  EventFileWriter file(kBegan);
  for (int step = 0; step < steps; ++step)
    for (int tag = 0; tag < scalars; ++tag)
      file.scalar("layer/parameter_" + std::to_string(tag), step, kBegan + step, madeScalar(0, tag, step));
  return writeFileAtomically(eventName(folder), file.content());
}

Result<std::int64_t> writeWandbRun(const std::string& path, std::size_t bytes) {
  std::string file("\x3AW&B\xE1\xBE\0", kWandbChunkHead);
  appendRecord(file, wireBytes(17, wireBytes(1, "made1234") + wireBytes(8, "made")));
  std::int64_t step = 0;
  for (; file.size() < bytes; ++step) {
    std::string history;
    for (int metric = 0; metric < kWandbMetrics; ++metric) {
      char value[32];
      std::snprintf(value, sizeof value, "%.9g", static_cast<double>(madeScalar(0, metric, step)));
      history += historyItem("metric_" + std::to_string(metric), value);
    }
    history += historyItem("_step", std::to_string(step));
    history += historyItem("_timestamp", std::to_string(kBegan + 0.05 * static_cast<double>(step)));
    appendRecord(file, wireBytes(2, history));
  }
  FATHOM_CHECK(writeFileAtomically(path, file));
  return step * kWandbMetrics;
}

}  // namespace fathom
