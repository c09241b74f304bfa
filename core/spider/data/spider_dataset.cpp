// SPDX-License-Identifier: Apache-2.0
#include "core/spider/data/spider_dataset.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/lines/compressed_file.h"

namespace fathom {

namespace {

// `packedBytes` of the whole file. A further member does not begin as one where zlib says so, or where there
// is no room for its first two bytes.
Error unpackingError(const PackedFault& fault, std::size_t packedBytes, const std::string& path) {
  const bool strange = fault.kind == PackedFault::Kind::NotPacked ||
                       fault.words == "incorrect header check" ||
                       (fault.kind == PackedFault::Kind::EndsEarly && fault.byte >= packedBytes);
  if (strange) return dataErrorAt(path, 0, Phrase::tr("what stands behind the gzip data is not gzip"));
  return dataErrorAt(path, 0, Phrase::tr("the gzip file is damaged or cut off"));
}

Result<std::string> unpack(const std::string& packed, const std::string& path, std::size_t maxBytes) {
  FATHOM_TRY(const auto reader, PackedReader::over(packed, path));
  std::string out;
  std::string piece(std::size_t{1} << 16, '\0');
  while (out.size() <= maxBytes) {
    const auto got = reader->read(piece.data(), piece.size());
    if (!got.ok())
      return reader->fault() ? unpackingError(*reader->fault(), packed.size(), path) : got.error();
    if (*got == 0) return out;
    out.append(piece, 0, *got);
  }
  return dataErrorAt(path, 0, Phrase::tr("the unpacked file is over %1 bytes")(maxBytes));
}

}  // namespace

Result<std::string> readMaybeGzip(const std::string& path, std::size_t maxBytes) {
  FATHOM_TRY(std::string bytes, readFile(path, maxBytes));
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  return unpack(bytes, path, maxBytes);
}

Result<SpiderDataset> readSpiderDataset(const std::string& path) {
  FATHOM_TRY(const std::string text, readMaybeGzip(path));
  FATHOM_TRY(const Json root, parseJson(text, path, {.maxDepth = 64, .maxBytes = std::size_t{512} << 20}));
  if (!root.is_array()) return dataErrorAt(path, 0, Phrase::tr("a list of examples expected"));
  SpiderDataset dataset;
  dataset.sha256 = sha256Hex(text);
  for (std::size_t i = 0; i < root.size(); ++i) {
    const Json& record = root[i];
    SpiderExample example;
    for (const auto& [key, target] :
         {std::pair{"db_id", &example.dbId}, std::pair{"question", &example.question},
          std::pair{"query", &example.query}}) {
      if (!record.is_object() || !record.contains(key) || !record[key].is_string()) {
        return dataErrorAt(path, 0, Phrase::tr("record %1 has no text \"%2\"")(i, key));
      }
      *target = record[key].get<std::string>();
    }
    const auto tokens = record.find("question_toks");
    if (tokens != record.end() && tokens->is_array()) {
      for (const Json& token : *tokens)
        example.questionTokens.push_back(token.is_string() ? token.get<std::string>() : token.dump());
    }
    dataset.examples.push_back(std::move(example));
  }
  return dataset;
}

}  // namespace fathom
