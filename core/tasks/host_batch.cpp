// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/host_batch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/base/errors/error.h"
#include "core/base/errors/word_table.h"

namespace fathom {

namespace {
constexpr std::size_t kAlignment = 64;
constexpr std::int64_t kLargestBytes = std::int64_t{1} << 40;
constexpr EnumWord<HostDtype> kHostDtypes[] = {{HostDtype::U8, "u8"},
                                               {HostDtype::I32, "i32"},
                                               {HostDtype::I64, "i64"},
                                               {HostDtype::F32, "f32"},
                                               {HostDtype::F64, "f64"}};
}  // namespace

const char* hostDtypeName(HostDtype dtype) {
  return wordOf(kHostDtypes, dtype);
}

std::size_t hostDtypeSize(HostDtype dtype) {
  if (dtype == HostDtype::U8) return 1;
  return dtype == HostDtype::I32 || dtype == HostDtype::F32 ? 4 : 8;
}

HostArray::HostArray(HostDtype dtype, std::vector<std::int64_t> shape)
    : m_dtype(dtype), m_shape(std::move(shape)), m_elements(1) {
  const auto elementBytes = static_cast<std::int64_t>(hostDtypeSize(dtype));
  for (const std::int64_t size : m_shape) {
    if (size < 0) throw Failure(internalError("array with negative size " + std::to_string(size)));
    if (size > 0 && m_elements > kLargestBytes / elementBytes / size)
      throw Failure(internalError("array of more than 2^40 bytes"));
    m_elements *= size;
  }
  // aligned_alloc wants a multiple of the alignment; an empty array still gets one block, so data() is never
  // null.
  const std::size_t wanted = (bytes() + kAlignment) / kAlignment * kAlignment;
  auto* block = static_cast<std::byte*>(std::aligned_alloc(kAlignment, wanted));
  if (block == nullptr) throw Failure(memoryError(Phrase::tr("no memory for an array of %1 bytes")(wanted)));
  std::memset(block, 0, wanted);
  m_storage = std::shared_ptr<std::byte[]>(block, [](std::byte* p) { std::free(p); });
}

void HostArray::checkDtype(HostDtype asked) const {
  if (asked != m_dtype)
    throw Failure(internalError(std::string("array of ") + hostDtypeName(m_dtype) + " read as " +
                                hostDtypeName(asked)));
}

const HostArray& HostBatch::array(std::string_view name) const {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw Failure(internalError("batch without array '" + std::string(name) + "'"));
  return found->second;
}

const HostRagged& HostBatch::ragged(std::string_view name) const {
  const auto found = raggeds.find(name);
  if (found == raggeds.end())
    throw Failure(internalError("batch without ragged array '" + std::string(name) + "'"));
  return found->second;
}

HostRagged raggedOfTexts(const std::vector<std::string>& texts) {
  HostRagged ragged;
  std::int64_t total = 0;
  ragged.offsets = HostArray(HostDtype::I64, {static_cast<std::int64_t>(texts.size()) + 1});
  for (std::size_t i = 0; i < texts.size(); ++i)
    ragged.offsets.values<std::int64_t>()[i + 1] = total += static_cast<std::int64_t>(texts[i].size());
  ragged.values = HostArray(HostDtype::U8, {total});
  auto to = ragged.values.values<std::uint8_t>().begin();
  for (const std::string& text : texts) to = std::copy(text.begin(), text.end(), to);
  return ragged;
}

}  // namespace fathom
