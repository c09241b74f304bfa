// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <ctime>
#include <map>
#include <optional>

#include "core/base/json/json.h"
#include "core/base/text/number_text.h"
#include "core/record/formats/line_source.h"
#include "core/record/import/import_entry.h"
#include "core/record/import/imported_options.h"
#include "core/record/import/imported_run.h"

namespace fathom {

namespace {

// Over-long ones are counted and dropped.
constexpr LineLimits kLogLines = {.maxBytes = 2'000'000, .skipLonger = true};

// fairseq writes most numbers as texts.
std::optional<double> numberOf(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (text == "nan") return std::nan("");
  if (text == "inf") return HUGE_VAL;
  if (text == "-inf") return -HUGE_VAL;
  return numberFrom<double>(text);
}

// "2020-05-04 12:00:01 | INFO | …", taken as UTC.
std::optional<double> stampOf(const std::string& line) {
  std::tm parts{};
  if (line.size() < 19 || ::strptime(line.c_str(), "%Y-%m-%d %H:%M:%S", &parts) == nullptr)
    return std::nullopt;
  return static_cast<double>(::timegm(&parts));
}

// Our name of a fairseq key; "" for the axes.
std::string metricName(const std::string& key) {
  static const std::map<std::string, std::string> kNames = {
      {"epoch", ""},          {"update", ""},     {"num_updates", ""},       {"train_num_updates", ""},
      {"wall", ""},           {"train_wall", ""}, {"valid_num_updates", ""}, {"gnorm", "grad_norm"},
      {"wps", "tokens_per_s"}};
  const auto known = kNames.find(key);
  if (known != kNames.end()) return known->second;
  for (const char* part : {"valid_", "train_", "test_"}) {
    if (key.starts_with(part))
      return std::string(part, std::string_view(part).size() - 1) + "." +
             key.substr(std::string_view(part).size());
  }
  return key;
}

class FairseqCollector {
 public:
  explicit FairseqCollector(const std::string& path) : m_scalars(path) {}

  Status take(const std::string& line) {
    const std::size_t brace = line.find('{');
    if (brace == std::string::npos || line.find("num_updates", brace) == std::string::npos) {
      if (m_options.empty()) readOptions(line, brace);
      return {};
    }
    const auto json = parseJson(std::string_view(line).substr(brace, line.rfind('}') - brace + 1), {},
                                {8, kLogLines.maxBytes, true});
    if (!json.ok() || !json->is_object()) {
      ++m_bad;
      return {};
    }
    const auto number = [&](std::initializer_list<const char*> keys) -> std::optional<double> {
      for (const char* key : keys) {
        if (const auto it = json->find(key); it != json->end()) return numberOf(*it);
      }
      return std::nullopt;
    };
    const auto step = number({"num_updates", "valid_num_updates", "train_num_updates"});
    if (!step) {
      ++m_bad;
      return {};
    }
    const auto stamp = stampOf(line);
    if (stamp && m_start == 0) m_start = *stamp;
    // `wall` counts from the start of the process and is on most lines; the stamp says what it misses.
    const double time =
        stamp ? *stamp - m_start : number({"wall", "train_wall", "valid_wall"}).value_or(m_lastTime);
    m_lastTime = std::fmax(m_lastTime, time);
    const double epoch = number({"epoch"}).value_or(kNaN);
    for (const auto& [key, value] : json->items()) {
      const std::string metric = metricName(key);
      const auto point = metric.empty() ? std::nullopt : numberOf(value);
      // A restart at an earlier step takes the place of what it repeats.
      if (point) FATHOM_CHECK(m_scalars.add(metric, {*step, m_lastTime, epoch, kNaN}, *point, true));
    }
    return {};
  }

  bool empty() const { return m_scalars.empty(); }

  ImportedRun finish(std::int64_t tooLong) {
    ImportedRun run;
    run.format = "fairseq";
    run.startTime = m_start;
    if (m_bad > 0) run.warnings.push_back(Phrase::tr("%1 damaged lines skipped")(m_bad));
    if (tooLong > 0) run.warnings.push_back(Phrase::tr("%1 lines over 2 MB skipped")(tooLong));
    m_scalars.giveTo(run);
    run.options = m_options.finish(run.warnings);
    return run;
  }

 private:
  // What it prints at its start: Namespace(…) of its first years, {'_name': None, 'common': {…}, …} since.
  void readOptions(const std::string& line, std::size_t brace) {
    const std::size_t names = line.find("Namespace(");
    if (names != std::string::npos && names < brace)
      readPythonOptions(std::string_view(line).substr(names), m_options);
    else if (brace != std::string::npos && line.compare(brace, 8, "{'_name'") == 0)
      readPythonOptions(std::string_view(line).substr(brace), m_options);
  }

  ImportedSeries m_scalars;
  ImportedOptions m_options;
  double m_start = 0, m_lastTime = kNaN;
  std::int64_t m_bad = 0;
};

}  // namespace

Status readFairseqRuns(const std::string& path, const StopToken& stop, const ImportSink& take) {
  FATHOM_TRY(auto lines, LineSource::open(path, kLogLines));
  FairseqCollector collector(path);
  std::string line;
  while (true) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const bool more, lines.next(line));
    if (!more) break;
    FATHOM_CHECK(collector.take(line));
  }
  if (collector.empty())
    return dataErrorAt(path, 0, Phrase::tr("no fairseq JSON line with num_updates"),
                       Phrase::tr("train with --log-format json"));
  return take(collector.finish(lines.leftOut()));
}

namespace {

// Lines of its logger, or JSON that may be bare ones.
Claim fairseqClaim(const SourceLook& look) {
  if (look.folder) return Claim::No;
  if (look.head.find("num_updates\"") != std::string::npos || look.head.find("| INFO |") != std::string::npos)
    return Claim::Yes;
  const std::string_view first = std::string_view(look.head).substr(0, look.head.find('\n'));
  const bool text = look.head.find('\0') == std::string::npos;
  return text && first.find('{') != std::string_view::npos ? Claim::Perhaps : Claim::No;
}

}  // namespace

ImportEntry fairseqRunEntry() {
  return {.id = "fairseq",
          .title = "fairseq",
          .claims = fairseqClaim,
          .open = [](const std::string& path, const ImportOptions&) -> Result<std::unique_ptr<ImportSource>> {
            return wholeSource([path](const StopToken& stop, const ImportSink& take) {
              return readFairseqRuns(path, stop, take);
            });
          }};
}

}  // namespace fathom
