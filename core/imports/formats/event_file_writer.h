// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/imports/formats/tfrecord_reader.h"

namespace fathom {

// The bytes of one TensorBoard event file, for tests and benches: scalars with any step and wall time, in
// seconds since 1970.
class EventFileWriter {
 public:
  explicit EventFileWriter(double begun) {
    std::string event = real(begun);
    event +=
        "\x1A\x0D"
        "brain.Event:2";  // file_version, field 3
    add(event);
  }
  void scalar(const std::string& tag, double step, double time, float value) {
    std::string item = bytes(0x0A, tag) + std::string("\x15", 1);
    item.append(reinterpret_cast<const char*>(&value), 4);
    add(real(time) + std::string("\x10", 1) +
        varint(static_cast<std::uint64_t>(static_cast<std::int64_t>(step))) + bytes(0x2A, bytes(0x0A, item)));
  }
  // A text as add_text writes it: a tensor of one string, its plug-in in the metadata.
  void text(const std::string& tag, double step, double time, const std::string& words) {
    const std::string plugin = bytes(0x4A, bytes(0x0A, bytes(0x0A, "text")));
    const std::string tensor = bytes(0x42, std::string("\x08\x07", 2) + bytes(0x42, words));
    add(real(time) + std::string("\x10", 1) + varint(static_cast<std::uint64_t>(step)) +
        bytes(0x2A, bytes(0x0A, bytes(0x0A, tag) + plugin + tensor)));
  }
  // A HistogramProto as add_histogram writes it: its least value, the upper limits of its buckets and what
  // is in them.
  void histogram(const std::string& tag, double step, double time, double least,
                 const std::vector<double>& limits, const std::vector<double>& counts) {
    const auto packed = [](char key, const std::vector<double>& values) {
      return bytes(key, std::string(reinterpret_cast<const char*>(values.data()), values.size() * 8));
    };
    std::string proto("\x09", 1);
    proto.append(reinterpret_cast<const char*>(&least), 8);
    proto += packed(0x32, limits) + packed(0x3A, counts);
    add(real(time) + std::string("\x10", 1) + varint(static_cast<std::uint64_t>(step)) +
        bytes(0x2A, bytes(0x0A, bytes(0x0A, tag) + bytes(0x2A, proto))));
  }
  // SessionLog START, as purge_step writes it.
  void restart(double step, double time) {
    add(real(time) + std::string("\x10", 1) + varint(static_cast<std::uint64_t>(step)) +
        bytes(0x3A, std::string("\x08\x01", 2)));
  }
  const std::string& content() const { return m_bytes; }
  void write(const std::string& path) const {
    std::error_code there;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), there);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << m_bytes;
  }

 private:
  static std::string varint(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    return out + static_cast<char>(value);
  }
  static std::string bytes(int key, const std::string& inner) {
    return std::string(1, static_cast<char>(key)) + varint(inner.size()) + inner;
  }
  static std::string real(double value) {
    std::string out("\x09", 1);
    return out.append(reinterpret_cast<const char*>(&value), 8);
  }
  static std::string word(std::uint32_t value) {
    return std::string(reinterpret_cast<const char*>(&value), 4);
  }
  void add(const std::string& event) {
    const std::uint64_t size = event.size();
    const std::string length(reinterpret_cast<const char*>(&size), 8);
    m_bytes += length + word(maskedCrc32c(length)) + event + word(maskedCrc32c(event));
  }
  std::string m_bytes;
};

}  // namespace fathom
