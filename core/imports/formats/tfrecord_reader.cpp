// SPDX-License-Identifier: Apache-2.0
#include "core/imports/formats/tfrecord_reader.h"

#include <bit>
#include <cstring>

#include "core/base/files/hash.h"
#include "core/imports/formats/protobuf_wire.h"
#include "core/record/formats/safetensors_file.h"

namespace fathom {

namespace {

constexpr std::uint64_t kMaxRecord = 256u << 20;

template <typename T>
T littleEndian(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

constexpr std::int64_t kUnknownSize = -1;
// More numbers than that are no histogram of anybody's.
constexpr std::int64_t kMaxNumbers = 30'000;
// Of one record: each takes a hundred times the two bytes that an empty one has in the file.
constexpr std::size_t kMaxValues = 1'000'000;

// The product of a TensorShapeProto's sizes; -1 when unknown.
bool shapeCount(std::string_view bytes, std::int64_t& count) {
  return eachField(bytes, [&](WireReader& shape, std::uint32_t number, int type) {
    std::string_view dimension;
    if (number != 2 || type != 2) return shape.skip(type);
    std::uint64_t size = 0;
    if (!shape.bytes(dimension) || !eachField(dimension, [&](WireReader& dim, std::uint32_t field, int kind) {
          return field == 1 && kind == 0 ? dim.varint(size) : dim.skip(kind);
        }))
      return false;
    count = count < 0 || size > static_cast<std::uint64_t>(kMaxNumbers)
                ? kUnknownSize
                : count * static_cast<std::int64_t>(size);
    if (count > kMaxNumbers) count = kUnknownSize;
    return true;
  });
}

std::size_t widthOf(std::uint64_t dtype) {
  switch (dtype) {
    case 1:
    case 3:
      return 4;
    case 2:
    case 9:
      return 8;
    case 14:
    case 19:
      return 2;
    case 10:
      return 1;
    default:
      return 0;
  }
}

double numberAt(std::uint64_t dtype, const char* bytes) {
  switch (dtype) {
    case 1:
      return littleEndian<float>(bytes);
    case 2:
      return littleEndian<double>(bytes);
    case 3:
      return littleEndian<std::int32_t>(bytes);
    case 9:
      return static_cast<double>(littleEndian<std::int64_t>(bytes));
    case 10:
      return *bytes != 0 ? 1 : 0;
    case 14:
      return std::bit_cast<float>(std::uint32_t{littleEndian<std::uint16_t>(bytes)} << 16);
    default:
      return halfToDouble(littleEndian<std::uint16_t>(bytes));
  }
}

// Numbers of a TensorProto: raw (tensor_content) or a typed list, packed or one by one.
struct TensorParts {
  std::uint64_t dtype = 0;
  std::int64_t count = 1;
  std::string_view content;
  std::vector<double> list;
  std::vector<std::string_view> strings;
};

bool addVarint(std::uint64_t dtype, std::uint64_t word, std::vector<double>& list) {
  if (list.size() >= static_cast<std::size_t>(kMaxNumbers)) return true;
  const auto half = static_cast<std::uint16_t>(word);
  if (dtype == 14)
    list.push_back(std::bit_cast<float>(std::uint32_t{half} << 16));
  else if (dtype == 19)
    list.push_back(halfToDouble(half));
  else
    list.push_back(static_cast<double>(static_cast<std::int64_t>(word)));
  return true;
}

// int_val 7, int64_val 10, bool_val 11, half_val 13: of the type that the tensor says, which stands before
// them.
bool varintList(WireReader& tensor, int type, TensorParts& parts) {
  std::uint64_t word = 0;
  if (type == 0) return tensor.varint(word) && addVarint(parts.dtype, word, parts.list);
  std::string_view packed;
  if (type != 2 || !tensor.bytes(packed)) return false;
  WireReader list(packed);
  while (!list.atEnd())
    if (!list.varint(word) || !addVarint(parts.dtype, word, parts.list)) return false;
  return true;
}

template <typename Number>
bool fixedList(WireReader& tensor, int type, std::vector<double>& list) {
  Number one{};
  if (type != 2) {
    if (!tensor.fixed(one)) return false;
    list.push_back(static_cast<double>(one));
    return true;
  }
  std::string_view packed;
  if (!tensor.bytes(packed)) return false;
  WireReader numbers(packed);
  while (!numbers.atEnd() && list.size() < static_cast<std::size_t>(kMaxNumbers)) {
    if (!numbers.fixed(one)) return false;
    list.push_back(static_cast<double>(one));
  }
  return true;
}

bool tensorParts(std::string_view bytes, TensorParts& parts) {
  return eachField(bytes, [&](WireReader& tensor, std::uint32_t number, int type) {
    std::string_view inner;
    if (number == 1 && type == 0) return tensor.varint(parts.dtype);
    if (number == 2 && type == 2) return tensor.bytes(inner) && shapeCount(inner, parts.count);
    if (number == 4 && type == 2) return tensor.bytes(parts.content);
    if (number == 5 && (type == 2 || type == 5)) return fixedList<float>(tensor, type, parts.list);
    if (number == 6 && (type == 2 || type == 1)) return fixedList<double>(tensor, type, parts.list);
    if ((number == 7 || number == 10 || number == 11 || number == 13) && (type == 0 || type == 2))
      return varintList(tensor, type, parts);
    if (number == 8 && type == 2) {
      if (!tensor.bytes(inner)) return false;
      if (parts.strings.size() < 10'000) parts.strings.push_back(inner);
      return true;
    }
    return tensor.skip(type);
  });
}

bool readTensor(std::string_view bytes, TensorboardValue& value) {
  TensorParts parts;
  if (!tensorParts(bytes, parts)) return false;
  value.strings = std::move(parts.strings);
  const std::size_t width = widthOf(parts.dtype);
  if (parts.count < 0 || width == 0) return true;
  const auto count = static_cast<std::size_t>(parts.count);
  std::vector<double> numbers = std::move(parts.list);
  if (!parts.content.empty()) {
    numbers.clear();
    if (parts.content.size() != count * width) return true;
    for (std::size_t i = 0; i < count; ++i)
      numbers.push_back(numberAt(parts.dtype, parts.content.data() + i * width));
  }
  if (numbers.empty() || numbers.size() > count) return true;
  numbers.resize(count, numbers.back());  // a list that is shorter repeats its last element
  value.one = count == 1;
  if (value.one)
    value.number = numbers.front();
  else
    value.numbers = std::move(numbers);
  return true;
}

// SummaryMetadata: plugin_data (1) with plugin_name (1) and content (2).
bool readMetadata(std::string_view bytes, TensorboardValue& value) {
  return eachField(bytes, [&](WireReader& metadata, std::uint32_t number, int type) {
    std::string_view plugin;
    if (number != 1 || type != 2) return metadata.skip(type);
    return metadata.bytes(plugin) && eachField(plugin, [&](WireReader& data, std::uint32_t field, int kind) {
             if (kind == 2 && field == 1) return data.bytes(value.plugin);
             if (kind == 2 && field == 2) return data.bytes(value.content);
             return data.skip(kind);
           });
  });
}

bool parseValue(std::string_view bytes, TensorboardValue& value) {
  return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
    std::string_view inner;
    float simple = 0;
    if (number == 1 && type == 2) return message.bytes(value.tag);
    if (number == 2 && type == 5) {
      if (!message.fixed(simple)) return false;
      value.number = simple;
      value.one = true;
      value.kind = "scalar";
      return true;
    }
    if ((number == 4 || number == 6) && type == 2) {
      value.kind = number == 4 ? "image" : "audio";
      return message.skip(type);
    }
    if (number == 5 && type == 2) {
      value.kind = "histogram";
      return message.bytes(value.bytes);
    }
    if (number == 8 && type == 2) {
      value.kind = "tensor";
      return message.bytes(inner) && readTensor(inner, value);
    }
    if (number == 9 && type == 2) return message.bytes(inner) && readMetadata(inner, value);
    return message.skip(type);
  });
}

bool parseSummary(std::string_view bytes, TensorboardEvent& event) {
  return eachField(bytes, [&](WireReader& summary, std::uint32_t number, int type) {
    std::string_view inner;
    if (number != 1 || type != 2) return summary.skip(type);
    return event.values.size() < kMaxValues && summary.bytes(inner) &&
           parseValue(inner, event.values.emplace_back());
  });
}

bool parseSession(std::string_view bytes, TensorboardEvent& event) {
  return eachField(bytes, [&](WireReader& session, std::uint32_t number, int type) {
    std::uint64_t status = 0;
    if (number != 1 || type != 0) return session.skip(type);
    if (!session.varint(status)) return false;
    event.sessionStart = status == 1;
    return true;
  });
}

}  // namespace

std::uint32_t maskedCrc32c(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

Result<std::unique_ptr<TfrecordReader>> TfrecordReader::open(const std::string& path, std::uint64_t from,
                                                             std::uint32_t sum) {
  std::unique_ptr<TfrecordReader> reader(new TfrecordReader);
  FATHOM_TRY(RegularFile file, RegularFile::open(path));
  unsigned char magic[4] = {0, 0, 0, 0};
  FATHOM_TRY(const std::size_t got, file.readAt(0, reinterpret_cast<char*>(magic), 4));
  (void)got;
  const bool packed = (magic[0] == 0x1f && magic[1] == 0x8b) ||
                      (magic[0] == 0x28 && magic[1] == 0xb5 && magic[2] == 0x2f && magic[3] == 0xfd);
  // Lengths of ours end in zeros: no record begins so.
  if (packed) {
    FATHOM_TRY(reader->m_in, PackedReader::open(path));
  } else {
    reader->m_offset = reader->m_position = from;
    reader->m_sum = sum;
    reader->m_file.emplace(std::move(file));
  }
  return reader;
}

std::unique_ptr<TfrecordReader> TfrecordReader::over(std::string bytes) {
  std::unique_ptr<TfrecordReader> reader(new TfrecordReader);
  reader->m_memory = std::move(bytes);
  return reader;
}

// As many of `count` bytes as there are.
Result<std::size_t> TfrecordReader::fill(char* into, std::size_t count) {
  constexpr std::size_t kPart = std::size_t{1} << 18;
  std::size_t filled = 0;
  while (filled < count) {
    std::size_t got = 0;
    if (m_in != nullptr) {
      FATHOM_TRY(got, m_in->read(into + filled, count - filled));
    } else {
      if (m_at == m_memory.size() && m_file) {
        m_memory.resize(kPart);
        FATHOM_TRY(const std::size_t part, m_file->readAt(m_offset, m_memory.data(), kPart));
        m_memory.resize(part);
        m_offset += part;
        m_at = 0;
      }
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
    m_torn = got;
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
      m_torn += count;
      if (count < piece) return false;
    }
    m_torn = 0;
    m_position += length + 16;
    m_sum = crc32c(record, crc32c({head, sizeof head}, m_sum));
    const auto expected = littleEndian<std::uint32_t>(record.data() + length);
    record.resize(length);
    if (maskedCrc32c(record) == expected) return true;
    ++m_bad;
  }
}

bool parseTensorboardEvent(std::string_view record, TensorboardEvent& event) {
  event.wallTime = 0;
  event.step = 0;
  event.sessionStart = false;
  event.values.clear();
  return eachField(record, [&](WireReader& message, std::uint32_t number, int type) {
    std::uint64_t step = 0;
    std::string_view inner;
    if (number == 1 && type == 1) return message.fixed(event.wallTime);
    if (number == 2 && type == 0) {
      if (!message.varint(step)) return false;
      event.step = static_cast<std::int64_t>(step);
      return true;
    }
    if (number == 5 && type == 2) return message.bytes(inner) && parseSummary(inner, event);
    if (number == 7 && type == 2) return message.bytes(inner) && parseSession(inner, event);
    return message.skip(type);
  });
}

}  // namespace fathom
