// SPDX-License-Identifier: Apache-2.0
// Encoders with a head of a task, as transformers writes and computes them (tests/fixtures/
// make_encoder_exports.py): equal logits here, and the folder that is exported has its names, values and
// members of config.json.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/nn/models/bert.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/hugging_face_names.h"
#include "core/nn/pretrained/tensor_file.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

using Tensors = std::map<std::string, torch::Tensor>;
const std::string kExports = FATHOM_SOURCE_DIR "/tests/fixtures/encoders/exports/";

// Where their heads have what ours have, told apart from the exporter's own table.
struct Renamed {
  const char *kind, *theirs, *ours;
};
constexpr Renamed kRenamed[] = {
    {"bert/ForSequenceClassification", "classifier.", "classification."},
    {"bert/ForRegression", "classifier.", "classification."},
    {"bert/ForQuestionAnswering", "qa_outputs.", "span."},
    {"bert/ForMultipleChoice", "classifier.", "multiple_choice."},
    {"roberta/ForSequenceClassification", "classifier.dense.", "pooler."},
    {"roberta/ForSequenceClassification", "classifier.out_proj.", "classification."},
    {"roberta/ForRegression", "classifier.dense.", "pooler."},
    {"roberta/ForRegression", "classifier.out_proj.", "classification."},
    {"roberta/ForQuestionAnswering", "qa_outputs.", "span."},
    {"roberta/ForMultipleChoice", "classifier.", "multiple_choice."}};

std::string ownName(const std::string& kind, const std::string& theirs) {
  for (const Renamed& one : kRenamed)
    if (kind == one.kind && theirs.starts_with(one.theirs))
      return one.ours + theirs.substr(std::string(one.theirs).size());
  return ownEncoderName(theirs.substr(theirs.find('.') + 1)).value_or("no name for " + theirs);
}

// A case of heads.json with its part of heads.safetensors, and our model of it.
struct HeadCase {
  Json about;
  std::string name;
  Tensors theirs;
  torch::Tensor ids, kinds, logits;
  OptionValues options = engineOptions();
  std::unique_ptr<Bert> model;

  bool roberta() const { return name.starts_with("roberta"); }
  ModelInputs inputs() const {
    return {{"vocabulary", 24},
            {"pad_id", about.at("config").at("pad_token_id").get<std::int64_t>()},
            {"number", name.ends_with("Regression") ? 1 : 0}};
  }
};

HeadCase caseOf(const std::string& name) {
  HeadCase one;
  one.name = name;
  const Json cases = readJson(kExports + "heads.json");
  for (const Json& about : cases)
    if (about.at("name") == name) one.about = about;
  const Tensors all = fathom::readTensors(kExports + "heads.safetensors").value();
  for (const auto& [key, tensor] : all)
    if (key.starts_with(name + "/")) one.theirs.emplace(key.substr(name.size() + 1), tensor);
  one.ids = all.at(name + ":ids");
  one.kinds = all.at(name + ":kinds");
  one.logits = all.at(name + ":logits");
  const std::string head = name.ends_with("Answering") ? "span"
                           : name.ends_with("Choice")  ? "multiple_choice"
                                                       : "classification";
  for (const std::string& assignment :
       {std::string("model=bert"), std::string("model.width=8"), std::string("model.heads=2"),
        std::string("model.feed_forward=12"), std::string("encoder.layers=2"),
        std::string("encoder.residual=post_ln"), std::string("model.activation=gelu_erf"),
        std::string("model.dropout=0.1"), "model.bert.head=" + head,
        std::string(one.roberta() ? "model.bert.positions=non_pad" : "model.bert.positions=row"),
        std::string(one.roberta() ? "model.bert.norm_eps=1e-5" : "model.bert.norm_eps=1e-12"),
        std::string(one.roberta() ? "model.bert.segments=1" : "model.bert.segments=2"),
        std::string(one.roberta() ? "model.bert.max_positions=22" : "model.bert.max_positions=20")})
    one.options.setText(assignment).value();
  if (head == "classification")
    one.options.setText(name.ends_with("Regression") ? "model.bert.classes=1" : "model.bert.classes=3")
        .value();
  one.model = std::make_unique<Bert>(bertConfiguration(one.options, one.inputs()), one.options,
                                     torch::TensorOptions(torch::kFloat32));
  const at::NoGradGuard noGrad;
  std::size_t filled = 0;
  for (const auto& [key, tensor] : one.theirs) {
    const Parameter* parameter = one.model->parameters().find(ownName(name, key));
    if (parameter == nullptr) throw Failure(internalError(name + ": no parameter for " + key));
    one.model->parameters().value(*parameter).copy_(tensor);
    ++filled;
  }
  if (filled != one.model->parameters().parameters().size())
    throw Failure(internalError(name + ": parameters that transformers has not"));
  return one;
}

EncoderExport exportOf(const HeadCase& one, bool head = true) {
  Tensors tensors;
  for (auto& [name, tensor] : one.model->parameters().state()) tensors.emplace(name, tensor);
  const bool classes = one.name.ends_with("Classification");
  return {one.options,
          one.inputs(),
          std::move(tensors),
          {},
          head,
          classes ? std::vector<std::string>{"contradiction", "entailment", "neutral"}
                  : std::vector<std::string>{}};
}

}  // namespace

