// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/tfrecord_reader.h"

#include <bit>
#include <cstring>

#include "core/base/files/hash.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/import/protobuf_wire.h"

namespace fathom {

namespace {

constexpr std::uint64_t kMaxRecord = 256u << 20;

template <typename T>
T littleEndian(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// The product of a TensorShapeProto's sizes; -1 when unknown.
bool shapeCount(std::string_view bytes, std::int64_t& count) {
  WireReader shape(bytes);
  while (!shape.atEnd()) {
    std::uint32_t number = 0;
    int type = 0;
    std::string_view dimension;
    if (!shape.field(number, type)) return false;
    if (number != 2 || type != 2) {
      if (!shape.skip(type)) return false;
      continue;
    }
    if (!shape.bytes(dimension)) return false;
    WireReader dim(dimension);
    std::uint64_t size = 0;
    while (!dim.atEnd()) {
      if (!dim.field(number, type)) return false;
      if (number == 1 && type == 0 ? !dim.varint(size) : !dim.skip(type)) return false;
    }
    if (size != 1) count = -1;
  }
  return true;
}

double contentValue(std::uint64_t dtype, std::string_view bytes, bool& known) {
  known = true;
  if (dtype == 1 && bytes.size() == 4) return littleEndian<float>(bytes.data());
  if (dtype == 2 && bytes.size() == 8) return littleEndian<double>(bytes.data());
  if (dtype == 3 && bytes.size() == 4) return littleEndian<std::int32_t>(bytes.data());
  if (dtype == 9 && bytes.size() == 8) return static_cast<double>(littleEndian<std::int64_t>(bytes.data()));
  if (dtype == 14 && bytes.size() == 2)
    return std::bit_cast<float>(std::uint32_t{littleEndian<std::uint16_t>(bytes.data())} << 16);
  if (dtype == 19 && bytes.size() == 2) return halfToDouble(littleEndian<std::uint16_t>(bytes.data()));
  known = false;
  return 0;
}

// TensorProto with exactly one number.
bool tensorValue(std::string_view bytes, double& value, bool& known) {
  WireReader tensor(bytes);
  std::uint64_t dtype = 0;
  std::int64_t count = 1;
  known = false;
  while (!tensor.atEnd()) {
    std::uint32_t number = 0;
    int type = 0;
    if (!tensor.field(number, type)) return false;
    std::string_view inner;
    if (number == 1 && type == 0) {
      if (!tensor.varint(dtype)) return false;
    } else if (number == 2 && type == 2) {
      if (!tensor.bytes(inner) || !shapeCount(inner, count)) return false;
    } else if (number == 4 && type == 2) {
      if (!tensor.bytes(inner)) return false;
      value = contentValue(dtype, inner, known);
    } else if ((number == 5 || number == 6) && type == 2) {  // packed float_val, double_val
      if (!tensor.bytes(inner)) return false;
      value = contentValue(number == 5 ? 1 : 2, inner, known);
    } else if (number == 5 && type == 5) {
      float item = 0;
      if (!tensor.fixed(item)) return false;
      value = item;
      known = true;
    } else if (number == 6 && type == 1) {
      if (!tensor.fixed(value)) return false;
      known = true;
    } else if (!tensor.skip(type)) {
      return false;
    }
  }
  known = known && count == 1;
  return true;
}

// SummaryMetadata: plugin_data (1) with plugin_name (1) and content (2).
bool pluginContent(std::string_view bytes, bool& hparams, std::string_view& content) {
  WireReader metadata(bytes);
  while (!metadata.atEnd()) {
    std::uint32_t number = 0;
    int type = 0;
    std::string_view plugin;
    if (!metadata.field(number, type)) return false;
    if (number != 1 || type != 2) {
      if (!metadata.skip(type)) return false;
      continue;
    }
    if (!metadata.bytes(plugin)) return false;
    WireReader data(plugin);
    std::string_view name;
    while (!data.atEnd()) {
      if (!data.field(number, type)) return false;
      std::string_view* into = type == 2 && number == 1   ? &name
                               : type == 2 && number == 2 ? &content
                                                          : nullptr;
      if (into != nullptr ? !data.bytes(*into) : !data.skip(type)) return false;
    }
    hparams = name == "hparams";
  }
  return true;
}

bool parseValue(std::string_view bytes, TensorboardEvent& event) {
  WireReader value(bytes);
  TensorboardScalar scalar;
  std::string_view content;
  bool known = false, hparams = false;
  while (!value.atEnd()) {
    std::uint32_t number = 0;
    int type = 0;
    std::string_view inner;
    float simple = 0;
    if (!value.field(number, type)) return false;
    if (number == 1 && type == 2) {
      if (!value.bytes(scalar.tag)) return false;
    } else if (number == 2 && type == 5) {
      if (!value.fixed(simple)) return false;
      scalar.value = simple;
      known = true;
    } else if (number == 8 && type == 2) {
      if (!value.bytes(inner) || !tensorValue(inner, scalar.value, known)) return false;
    } else if (number == 9 && type == 2) {
      if (!value.bytes(inner) || !pluginContent(inner, hparams, content)) return false;
    } else if (!value.skip(type)) {
      return false;
    }
  }
  if (hparams)  // its tensor is a filler
    event.hparams.push_back(content);
  else if (known)
    event.scalars.push_back(scalar);
  else
    ++event.otherValues;
  return true;
}

bool parseSummary(std::string_view bytes, TensorboardEvent& event) {
  WireReader summary(bytes);
  while (!summary.atEnd()) {
    std::uint32_t number = 0;
    int type = 0;
    std::string_view inner;
    if (!summary.field(number, type)) return false;
    if (number != 1 || type != 2) {
      if (!summary.skip(type)) return false;
    } else if (!summary.bytes(inner) || !parseValue(inner, event)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::uint32_t maskedCrc32c(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

Result<std::unique_ptr<TfrecordReader>> TfrecordReader::open(const std::string& path) {
  std::unique_ptr<TfrecordReader> reader(new TfrecordReader);
  FATHOM_TRY(reader->m_in, PackedReader::open(path));
  return reader;
}

std::unique_ptr<TfrecordReader> TfrecordReader::over(std::string bytes) {
  std::unique_ptr<TfrecordReader> reader(new TfrecordReader);
  reader->m_memory = std::move(bytes);
  return reader;
}

// As many of `count` bytes as there are.
Result<std::size_t> TfrecordReader::fill(char* into, std::size_t count) {
  std::size_t filled = 0;
  while (filled < count) {
    std::size_t got = 0;
    if (m_in != nullptr) {
      FATHOM_TRY(got, m_in->read(into + filled, count - filled));
    } else {
      got = std::string_view(m_memory).substr(m_at).copy(into + filled, count - filled);
      m_at += got;
    }
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

Result<bool> TfrecordReader::next(std::string& record) {
  while (true) {
    char head[12];
    FATHOM_TRY(const std::size_t got, fill(head, sizeof head));
    if (got < sizeof head) return false;
    const auto length = littleEndian<std::uint64_t>(head);
    if (maskedCrc32c({head, 8}) != littleEndian<std::uint32_t>(head + 8) || length > kMaxRecord) {
      m_lengthDamaged = true;
      return false;
    }
    // Grows with what is really there: a length that lies costs nothing.
    record.clear();
    while (record.size() < length + 4) {
      const std::size_t before = record.size();
      const std::size_t piece = std::min<std::size_t>(length + 4 - before, 1 << 20);
      record.resize(before + piece);
      FATHOM_TRY(const std::size_t count, fill(record.data() + before, piece));
      if (count < piece) return false;
    }
    const auto expected = littleEndian<std::uint32_t>(record.data() + length);
    record.resize(length);
    if (maskedCrc32c(record) == expected) return true;
    ++m_bad;
  }
}

bool parseTensorboardEvent(std::string_view record, TensorboardEvent& event) {
  event.wallTime = 0;
  event.step = 0;
  event.scalars.clear();
  event.hparams.clear();
  event.otherValues = 0;
  WireReader message(record);
  while (!message.atEnd()) {
    std::uint32_t number = 0;
    int type = 0;
    std::uint64_t step = 0;
    std::string_view inner;
    if (!message.field(number, type)) return false;
    bool good = true;
    if (number == 1 && type == 1) {
      good = message.fixed(event.wallTime);
    } else if (number == 2 && type == 0) {
      good = message.varint(step);
      event.step = static_cast<std::int64_t>(step);
    } else if (number == 5 && type == 2) {
      good = message.bytes(inner) && parseSummary(inner, event);
    } else {
      good = message.skip(type);
    }
    if (!good) return false;
  }
  return true;
}

}  // namespace fathom
