// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support_import_targets.h"

#include <zlib.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/base/files/temporary_folder.h"
#include "core/base/threads/progress.h"
#include "core/imports/attention/attention_import.h"
#include "core/imports/formats/yaml_options.h"
#include "core/imports/import_entry.h"
#include "core/record/formats/array_file.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

void write(const std::string& path, std::string_view bytes) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::trunc | std::ios::binary) << bytes;
  // Nobody waits for the owner of a file that is an hour old.
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

// What comes of it is in order, and its state leads to nothing more.
void readAs(const char* format, const std::string& path) {
  const auto take = [](ImportedRun run) -> Status {
    for (const ScalarSeries& series : seriesOf(run))
      for (std::size_t i = 1; i < series.step.size(); ++i)
        if (!(series.step[i - 1] <= series.step[i])) std::abort();
    (void)run.options.dump();
    (void)run.notes.dump();
    return {};
  };
  const auto source = findImport(format)->open(path, {}).value();
  if (!readWhole(*source, StopToken(), take).ok()) return;
  ImportOptions again;
  again.state = parseJson(source->state().dump()).value();
  const auto next = findImport(format)->open(path, again).value();
  (void)next->read(StopToken(), [](const ImportedRun& run) -> Status {
    if (!run.points.empty()) std::abort();
    return {};
  });
}

// The head of a .wandb file and one whole chunk.
std::string oneRecord(std::string_view bytes) {
  constexpr std::size_t kHead = 7, kMost = 32768 - 2 * kHead;
  const std::string body = '\x01' + std::string(bytes.substr(0, kMost));
  const auto sum = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
  std::string file("\x3AW&B\xE1\xBE\0", kHead);
  for (int byte = 0; byte < 4; ++byte) file += static_cast<char>(sum >> (8 * byte));
  file += static_cast<char>(body.size() - 1);
  file += static_cast<char>((body.size() - 1) >> 8);
  return file + body;
}

}  // namespace

void fuzzWandb(std::string_view bytes) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/run-x.wandb";
  write(file, bytes);
  readAs("wandb", file);
  write(file, oneRecord(bytes));
  readAs("wandb", file);
}

void fuzzYaml(std::string_view bytes) {
  const auto alone = parseYamlOptions(bytes, "hparams.yaml");
  if (alone.ok() && !alone->is_object()) std::abort();
  const TemporaryFolder folder;
  write(folder.path() + "/metrics.csv", "epoch,step,loss\n0,1,0.5\n0,2,0.25\n");
  write(folder.path() + "/hparams.yaml", bytes);
  readAs("lightning", folder.path());
}

void fuzzJsonLogs(std::string_view bytes) {
  const TemporaryFolder folder;
  const std::string lines = folder.path() + "/log.jsonl", state = folder.path() + "/t/trainer_state.json";
  write(lines, bytes);
  for (const char* format : {"json", "fairseq"}) readAs(format, lines);
  write(state, bytes);
  readAs("hf_trainer", folder.path() + "/t");
}

void fuzzDatabases(std::string_view bytes) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.db";
  write(file, bytes);
  for (const char* format : {"trackio", "mlflow"}) readAs(format, file);
  write(file + "-wal", bytes);
  readAs("trackio", file);
}

void fuzzAttention(std::string_view bytes) {
  const TemporaryFolder folder;
  const std::string tokens = folder.path() + "/tokens.json",
                    honest = folder.path() + "/decoder.self_attention.npy";
  write(tokens, bytes);
  const std::vector<float> halves(2 * 2 * 2 * 2, 0.5f);
  writeArrayFile(honest, {2, 2, 1, 2, 2}, halves).value();
  for (const char* ending : {"npy", "safetensors"}) {
    const std::string file = folder.path() + "/encoder.self_attention." + ending;
    write(file, bytes);
    Progress progress;
    const auto read = readAttention({.arrays = {file}}, progress, StopToken());
    if (read.ok() && read->analyses.empty()) std::abort();
  }
  Progress progress;
  const auto read = readAttention({.arrays = {honest}, .tokens = tokens}, progress, StopToken());
  if (read.ok() && (read->tokens < 1 || read->tokens > 4)) std::abort();
}

void fuzzRunLogs(std::string_view bytes) {
  const TemporaryFolder folder;
  write(folder.path() + "/inbox/w/0.jsonl", bytes);
  readAs("trackio", folder.path());
  const std::string run = folder.path() + "/mlruns/1/r/";
  write(run + "meta.yaml", "run_id: r\nstatus: 3\n");
  write(run + "metrics/loss", bytes);
  write(run + "params/p", bytes);
  readAs("mlflow", folder.path());
  write(run + "meta.yaml", bytes);
  readAs("mlflow", folder.path());
}

}  // namespace fathom
