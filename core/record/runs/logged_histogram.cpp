// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/logged_histogram.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/lines/line_cutter.h"
#include "core/base/numbers/not_a_number.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr std::size_t kLongestHistogram = std::size_t{4} << 20, kPiece = std::size_t{1} << 18;

std::vector<double> realsOf(const Json& json, const char* key) {
  std::vector<double> values;
  for (const Json& value : memberList(json, key)) values.push_back(realOr(value, kNaN));
  return values;
}

// TensorBoard's outermost buckets reach to the largest number there is, or begin above their end.
bool tidy(LoggedHistogram& histogram) {
  constexpr double kNoEdge = 1e300;
  std::vector<double>& edges = histogram.edges;
  if (histogram.counts.empty() || edges.size() != histogram.counts.size() + 1) return false;
  for (double& count : histogram.counts)
    if (!(count >= 0) || std::isinf(count)) return false;
  const auto stands = [](double edge) { return std::isfinite(edge) && std::abs(edge) < kNoEdge; };
  if (!stands(edges.back())) edges.back() = edges[edges.size() - 2];
  if (!stands(edges.front())) edges.front() = edges[1];
  edges.front() = std::min(edges.front(), edges[1]);
  return std::all_of(edges.begin(), edges.end(), stands) && std::is_sorted(edges.begin(), edges.end());
}

std::optional<std::pair<std::string, LoggedHistogram>> histogramIn(const LineCutter::Line& line) {
  if (line.tooLong) return std::nullopt;
  const auto json = parseJson(line.text, {}, {8, kLongestHistogram, true});
  if (!json.ok() || !json->is_object()) return std::nullopt;
  LoggedHistogram histogram{memberReal(*json, "step", kNaN), realsOf(*json, "edges"),
                            realsOf(*json, "counts")};
  if (!std::isfinite(histogram.step) || !tidy(histogram)) return std::nullopt;
  return std::pair(memberText(*json, "tag"), std::move(histogram));
}

}  // namespace

Result<LoggedHistograms> loggedHistograms(const std::string& runPath, const std::string& tag) {
  LoggedHistograms found;
  found.tag = tag;
  const std::string path = RunFolder(runPath).artifactsPath() + "/histograms.jsonl";
  if (!fileExists(path)) return found;
  FATHOM_TRY(const RegularFile file, RegularFile::open(path));
  std::map<double, LoggedHistogram> states;
  const auto take = [&](const LineCutter::Line& line) {
    auto one = histogramIn(line);
    if (!one) {
      ++found.badLines;
      return;
    }
    auto& [name, histogram] = *one;
    if (std::find(found.tags.begin(), found.tags.end(), name) == found.tags.end()) found.tags.push_back(name);
    if (found.tag.empty()) found.tag = name;
    if (name == found.tag) states.insert_or_assign(histogram.step, std::move(histogram));
  };
  LineCutter lines(kLongestHistogram);
  std::string buffer(kPiece, '\0');
  for (std::uint64_t at = 0;;) {
    FATHOM_TRY(const std::size_t count, file.readAt(at, buffer.data(), buffer.size()));
    if (count == 0) break;
    at += count;
    std::string_view rest(buffer.data(), count);
    for (LineCutter::Line line; lines.next(rest, line);) take(line);
  }
  for (auto& [step, histogram] : states) found.states.push_back(std::move(histogram));
  return found;
}

double quantileOf(const LoggedHistogram& histogram, double share) {
  const std::vector<double>&edges = histogram.edges, &counts = histogram.counts;
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (!(all > 0)) return kNaN;
  const double wanted = std::clamp(share, 0.0, 1.0) * all;
  double below = 0;
  double last = kNaN;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!(counts[i] > 0)) continue;
    const double part = std::clamp((wanted - below) / counts[i], 0.0, 1.0);
    last = edges[i] + part * (edges[i + 1] - edges[i]);
    below += counts[i];
    if (wanted <= below) break;
  }
  return last;
}

std::vector<double> densityOf(const LoggedHistogram& histogram) {
  const double all = std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0.0);
  std::vector<double> density;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const double width = histogram.edges[i + 1] - histogram.edges[i];
    density.push_back(width > 0 && all > 0 ? histogram.counts[i] / (width * all) : kNaN);
  }
  return density;
}

LoggedHistogram withoutSlivers(const LoggedHistogram& histogram, double share) {
  if (histogram.counts.empty()) return histogram;
  const double least = share * (histogram.edges.back() - histogram.edges.front());
  LoggedHistogram wide = {histogram.step, {histogram.edges.front()}, {}};
  double count = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    count += histogram.counts[i];
    if (histogram.edges[i + 1] - wide.edges.back() < least) continue;
    wide.edges.push_back(histogram.edges[i + 1]);
    wide.counts.push_back(count);
    count = 0;
  }
  // A last one that is too narrow belongs to the bucket before it.
  if (wide.counts.empty()) return histogram;
  wide.counts.back() += count;
  wide.edges.back() = histogram.edges.back();
  return wide;
}

}  // namespace fathom
