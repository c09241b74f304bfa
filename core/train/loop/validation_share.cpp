// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/validation_share.h"

#include <algorithm>
#include <utility>

#include "core/base/json/json.h"

namespace fathom {

namespace {

Json sumsToJson(const std::vector<JudgedBatch::Sum>& sums) {
  Json list = Json::array();
  for (const JudgedBatch::Sum& one : sums) list.push_back(Json::array({one.name, one.sum, one.count}));
  return list;
}

Json predictionsToJson(const std::vector<Prediction>& predictions) {
  Json list = Json::array();
  for (const Prediction& one : predictions)
    list.push_back(Json::array({one.example.value, one.ids, one.score, one.details}));
  return list;
}

JudgedBatch batchFromJson(Json& packed) {
  JudgedBatch judged;
  judged.batch = packed.at(0).get<std::int64_t>();
  judged.gold = packed.at(1).get<bool>();
  judged.loss = packed.at(2).get<double>();
  judged.units = packed.at(3).get<double>();
  for (const Json& one : packed.at(4))
    judged.sums.push_back({one.at(0).get<std::string>(), one.at(1).get<double>(), one.at(2).get<double>()});
  for (Json& one : packed.at(5)) {
    Prediction prediction;
    prediction.example = ExampleId(one.at(0).get<std::int64_t>());
    prediction.ids = one.at(1).get<std::vector<std::int64_t>>();
    prediction.score = one.at(2).get<double>();
    prediction.details = std::move(one.at(3));
    judged.predictions.push_back(std::move(prediction));
  }
  return judged;
}

}  // namespace

// CBOR keeps what JSON has no words for: values that are not finite.
std::string packedBatches(const std::vector<JudgedBatch>& batches) {
  Json list = Json::array();
  for (const JudgedBatch& judged : batches)
    list.push_back(Json::array({judged.batch, judged.gold, judged.loss, judged.units, sumsToJson(judged.sums),
                                predictionsToJson(judged.predictions)}));
  std::string bytes;
  Json::to_cbor(list, bytes);
  return bytes;
}

void unpackBatches(const std::string& bytes, std::vector<JudgedBatch>& batches) {
  Json list = Json::from_cbor(bytes);
  for (Json& packed : list) batches.push_back(batchFromJson(packed));
}

ValidationShare::ValidationShare(RankShare& ranks)
    : m_ranks(ranks), m_listener([&ranks] { ranks.listen(); }) {}

bool ValidationShare::mine(std::int64_t batch) {
  return m_ranks.mine(batch);
}

std::optional<std::vector<JudgedBatch>> ValidationShare::meet(std::optional<std::vector<JudgedBatch>> mine) {
  const std::string own = mine ? packedBatches(*mine) : std::string();
  const std::vector<std::string> all = m_ranks.meetBehind(own, mine.has_value());
  if (!m_ranks.first()) return std::nullopt;
  std::vector<JudgedBatch> batches;
  for (const std::string& one : all) unpackBatches(one, batches);
  std::sort(batches.begin(), batches.end(),
            [](const JudgedBatch& a, const JudgedBatch& b) { return a.batch < b.batch; });
  return batches;
}

}  // namespace fathom
