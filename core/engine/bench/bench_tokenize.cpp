// SPDX-License-Identifier: Apache-2.0

#include "core/base/files/atomic_file.h"
#include "core/base/lines/line_reader.h"
#include "core/engine/bench/bench_layers.h"
#include "core/text/byte_bpe_tokenizer.h"
#include "core/text/wordpiece_tokenizer.h"

namespace fathom {

namespace {

// Lines of the file, repeated until there are enough bytes.
Result<std::vector<std::string>> linesOf(const TokenizeBench& bench) {
  FATHOM_TRY(auto reader, LineReader::open(bench.text));
  std::vector<std::string> once;
  LineReader::Line line;
  std::size_t bytes = 0;
  while (true) {
    FATHOM_TRY(const bool more, reader.next(line));
    if (!more) break;
    if (line.text.empty() || line.tooLong) continue;
    once.emplace_back(line.text);
    bytes += line.text.size();
  }
  if (bytes == 0) return dataErrorAt(bench.text, 0, "has no text");
  std::vector<std::string> all;
  const std::size_t wanted = static_cast<std::size_t>(bench.megabytes) * 1000000;
  for (std::size_t have = 0, i = 0; have < wanted; ++i) {
    all.push_back(once[i % once.size()]);
    have += all.back().size();
  }
  return all;
}

Result<std::unique_ptr<Tokenizer>> tokenizerOf(const TokenizeBench& bench) {
  FATHOM_TRY(const std::string vocabulary, readFile(bench.vocabulary, std::size_t{64} << 20));
  if (bench.merges.empty()) {
    WordPieceOptions options;
    options.lowerCase = bench.lowerCase;
    FATHOM_TRY(auto made, WordPieceTokenizer::fromText(vocabulary, bench.vocabulary, options));
    return std::unique_ptr<Tokenizer>(std::make_unique<WordPieceTokenizer>(std::move(made)));
  }
  FATHOM_TRY(const std::string merges, readFile(bench.merges, std::size_t{64} << 20));
  FATHOM_TRY(auto made, ByteBpeTokenizer::fromFiles(vocabulary, bench.vocabulary, merges, bench.merges));
  return std::unique_ptr<Tokenizer>(std::make_unique<ByteBpeTokenizer>(std::move(made)));
}

// Number of ids and a sum that knows their order, below 2^53.
std::pair<double, double> digest(const Tokenizer& tokenizer, const std::vector<std::string>& lines) {
  std::int64_t count = 0, mixed = 0;
  for (const std::string& line : lines) {
    for (const std::int64_t id : tokenizer.encode(line)) mixed = (mixed * 31 + id + 1) % 1000000007, ++count;
  }
  return {static_cast<double>(count), static_cast<double>(mixed)};
}

}  // namespace

Status benchTokenize(const TokenizeBench& bench) {
  const auto lines = linesOf(bench);
  if (!lines.ok()) return lines.error();
  const auto tokenizer = tokenizerOf(bench);
  if (!tokenizer.ok()) return tokenizer.error();
  const auto [count, mixed] = digest(**tokenizer, *lines);
  PairBench pairs = pairBench("tokenize", "tokenize_text.py", bench.settings);
  pairs.check = {{"ids", count, 0}, {"digest", mixed, 0}};
  pairs.step = [&] {
    for (const std::string& line : *lines) (*tokenizer)->encode(line);
  };
  const auto inputs = [&](const std::string& folder) -> Status {
    std::string text;
    for (const std::string& line : *lines) text += line + "\n";
    FATHOM_CHECK(writeFileAtomically(folder + "/text.txt", text));
    const Json config = {
        {"vocabulary", bench.vocabulary}, {"merges", bench.merges}, {"lower_case", bench.lowerCase}};
    return writePeerConfig(folder, config);
  };
  Result<Json> result = runPairBench(pairs, inputs);
  if (result.ok())
    (*result)["megabytes_per_s"] =
        static_cast<double>(bench.megabytes) / (*result)["seconds_a_step"].get<double>();
  return finishBench(result, 1);
}

}  // namespace fathom
