// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/imports/grown_file.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"

namespace fathom {

namespace {

// Over-long ones are counted and dropped.
constexpr std::size_t kLongestLine = 2'000'000;
constexpr std::string_view kUpdates = "num_updates";

std::optional<double> wordNumber(std::string_view text) {
  if (text == "nan" || text == "NaN") return kNaN;
  if (text == "inf" || text == "Infinity") return HUGE_VAL;
  if (text == "-inf" || text == "-Infinity") return -HUGE_VAL;
  return numberFrom<double>(text);
}

// Our name of a key of training; "" for the axes.
std::string plainName(const std::string& key) {
  static const std::map<std::string, std::string> kNames = {
      {"epoch", ""},      {"update", ""},         {"num_updates", ""},    {"wall", ""},
      {"train_wall", ""}, {"gnorm", "grad_norm"}, {"wps", "tokens_per_s"}};
  const auto known = kNames.find(key);
  return known == kNames.end() ? key : known->second;
}

// One line as it is understood, whichever way it was written.
struct FairseqLine {
  std::string part;  // "" of train_inner; train, valid, or whatever a subset is called
  std::vector<std::pair<std::string, double>> values;  // keys without the part
  std::optional<double> step, epoch, wall;
};

// {"epoch": 1, "valid_loss": "4.1", "valid_num_updates": "20"}: X_num_updates names the subset X.
std::optional<FairseqLine> jsonLine(const Json& json) {
  FairseqLine line;
  for (const auto& [key, value] : json.items()) {
    (void)value;
    if (key == kUpdates) {
      line.part.clear();
      break;
    }
    if (key.size() > kUpdates.size() + 1 && key.ends_with("_" + std::string(kUpdates)))
      line.part = key.substr(0, key.size() - kUpdates.size() - 1);
  }
  const std::string begin = line.part.empty() ? "" : line.part + "_";
  for (const auto& [key, value] : json.items()) {
    const std::optional<double> number = value.is_number()   ? std::optional(value.get<double>())
                                         : value.is_string() ? wordNumber(value.get_ref<const std::string&>())
                                                             : std::nullopt;
    if (!number) continue;
    const std::string bare = key.starts_with(begin) ? key.substr(begin.size()) : key;
    if (bare == kUpdates)
      line.step = *number;
    else if (bare == "epoch")
      line.epoch = *number;
    else if (bare == "wall")
      line.wall = *number;
    else if (bare != "update" && bare != "train_wall")
      line.values.emplace_back(bare, *number);
  }
  return line.step ? std::optional(line) : std::nullopt;
}

void takePair(FairseqLine& line, std::string_view key, std::string_view text) {
  const auto number = wordNumber(text);
  if (!number || key.empty()) return;
  if (key == kUpdates)
    line.step = *number;
  else if (key == "wall")
    line.wall = *number;
  else if (key != "train_wall" && key != "epoch")
    line.values.emplace_back(std::string(key), *number);
}

// "epoch 001:     20 / 100 loss=4.1, num_updates=20" while training; "epoch 001 | valid on 'valid' subset |
// loss 4.1 | num_updates 20" at its end, where the column before it names the part.
std::optional<FairseqLine> simpleLine(std::string_view text) {
  const std::size_t at = text.find("| epoch ");
  if (at == std::string_view::npos || text.find(kUpdates, at) == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, at), rest = text.substr(at + 8);
  FairseqLine line;
  const std::size_t digits = rest.find_first_not_of("0123456789");
  line.epoch = wordNumber(rest.substr(0, digits));
  if (digits < rest.size() && rest[digits] == ':') {
    for (const std::string_view item : splitAt(rest.substr(digits + 1), ',')) {
      const std::size_t equals = item.find('=');
      if (equals == std::string_view::npos) continue;
      const std::string_view key = trimmed(item.substr(0, equals));
      const std::size_t blank = key.find_last_of(' ');  // "20 / 100 loss"
      takePair(line, blank == std::string_view::npos ? key : key.substr(blank + 1),
               trimmed(item.substr(equals + 1)));
    }
    return line.step ? std::optional(line) : std::nullopt;
  }
  line.part = "train";
  const auto columns = splitAt(before, '|');
  for (auto column = columns.rbegin(); column != columns.rend(); ++column)
    if (const std::string_view name = trimmed(*column); !name.empty()) {
      if (columns.size() >= 3) line.part = std::string(name);
      break;
    }
  for (const std::string_view column : splitAt(rest.substr(std::min(digits, rest.size())), '|')) {
    const std::string_view item = trimmed(column);
    if (constexpr std::string_view kOn = "valid on '"; item.starts_with(kOn)) {
      line.part = std::string(item.substr(kOn.size(), item.find('\'', kOn.size()) - kOn.size()));
      continue;
    }
    const std::size_t blank = item.find(' ');
    if (blank != std::string_view::npos)
      takePair(line, item.substr(0, blank), trimmed(item.substr(blank + 1)));
  }
  return line.step ? std::optional(line) : std::nullopt;
}

class FairseqSource : public ImportSource {
 public:
  FairseqSource(const std::string& path, const Json& state) : m_file(path), m_points(path) {
    if (state.is_null()) return;
    m_file.restore(memberObject(state, "file"));
    m_points.restore(memberObject(state, "points"));
    m_options.add("", memberObject(state, "options"));
    m_lastTime = memberReal(state, "last_time", kNaN);
    m_lastStep = memberReal(state, "last_step", kNaN);
    m_stamped = memberFlag(state, "stamped", false);
    m_again = memberFlag(state, "again", false);
    m_bad = memberInteger(state, "bad");
    for (const Json& name : memberList(state, "evaluations")) m_evaluations.insert(name.get<std::string>());
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    const GrownFile::Change change = m_file.look();
    if (change == GrownFile::Change::Replaced) {
      m_file.startOver();
      m_points.beginAnew();
    }
    if (change == GrownFile::Change::Same || change == GrownFile::Change::Gone) return SourceState::Later;
    FATHOM_CHECK(
        m_file.lines(stop, false, kLongestLine, [this](std::string_view line) { return this->line(line); }));
    return give(take) ? Result<SourceState>(SourceState::Later) : Result<SourceState>(m_failed.error());
  }

