// SPDX-License-Identifier: Apache-2.0
#include "core/spider/data/spider_dataset.h"

#include <zlib.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"

namespace fathom {

namespace {

Result<std::string> unpack(const std::string& packed, const std::string& path, std::size_t maxBytes) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) return internalError("zlib cannot start");
  std::string out;
  std::string piece(std::size_t{1} << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int code = Z_OK;
  bool strange = false;
  while (code == Z_OK && out.size() <= maxBytes) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, 0, piece.size() - stream.avail_out);
    if (code == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) code = Z_DATA_ERROR;
    if (code != Z_STREAM_END) continue;
    // Another member, or zeros that fill up the last block.
    const std::string_view rest(reinterpret_cast<const char*>(stream.next_in), stream.avail_in);
    strange = rest.find_first_not_of('\0') != std::string_view::npos && !rest.starts_with("\x1f\x8b");
    if (rest.starts_with("\x1f\x8b")) code = inflateReset(&stream);
  }
  inflateEnd(&stream);
  if (out.size() > maxBytes)
    return dataErrorAt(path, 0, Phrase::tr("the unpacked file is over %1 bytes")(maxBytes));
  if (code != Z_STREAM_END) return dataErrorAt(path, 0, Phrase::tr("the gzip file is damaged or cut off"));
  if (strange) return dataErrorAt(path, 0, Phrase::tr("what stands behind the gzip data is not gzip"));
  return out;
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
