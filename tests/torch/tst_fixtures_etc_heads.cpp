// SPDX-License-Identifier: Apache-2.0
// Inputs of the four tasks of long documents: relation ids and masks exactly, the heads' logits, losses with
// and without padding, and gradients in float64.
#include <QTest>

#include "core/nn/heads/etc_heads.h"
#include "core/tasks/long_text/long_layout.h"
#include "tests/torch/support_long_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

// The examples of a case: lists of ids.
std::vector<Json> examplesOf(const TensorCase& one) {
  const Json& expected = one.json.at("expected");
  if (expected.contains("features")) return {expected.at("features")};
  return (expected.contains("windows") ? expected.at("windows") : expected.at("examples"))
      .get<std::vector<Json>>();
}

torch::Tensor rowsOf(const std::vector<Json>& examples, const char* name) {
  std::vector<torch::Tensor> rows;
  for (const Json& one : examples) {
    const auto length =
        one.at(std::string(name).starts_with("global") ? "global_token_ids" : "long_token_ids").size();
    const auto values = one.contains(name) ? one.at(name).get<std::vector<std::int64_t>>()
                                           : std::vector<std::int64_t>(length, -1);
    rows.push_back(at::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64));
  }
  return at::stack(rows);
}

torch::Tensor contexts(const std::vector<Json>& examples, const char* breaks) {
  std::vector<torch::Tensor> rows;
  for (const Json& one : examples) {
    const auto list = one.at(breaks).get<std::vector<std::int32_t>>();
    rows.push_back(at::tensor(at::ArrayRef<std::int32_t>(contextsOf(list, list.size())), torch::kInt32));
  }
  return at::stack(rows);
}

LongStructure structureOf(const TensorCase& one) {
  const std::vector<Json> examples = examplesOf(one);
  const auto places = [&](const char* name) { return rowsOf(examples, name).to(torch::kInt32).contiguous(); };
  LongStructure s;
  s.sentence = places("long_sentence_ids");
  s.paragraph = places("long_paragraph_ids");
  s.link = places("l2g_linked_ids");
  s.context = contexts(examples, "long_breakpoints");
  s.globalContext = contexts(examples, "global_breakpoints");
  s.everything = everythingOf(places("global_kinds"), one.json.at("config").at("everything_kinds"));
  return s;
}

torch::Tensor leafOf(const TensorCase& one, const char* name) {
  return one.at(name).clone().requires_grad_();
}

// A convolution is stored [n, in, out], ours is a map [out, n in].
torch::Tensor ownLayout(const std::string& name, const torch::Tensor& value) {
  return name.ends_with("convolution.weight") ? value.permute({2, 0, 1}).flatten(1, 2) : value;
}

void loadHead(const TensorCase& one, ParameterStore& store) {
  std::map<std::string, torch::Tensor> values;
  for (const auto& [name, value] : one.beginning("parameter."))
    if (store.find(name) != nullptr) values[name] = ownLayout(name, value);
  store.load(values).value();
}

void compareOne(const TensorCase& one, const std::string& key, const torch::Tensor& own) {
  const Json& tolerance = one.json.at("tolerance");
  const torch::Tensor& wanted = one.at(key);
  const std::string wrong = difference(own.reshape(wanted.sizes()), wanted, tolerance.at("abs").get<double>(),
                                       tolerance.at("rel").get<double>());
  QVERIFY2(wrong.empty(), (key + ": " + wrong).c_str());
}

// Gradients of a loss with respect to the head's parameters and its inputs.
void compareSlopes(const TensorCase& one, const std::string& word, const torch::Tensor& loss,
                   ParameterStore& store, const std::map<std::string, torch::Tensor>& inputs) {
  store.zeroGradients();
  for (const auto& [name, leaf] : inputs) leaf.mutable_grad() = torch::Tensor();
  loss.backward({}, true);
  const Json& tolerance = one.json.at("tolerance");
  for (const auto& [name, wanted] : one.beginning(word + ".")) {
    const auto input = inputs.find(name);
    torch::Tensor own = input != inputs.end() ? input->second.grad() : torch::Tensor();
    if (input == inputs.end() && store.find(name) != nullptr) own = store.gradient(name);
    if (!own.defined()) own = at::zeros_like(ownLayout(name, wanted));  // not part of this loss
    const std::string wrong =
        difference(own, ownLayout(name, wanted), tolerance.at("gradients_abs").get<double>(),
                   tolerance.at("gradients_rel").get<double>());
    QVERIFY2(wrong.empty(), (word + "." + name + ": " + wrong).c_str());
  }
}