  Status close(const ImportSink& take) override {
    if (m_file.look() != GrownFile::Change::Gone)
      FATHOM_CHECK(m_file.lines(StopToken(), true, kLongestLine,
                                [this](std::string_view line) { return this->line(line); }));
    return give(take) ? Status() : m_failed;
  }

  Json state() const override {
    std::vector<Phrase> ignored;
    return {{"file", m_file.state()},
            {"points", m_points.state()},
            {"options", m_options.finish(ignored)},
            {"last_time", jsonReal(m_lastTime)},
            {"last_step", jsonReal(m_lastStep)},
            {"stamped", m_stamped},
            {"again", m_again},
            {"bad", m_bad},
            {"evaluations", m_evaluations}};
  }

 private:
  bool give(const ImportSink& take) {
    ImportedRun run;
    run.format = "fairseq";
    if (m_bad > 0) run.warnings.push_back(Phrase::tr("%1 damaged lines skipped")(m_bad));
    if (m_file.leftOut() > 0)
      run.warnings.push_back(Phrase::tr("%1 lines over 2 MB skipped")(m_file.leftOut()));
    m_points.giveTo(run);
    run.options = m_options.finish(run.warnings);
    run.evaluations = m_evaluations;
    if (m_points.empty() && run.options.empty()) return true;
    m_failed = take(std::move(run));
    return m_failed.ok();
  }

  // "2020-05-04 12:00:01 | INFO | …", "[2021-06-09 14:21:02,006][train][INFO] - …", taken as UTC.
  void readStamp(std::string_view line) {
    if (line.starts_with('[')) line.remove_prefix(1);
    const std::size_t length = line.size() > 19 && line[19] == ',' ? 23 : 19;
    const double time = line.size() < 19 ? kNaN : isoSeconds(line.substr(0, length));
    if (std::isnan(time)) return;
    m_lastTime = time;
    m_stamped = true;
  }

  Status line(std::string_view text) {
    readStamp(text);
    const std::size_t brace = text.find('{');
    if (text.find(kUpdates) == std::string_view::npos) return readWords(text, brace);
    std::optional<FairseqLine> line = simpleLine(text);
    if (!line && brace != std::string_view::npos) {
      const auto json =
          parseJson(text.substr(brace, text.rfind('}') - brace + 1), {}, {8, kLongestLine, true});
      if (json.ok() && json->is_object())
        line = jsonLine(*json);
      else if (text.find('"', brace) == brace + 1)
        ++m_bad;  // a line of its own that is cut; anything else is none
      else
        return readWords(text, brace);
    }
    return line ? add(*line) : Status();
  }

