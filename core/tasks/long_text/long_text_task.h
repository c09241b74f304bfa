// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/tasks/encoded_text_task.h"
#include "core/tasks/long_text/long_encoding.h"
#include "core/tasks/long_text/long_rows.h"
#include "core/tasks/long_text/record_file.h"

namespace fathom {

// What the tasks on long documents say alike: how much of an example both streams hold.
struct LongLengths {
  std::int64_t longs = 4096, globals = 256;
};
// Options "<task>.max_length" and "<task>.max_globals" with these defaults; titles name the benchmark.
std::vector<OptionField> longLengthFields(const std::string& task, const LongLengths& usual,
                                          const std::string& benchmark);
LongLengths longLengths(const OptionValues& values, const std::string& task);

// Both streams of the examples of a part, for the data page: members "long" and "global" of its statistics
// (longStatisticFields shows them).
class LongStatistics {
 public:
  void add(const LongLayout& layout);
  void write(Json& part) const;
  // Widths of the long stream, for EncodedTextTask::setPart.
  const std::vector<std::int32_t>& longs() const { return m_longs; }

 private:
  std::vector<std::int32_t> m_longs, m_globals;
};
std::vector<StatisticField> longStatisticFields();

// An item of free input as a record: an object as it is, a line that is one ('{' …), any other line as
// `ofLine` reads it (number from 1). A record without a text "id" (or "_id") is given its number under
// `idKey`.
Result<Json> freeRecord(const Json& item, std::size_t number,
                        Result<Json> (*ofLine)(const std::string& line, std::size_t number),
                        const char* idKey = "id");

// A task whose examples are records of long documents laid as two streams (docs/long_inputs.md §4). Records
// are kept as they were read and laid when a batch is made, so that memory grows with the text alone. A batch
// has the arrays of putLongRows and what the task adds.
class LongTextTask : public EncodedTextTask {
 public:
  // Stack "encoder": the long stream; "global": the global one, its tokens named by what they stand for.
  TokenRows pieces(const HostBatch& batch, std::int64_t row) const override;

 protected:
  LongTextTask(TextEncoding encoding, std::int64_t examples, std::uint64_t seed);
  const LongPieces& longPieces() const { return m_pieces; }
  // The part's file as records (readRecordFile): its hash and what is left out go into hashes and notes of
  // the statistics.
  Result<RecordFile> readPart(DataSplit split, const std::string& path, bool skipBad, const TaskSetup& setup,
                              const TakeRecord& take);
  // Examples and streams of a batch; targetUnits is the number of examples.
  HostBatch longBatch(std::span<const ExampleId> examples, const std::vector<const LongLayout*>& rows,
                      LongRowRules rules) const;

 private:
  LongPieces m_pieces;
};

}  // namespace fathom
