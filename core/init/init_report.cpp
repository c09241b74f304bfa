// SPDX-License-Identifier: Apache-2.0
#include "core/init/init_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/nn/build_watch.h"

namespace fathom {

namespace {

// Standard deviation of a normal distribution cut at two deviations, in units of its own.
constexpr double kTruncatedAtTwo = 0.8796256610342398;

// LookLinear's note: values move, their deviation stays.
constexpr const char* kMirrored = "mirrored halves";

struct Filled {
  std::string rule = "constant";
  double base = 0;
  double factor = 1;
};

// Standard deviation a filling rule aims at; nothing for a note that scales.
std::optional<double> baseDeviation(const std::string& rule, double value) {
  if (rule == "uniform") return value / std::sqrt(3.0);
  if (rule == "normal") return value;
  if (rule == "truncated normal") return value * kTruncatedAtTwo;
  return std::nullopt;
}

// Notes in order: a filling starts anew, everything else multiplies.
void collect(const Json& notes, std::map<std::string, Filled>& filled) {
  for (const Json& note : notes) {
    if (!note.contains("name") || !note.contains("rule") || !note.contains("value")) continue;
    const auto value = realFromJson(note["value"]);
    if (!value.ok()) continue;
    const std::string rule = note["rule"].get<std::string>();
    Filled& entry = filled[note["name"].get<std::string>()];
    if (rule == kMirrored) {
      entry.rule += std::string(", ") + kMirrored;
    } else if (const auto base = baseDeviation(rule, *value)) {
      entry = {rule, *base, 1};
    } else {
      entry.factor *= *value;
    }
  }
}

std::string shapeText(const Json& shape) {
  return joined(shape, "x", [](const Json& size) { return size.dump(); });
}

std::string numberText(const Json& value) {
  return formatted("%.4g", realFromJson(value).value());
}

std::string alignedText(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::size_t> widths(cells.front().size(), 0);
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += line[i];
      if (i + 1 < line.size()) text.append(widths[i] - line[i].size() + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

// Parameters that pre-trained weights replaced: all but the names the report says were kept.
std::set<std::string> replacedNames(const Model& model, const Json& report) {
  std::set<std::string> replaced;
  if (!report.contains("kept")) return replaced;
  for (const Parameter& parameter : model.parameters().parameters()) replaced.insert(parameter.info.name);
  for (const Json& name : report["kept"]) replaced.erase(name.get<std::string>());
  return replaced;
}

// The tensor of the pre-trained weights that a parameter was made of, null where the report does not say.
Json sourceOf(const Json& report, const std::string& name) {
  if (!report.contains("weights")) return {};
  const Json& sources = report["weights"].at("sources");
  return sources.contains(name) && !sources[name].get<std::string>().empty() ? sources[name] : Json();
}

// Sentence on the weights that nobody took; empty where there were none.
std::string weightsText(const Json& weights) {
  if (!weights.is_object()) return {};
  std::string text = "\npre-trained weights: " + weights.at("from").get<std::string>();
  if (weights.contains("checkpoint")) text += ", checkpoint " + weights["checkpoint"].get<std::string>();
  const Json& unused = weights.at("unused");
  if (!unused.empty())
    text += "\nnot taken: " + joined(unused, ", ", [](const Json& name) { return name.get<std::string>(); });
  return text + "\n";
}

// Sentence on the data that a pass looked at; empty where there was none.
std::string measuredText(const Json& measured) {
  if (!measured.is_object()) return {};
  const Json &examples = measured.at("examples"), &all = measured.at("of");
  std::string text = "\nmeasured on " + examples.dump() + " of " + all.dump() + " training examples";
  if (measured.at("batches") != measured.at("of_batches"))
    text += ", the first of an order drawn with seed " + measured.at("seed").dump();
  return text + "\n";
}

}  // namespace

Json initRows(const Model& model, const Json& report) {
  std::map<std::string, Filled> filled;
  for (const char* part : {"tensors", "profile"}) {
    if (report.contains(part)) collect(report[part], filled);
  }
  const std::set<std::string> replaced = replacedNames(model, report);
  Json rows = Json::array();
  for (const Parameter& parameter : model.parameters().parameters()) {
    const at::NoGradGuard noGrad;
    const torch::Tensor value = model.parameters().value(parameter).detach().to(torch::kFloat64);
    const bool given = replaced.count(parameter.info.name) != 0;
    const Filled entry = given ? Filled{"pre-trained weights", 0, 1} : filled[parameter.info.name];
    Json row;
    row["name"] = parameter.info.name;
    row["shape"] = value.sizes().vec();
    row["rule"] = entry.rule;
    row["base_std"] = jsonReal(entry.base);
    row["factor"] = jsonReal(entry.factor);
    const double mean = value.mean().item<double>();
    row["std"] = jsonReal(std::sqrt((value - mean).square().mean().item<double>()));
    row["mean"] = jsonReal(mean);
    const Json source = given ? sourceOf(report, parameter.info.name) : Json();
    if (!source.is_null()) row["source"] = source;
    rows.push_back(std::move(row));
    BuildWatch::passed(value.numel());
  }
  return rows;
}

std::string initTable(const Json& report) {
  std::vector<std::vector<std::string>> cells = {
      {"name", "shape", "rule", "base std", "factor", "std", "mean"}};
  const Json& rows = report.at("rows");
  // A column of its own where something came under another name: otherwise there is nothing to tell.
  const bool lifted = std::any_of(rows.begin(), rows.end(), [](const Json& row) {
    return row.contains("source") && row["source"] != row.at("name");
  });
  if (lifted) cells.front().emplace_back("from");
  for (const Json& row : rows) {
    cells.push_back({row.at("name").get<std::string>(), shapeText(row.at("shape")),
                     row.at("rule").get<std::string>(), numberText(row.at("base_std")),
                     numberText(row.at("factor")), numberText(row.at("std")), numberText(row.at("mean"))});
    if (lifted) cells.back().push_back(row.value("source", ""));
  }
  std::string text = alignedText(cells);
  cells = {{"measured", "rule", "value", "factor"}};
  for (const Json& item : report.value("profile", Json::array())) {
    if (!item.contains("stack")) continue;  // scaling of a parameter, which stands above
    cells.push_back({item.at("name").get<std::string>(), item.at("rule").get<std::string>(),
                     numberText(item.at("value")),
                     item.contains("factor") ? numberText(item["factor"]) : std::string()});
  }
  if (cells.size() > 1) text += "\n" + alignedText(cells);
  return text + weightsText(report.value("weights", Json())) +
         measuredText(report.value("measured_on", Json()));
}

}  // namespace fathom