  Status add(const FairseqLine& line) {
    // `wall` counts from the start of the process and is on most lines; the stamp says what it misses.
    if (!m_stamped && line.wall)
      m_lastTime = std::isnan(m_lastTime) ? *line.wall : std::fmax(m_lastTime, *line.wall);
    if (m_again && *line.step <= m_lastStep) {
      m_points.beginAttempt();
      m_points.giveWay({}, *line.step);
    }
    m_again = false;
    m_lastStep = std::isnan(m_lastStep) ? *line.step : std::max(m_lastStep, *line.step);
    for (const auto& [key, value] : line.values) {
      const std::string bare = plainName(key);
      if (bare.empty()) continue;
      const std::string metric =
          line.part.empty() || line.part == "train_inner" ? bare : line.part + "." + key;
      if (metric != bare && line.part != "train") m_evaluations.insert(metric);
      FATHOM_CHECK(m_points.add(
          metric, {.step = *line.step, .time = m_lastTime, .epoch = line.epoch.value_or(kNaN)}, value));
    }
    return {};
  }

  // The words it prints at its start: Namespace(…) of its first years, {'_name': None, 'common': {…}, …}
  // since; and where it goes on, "loaded checkpoint … (epoch 3 @ 40 updates)".
  Status readWords(std::string_view text, std::size_t brace) {
    const std::size_t names = text.find("Namespace(");
    ImportedOptions options;
    const bool printed = names != std::string_view::npos && (names < brace)
                             ? readPythonOptions(text.substr(names), options)
                             : brace != std::string_view::npos && text.compare(brace, 8, "{'_name'") == 0 &&
                                   readPythonOptions(text.substr(brace), options);
    if (printed) {
      m_again = !m_points.empty();
      if (m_options.empty()) m_options = options;
    }
    const std::size_t loaded = text.find("oaded checkpoint ");
    const std::size_t at = loaded == std::string_view::npos ? loaded : text.find(" @ ", loaded);
    if (at == std::string_view::npos) return {};
    const std::string_view number = text.substr(at + 3, text.find(' ', at + 3) - at - 3);
    const auto updates = numberFrom<std::int64_t>(number);
    if (!updates || m_points.empty() || static_cast<double>(*updates) >= m_lastStep) return {};
    m_points.beginAttempt();
    m_points.giveWay({}, static_cast<double>(*updates) + 1);
    m_lastStep = static_cast<double>(*updates);
    m_again = false;
    if (!m_stamped) m_lastTime = kNaN;
    return {};
  }

  GrownFile m_file;
  ImportedPoints m_points;
  ImportedOptions m_options;
  std::set<std::string> m_evaluations;
  double m_lastTime = kNaN, m_lastStep = kNaN;
  bool m_stamped = false, m_again = false;
  std::int64_t m_bad = 0;
  Status m_failed;
};

// Lines of its logger, or JSON that may be bare ones.
Claim fairseqClaim(const SourceLook& look) {
  if (look.folder || look.head.find('\0') != std::string::npos) return Claim::No;
  if (look.head.starts_with("Namespace(")) return Claim::Yes;
  const bool says = look.head.find("num_updates\"") != std::string::npos ||
                    look.head.find("num_updates=") != std::string::npos ||
                    look.head.find("| INFO |") != std::string::npos ||
                    look.head.find("fairseq") != std::string::npos;
  if (!says) return Claim::No;
  return look.head.find(kUpdates) != std::string::npos || look.head.find("| INFO |") != std::string::npos
             ? Claim::Yes
             : Claim::Perhaps;
}

}  // namespace

// Output of fairseq-train, with or without the time stamps of its logger. The options it prints at its start
// are kept.
ImportEntry fairseqRunEntry() {
  return {.id = "fairseq",
          .title = "fairseq",
          .claims = fairseqClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return std::unique_ptr<ImportSource>(new FairseqSource(path, options.state));
          }};
}

}  // namespace fathom