class TestEncoderHeads : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sameLogitsAndNames_data() {
    QTest::addColumn<QString>("name");
    for (const char* family : {"bert/", "roberta/"})
      for (const char* head :
           {"ForSequenceClassification", "ForRegression", "ForQuestionAnswering", "ForMultipleChoice"})
        QTest::newRow(head) << QString::fromLatin1(family) + QString::fromLatin1(head);
  }
  void sameLogitsAndNames() {
    QFETCH(QString, name);
    const HeadCase one = caseOf(name.toStdString());
    const at::NoGradGuard noGrad;
    const torch::Tensor padding = one.ids.eq(one.about.at("config").at("pad_token_id").get<std::int64_t>());
    const torch::Tensor logits =
        one.model->taskLogits(one.model->hidden({one.ids, one.kinds, padding}, {}), {});
    // A span at a padded place is nobody's answer: what stands there depends on how padding is computed.
    const torch::Tensor real = name.endsWith(QLatin1String("Answering"))
                                   ? padding.logical_not().unsqueeze(2)
                                   : at::ones_like(one.logits, torch::kBool);
    const double apart = (logits - one.logits).masked_fill(real.logical_not(), 0).abs().max().item<double>();
    QVERIFY2(apart < 1e-5, std::to_string(apart).c_str());

    const std::string out = place(name);
    const EncoderExport encoder = exportOf(one);
    writeHuggingFaceEncoder(encoder, out).value();
    const Tensors ours = fathom::readTensors(out + "/model.safetensors").value();
    QCOMPARE(ours.size(), one.theirs.size());
    for (const auto& [key, tensor] : one.theirs) {
      QVERIFY2(ours.contains(key), key.c_str());
      QVERIFY2(ours.at(key).equal(tensor), key.c_str());
    }
    const Json config = fathom::readJsonFile(out + "/config.json").value();
    QCOMPARE(config.at("architectures").dump(), Json::array({one.about.at("class")}).dump());
    QCOMPARE(exportedArchitecture(encoder), one.about.at("class").get<std::string>());
    const Json& expected = one.about.at("config");
    const bool classes =
        name.contains(QLatin1String("Classification")) || name.endsWith(QLatin1String("Regression"));
    for (const auto& [key, value] : expected.items()) {
      const bool named = key == "id2label" || key == "label2id" || key == "problem_type";
      if (named && !classes) {
        QVERIFY2(!config.contains(key), key.c_str());
      } else {
        QVERIFY2(Json::parse(config.at(key).dump()) == Json::parse(value.dump()), key.c_str());
      }
    }
  }

  // Without the head the folder is the encoder's, which our importer reads; with it the import says that the
  // head has no place.
  void headsAreLeftOut_data() { sameLogitsAndNames_data(); }
  void headsAreLeftOut() {
    QFETCH(QString, name);
    const HeadCase one = caseOf(name.toStdString());
    const std::string with = place(name + QStringLiteral(" with")),
                      without = place(name + QStringLiteral(" without"));
    writeHuggingFaceEncoder(exportOf(one), with).value();
    writeHuggingFaceEncoder(exportOf(one, false), without).value();
    const Json config = fathom::readJsonFile(without + "/config.json").value();
    QVERIFY(config.at("architectures") == Json::array({one.roberta() ? "RobertaModel" : "BertModel"}));
    QVERIFY(!config.contains("id2label"));
    const EncoderWeights bare = readHuggingFaceEncoder(without).value(),
                         whole = readHuggingFaceEncoder(with).value();
    QVERIFY(bare.ignored.empty());
    QVERIFY(!whole.ignored.empty());
    for (const std::string& left : whole.ignored)
      QVERIFY2(left.starts_with("classifier.") || left.starts_with("qa_outputs."), left.c_str());
    for (const auto& [key, tensor] : bare.tensors)
      QVERIFY2(tensor.equal(one.model->parameters().value(*one.model->parameters().find(key))), key.c_str());
    QVERIFY(bare.tensors.size() >= 36);
    QVERIFY(bare.options.at("model.bert.head") == "none");
  }

  void otherHeadsAreSaid() {
    HeadCase one = caseOf("bert/ForMultipleChoice");
    const EncoderExport encoder = exportOf(one);
    one.options.setText("model.bert.head_input=first").value();
    const std::string out = place(QStringLiteral("first"));
    const Status first = writeHuggingFaceEncoder(encoder, out);
    QVERIFY(!first.ok() && !std::filesystem::exists(out));
    QVERIFY2(first.error().text().find("model.bert.head_input=first") != std::string::npos,
             first.error().text().c_str());
    QVERIFY2(first.error().hint.find("--head none") != std::string::npos, first.error().hint.c_str());
  }

 private:
  std::string place(const QString& name) const {
    QString plain = name;
    return m_place.filePath(plain.replace(QLatin1Char('/'), QLatin1Char('-'))).toStdString();
  }
  QTemporaryDir m_place;
};

QTEST_GUILESS_MAIN(TestEncoderHeads)
#include "tst_encoder_heads.moc"
