// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support_fuzz_targets.h"
#include "tests/unit/support_tensor_values.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/json/json_array.h"
#include "core/imports/formats/tfrecord_reader.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"
#include "core/imports/imported_run.h"
#include "core/imports/tensorboard_hparams.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_reader.h"
#include "core/record/events/event_scan.h"
#include "core/record/formats/array_file.h"
#include "core/record/formats/safetensors_header.h"
#include "core/record/formats/torch_archive.h"
#include "core/record/runs/run_archive.h"
#include "tests/fuzz/support_import_targets.h"
#include "tests/fuzz/support_spider_targets.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

void require(bool condition) {
  if (!condition) std::abort();
}

// A file of this process alone, rewritten for every input.
std::string inputFile(std::string_view bytes) {
  static const std::string path =
      fs::temp_directory_path().string() + "/fathom-fuzz-" + std::to_string(::getpid());
  std::ofstream(path, std::ios::trunc | std::ios::binary) << bytes;
  return path;
}

// The bytes as they are, and as the body of a line whose checksum is right: otherwise nothing gets past it.
void fuzzEvent(std::string_view bytes) {
  ScalarLine line;
  scanEventLine(bytes, line);
  std::string closed(bytes.substr(0, bytes.find('\n')));
  closeEventLine(closed);
  const std::string path = inputFile(std::string(bytes) + "\n" + closed);
  EventReader reader(path);
  std::size_t events = 0;
  while (true) {
    const auto polled = reader.poll(4096);
    if (!polled.ok() || polled->empty()) break;
    events += polled->size();
  }
  const std::string_view body = checkedEventBody(std::string_view(closed).substr(0, closed.size() - 1));
  require(closed.size() < 20 || !body.empty());
  require(scanEventLine(body, line) ||
          events <= static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n')) + 1);
}

void fuzzSafetensors(std::string_view bytes) {
  const std::size_t data = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.back());
  const auto header = parseSafetensorsHeader(bytes, data, "f");
  if (header.ok()) {
    std::size_t covered = 0;
    for (const TensorEntry& entry : header->entries) covered += entry.end - entry.begin;
    require(covered == data);
  }
  const auto file = SafetensorsFile::open(inputFile(bytes));
  if (!file.ok()) return;
  for (const TensorEntry& entry : file->entries()) require(fixtures::readDoubles(*file, entry.name).ok());
}

// The pickle alone, then the bytes as a whole archive.
void fuzzPickle(std::string_view bytes) {
  const auto described = readStateDictPickle(bytes, "f");
  if (described.ok()) {
    for (const PickledTensor& tensor : *described) {
      require(tensor.shape.size() == tensor.stride.size());
      require(tensor.offset >= 0 && tensor.storageCount >= 0 && dtypeBytes(tensor.dtype) > 0);
    }
  }
  const auto archive = TorchArchive::open(inputFile(bytes));
  if (!archive.ok()) return;
  std::vector<const PickledTensor*> all;
  for (const PickledTensor& tensor : archive->tensors()) all.push_back(&tensor);
  std::size_t total = 0;
  const Status read = archive->read(all, [&](const auto& same, const std::string& data) -> Status {
    std::size_t size = dtypeBytes(same.front()->dtype);
    for (const std::int64_t extent : same.front()->shape) size *= static_cast<std::size_t>(extent);
    require(data.size() == size);
    total += size;
    return {};
  });
  require(!read.ok() || total <= bytes.size() + (1 << 20));
}

void fuzzTfrecord(std::string_view bytes) {
  TensorboardEvent event;
  parseTensorboardEvent(bytes, event);
  ImportedOptions direct;
  readTensorboardHparams(bytes, direct);
  readPythonOptions(bytes, direct);
  // Framed, so that the parser is reached; then the raw bytes as a file.
  const auto reader = TfrecordReader::over(std::string(bytes));
  std::string record;
  ImportedOptions options;
  while (reader->next(record).value()) {
    if (!parseTensorboardEvent(record, event)) continue;
    for (const TensorboardValue& value : event.values) readTensorboardHparams(value.content, options);
  }
  std::vector<Phrase> warnings;
  const Json kept = options.finish(warnings);
  require(kept.size() <= 2001 && kept.dump().size() <= kept.size() * 40000 + 2);
}

void fuzzJson(std::string_view bytes) {
  const auto json = parseJson(bytes, "f");
  const Json reference = Json::parse(bytes, nullptr, false);
  if (json.ok()) {
    require(reference.is_discarded() || reference.dump() == json->dump());
    require(parseJson(json->dump()).value() == *json);
  }
  const auto elements =
      parseJsonArray(bytes, "f", [](std::string_view element) { return element.size() % 2 == 0; });
  require(elements.ok() == (json.ok() && json->is_array()));
}

void fuzzCsv(std::string_view bytes) {
  const auto source = findImport("csv")->open(inputFile(bytes), {}).value();
  (void)readWhole(*source, StopToken(), [&](ImportedRun run) -> Status {
    for (const ScalarSeries& series : seriesOf(run)) {
      require(!series.value.empty() && series.step.size() == series.value.size());
      for (std::size_t i = 1; i < series.step.size(); ++i) require(series.step[i - 1] <= series.step[i]);
    }
    (void)run.options.dump();
    return {};
  });
}

void fuzzTar(std::string_view bytes) {
  const std::string file = inputFile(bytes);
  const std::string folder = file + ".d";
  Progress progress;
  ArchiveLimits limits;
  limits.maxBytes = 1 << 20;
  const Status status = importRunArchive(file, folder, progress, StopToken(), limits);
  require(status.ok() == fs::exists(folder));
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

void fuzzNpy(std::string_view bytes) {
  const auto array = parseArray(bytes, "f");
  if (array.ok()) require(array->doubles().size() == static_cast<std::size_t>(array->count()));
}

constexpr FuzzTarget kTargets[] = {{"event", fuzzEvent},
                                   {"pickle", fuzzPickle},
                                   {"safetensors", fuzzSafetensors},
                                   {"tfrecord", fuzzTfrecord},
                                   {"json", fuzzJson},
                                   {"csv", fuzzCsv},
                                   {"tar", fuzzTar},
                                   {"npy", fuzzNpy},
                                   {"sql", fuzzSql},
                                   {"sql_pair", fuzzSqlPair},
                                   {"tables", fuzzTables},
                                   {"predictions", fuzzPredictions},
                                   {"links", fuzzLinks},
                                   {"databases", fuzzDatabases},
                                   {"attention", fuzzAttention},
                                   {"run_logs", fuzzRunLogs},
                                   {"wandb", fuzzWandb},
                                   {"yaml", fuzzYaml},
                                   {"json_logs", fuzzJsonLogs}};

}  // namespace

const FuzzTarget* fuzzTargets(int& count) {
  count = static_cast<int>(std::size(kTargets));
  return kTargets;
}

}  // namespace fathom