const auto kExact = torch::TensorOptions().dtype(torch::kFloat64);

}  // namespace

class TestFixturesEtcHeads : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    const std::string why = absence({"etc_inputs"});
    if (!why.empty()) QSKIP(why.c_str());
  }

  void everyCase_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const Case& place : cases("etc_inputs")) {
      if (!place.file(".safetensors").empty()) QTest::newRow(place.name.c_str()) << index;
      ++index;
    }
  }

  void everyCase() {
    QFETCH(int, index);
    const TensorCase one = readCase(cases("etc_inputs").at(static_cast<std::size_t>(index)));
    comparePieces(one);
    const std::string task = one.json.at("config").at("task").get<std::string>();
    if (task == "wikihop") return wikiHop(one);
    if (task == "hotpotqa") return hotpot(one);
    if (task == "natural_questions") return naturalQuestions(one);
    if (task == "openkp") return openKp(one);
    QFAIL(("unknown task " + task).c_str());
  }

  void everyArrayIsRead() {
    const std::string left =
        unreadArrays("etc_inputs", [](const Json& json) { return json.contains("tensors"); });
    QVERIFY2(left.empty(), left.c_str());
  }

 private:
  static void comparePieces(const TensorCase& one) {
    const Json& c = one.json.at("config");
    GlobalLocalRules rules;
    rules.radius = c.at("local_radius").get<std::int64_t>();
    rules.ids.distance = c.at("max_distance").get<std::int64_t>();
    rules.hardGlobal = c.at("hard_g2l").get<bool>();
    comparePiecesOf(one, relationPieces(structureOf(one), rules));
  }

  static std::int64_t width(const TensorCase& one) {
    return one.json.at("config").at("d_model").get<std::int64_t>();
  }

  static void wikiHop(const TensorCase& one) {
    const std::vector<Json> examples = examplesOf(one);
    const torch::Tensor candidates = rowsOf(examples, "global_kinds").eq(3);
    std::vector<std::int64_t> labels;
    for (const Json& example : examples) labels.push_back(example.at("label").get<std::int64_t>());
    const torch::Tensor targets = at::tensor(at::ArrayRef<std::int64_t>(labels), torch::kInt64);
    for (const bool block : {false, true}) {
      ParameterStore store(kExact);
      const CandidateHead head(store, width(one),
                               block ? one.json.at("config").at("feed_forward").get<std::int64_t>() : 0,
                               Activation::GeluTanh, one.json.at("config").at("eps").get<double>());
      loadHead(one, store);
      const torch::Tensor globals = leafOf(one, "input.global");
      const torch::Tensor logits = head.logits(globals, candidates), loss = placeLoss(logits, targets);
      const std::string end = block ? "_with_block" : "";
      compareOne(one, "output.logits" + end, logits);
      compareOne(one, "output.loss" + end, loss);
      const auto rows = static_cast<double>(labels.size());
      compareOne(one, "output.loss" + end + "_released", loss * (rows / (rows + 1e-5)));
      compareSlopes(one, "gradient" + end, loss, store, {{"input.global", globals}});
    }
  }

  static void hotpot(const TensorCase& one) {
    const std::vector<Json> examples = examplesOf(one);
    ParameterStore store(kExact);
    const HotpotHead head(store, width(one));
    loadHead(one, store);
    const torch::Tensor longs = leafOf(one, "input.long"), globals = leafOf(one, "input.global");
    const HotpotHeadLogits logits = head.logits(longs, globals);
    compareOne(one, "output.supporting_logits", logits.supporting);
    compareOne(one, "output.answer_type_logits", logits.type);
    compareOne(one, "output.begin_logits", logits.begin);
    compareOne(one, "output.end_logits", logits.end);
    std::vector<std::int64_t> begin, end, type;
    for (const Json& example : examples) {
      begin.push_back(example.at("answer_span")[0].get<std::int64_t>());
      end.push_back(example.at("answer_span")[1].get<std::int64_t>());
      type.push_back(example.at("answer_type").get<std::int64_t>());
    }
    const auto used = one.json.at("expected").at("used_in_training").get<std::vector<std::int64_t>>();
    const torch::Tensor chosen = at::tensor(at::ArrayRef<std::int64_t>(used), torch::kInt64);
    const auto of = [&](const torch::Tensor& all) { return all.index_select(0, chosen); };
    const auto ids = [&](const std::vector<std::int64_t>& list) {
      return of(at::tensor(at::ArrayRef<std::int64_t>(list), torch::kInt64));
    };
    const LongStructure s = structureOf(one);
    for (const bool masked : {false, true}) {
      const torch::Tensor longHidden = masked ? of(s.context.eq(0)) : torch::Tensor();
      const torch::Tensor globalHidden = masked ? of(s.globalContext.eq(0)) : torch::Tensor();
      const torch::Tensor losses = at::stack(
          {supportLoss(of(logits.supporting), of(rowsOf(examples, "supporting_facts")), globalHidden),
           placeLoss(of(logits.type), ids(type)), placeLoss(of(logits.begin), ids(begin), longHidden),
           placeLoss(of(logits.end), ids(end), longHidden)});
      const std::string word = masked ? "_masked" : "";
      compareOne(one, "output.losses" + word, losses);
      compareOne(one, "output.loss" + word, losses.mean());
      compareSlopes(one, "gradient" + word, losses.mean(), store,
                    {{"input.long", longs}, {"input.global", globals}});
    }
  }

  static void naturalQuestions(const TensorCase& one) {
    const std::vector<Json> examples = examplesOf(one);
    ParameterStore store(kExact);
    const NqHead head(store, width(one));
    loadHead(one, store);
    const torch::Tensor longs = leafOf(one, "input.long");
    const NqHeadLogits logits = head.logits(longs);
    compareOne(one, "output.position_logits", logits.positions);
    compareOne(one, "output.answer_type_logits", logits.type);
    const LongStructure s = structureOf(one);
    const auto targets = [&](const char* name) {
      std::vector<std::int64_t> list;
      for (const Json& example : examples) list.push_back(example.at(name).get<std::int64_t>());
      return at::tensor(at::ArrayRef<std::int64_t>(list), torch::kInt64);
    };
    for (const bool masked : {false, true}) {
      std::vector<torch::Tensor> losses;
      const char* const names[] = {"sa_start", "sa_end", "la_start", "la_end"};
      for (std::int64_t k = 0; k < 4; ++k)
        losses.push_back(placeLoss(logits.positions.select(2, k), targets(names[k]),
                                   masked ? s.context.eq(0) : torch::Tensor()));
      losses.push_back(placeLoss(logits.type, targets("answer_type")));
      const torch::Tensor all = at::stack(losses);
      const std::string word = masked ? "_masked" : "";
      compareOne(one, "output.losses" + word, all);
      compareOne(one, "output.loss" + word, all.mean());
      compareSlopes(one, "gradient" + word, all.mean(), store, {{"input.long", longs}});
    }
  }

  static void openKp(const TensorCase& one) {
    const Json& c = one.json.at("config");
    ParameterStore store(kExact);
    const PhraseHead head(store, width(one), c.at("max_phrase").get<std::int64_t>(), Activation::GeluTanh,
                          c.at("eps").get<double>());
    loadHead(one, store);
    const torch::Tensor longs = leafOf(one, "input.long");
    const auto count = static_cast<std::int64_t>(one.json.at("expected").at("words").size());
    const torch::Tensor logits =
        head.logits(longs, rowsOf(examplesOf(one), "long_word"), at::full({1}, count, torch::kInt64));
    compareOne(one, "output.logits", logits);
    const torch::Tensor loss = -(logits.flatten().log_softmax(0) * one.at("input.target").flatten()).sum();
    compareOne(one, "output.loss", loss);
    compareSlopes(one, "gradient", loss, store, {{"input.long", longs}});
    QVERIFY(one.at("output.visual").abs().max().item<double>() <= 1);  // exactly: tst_fixtures_etc_inputs
  }
};

QTEST_APPLESS_MAIN(TestFixturesEtcHeads)
#include "tst_fixtures_etc_heads.moc"
