// SPDX-License-Identifier: Apache-2.0
#include "core/train/state/stored_predictions.h"

#include "core/base/options/decoding_keys.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// Other options begin with "validation.", too: those of a decoding are the ones a prediction has as well.
Json decodingOf(const OptionValues& options, std::string_view decoding) {
  const std::string beginning = std::string(kPredictDecoding) + ".";
  Json json = Json::object();
  for (const OptionField& field : options.schema().fields()) {
    if (!field.key.starts_with(beginning)) continue;
    const std::string key = std::string(decoding) + "." + field.key.substr(beginning.size());
    if (options.schema().find(key) != nullptr && options.active(key)) json[key] = options.value(key);
  }
  return json;
}

PredictionSet predictionSetOf(const std::string& runPath, const TaskEntry& task, const OptionValues& options,
                              std::string_view decoding) {
  PredictionSet set;
  if (const auto identity = RunFolder(runPath).identity()) set.run = identity->uuid;
  set.task = task.id;
  set.decoding = decodingOf(options, decoding);
  set.fields = roleFields(task.texts);
  return set;
}

Result<std::string> keepPredictions(const std::string& runPath, PredictionSet set, const Task& task,
                                    DataSplit split, const std::vector<Prediction>& predictions) {
  set.split = dataSplitName(split);
  FATHOM_TRY(PredictionSetWriter writer, PredictionSetWriter::create(runPath, std::move(set)));
  for (const Prediction& prediction : predictions) {
    Json line;
    line["example"] = prediction.example.value;
    if (const std::int64_t row = task.fileRow(split, prediction.example); row != prediction.example.value)
      line["row"] = row;
    for (const auto& [name, value] : task.exampleTexts(split, prediction.example)) line[name] = value;
    line["prediction"] = prediction.text;
    line["score"] = jsonReal(prediction.score);
    if (!prediction.details.is_null()) line["details"] = prediction.details;
    FATHOM_CHECK(writer.add(line));
  }
  FATHOM_CHECK(writer.finish());
  return writer.set().path;
}

}  // namespace fathom
