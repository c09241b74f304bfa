// SPDX-License-Identifier: Apache-2.0
// Every figure of stored results says from which examples they were computed.
#include <QTest>
#include <map>

#include "core/analysis/norms/sublayer_norms.h"
#include "tests/golden/support_built_figure.h"
#include "views/figures/sample_notes.h"

using namespace fathom;

namespace {

Json sampleOf(int examples, int of, int seed = 1) {
  return {{"part", "validation"},
          {"examples", examples},
          {"of", of},
          {"chosen", examples == of ? "all" : "random"},
          {"seed", seed}};
}

// Gradient norms of two runs at two checkpoints, each of the sample it is given.
class Sampled : public AnalysisSource {
 public:
  std::map<std::string, Json> samples;  // by run, or run@checkpoint
  std::vector<std::string> runs() const override { return {"aaaa", "bbbb"}; }
  Result<RunCurve> curve(const std::string& run, const std::string&) override { return dataError(run); }
  std::vector<std::string> probedCheckpoints(const std::string&, const std::string&) override {
    return {"init", "0001-00000010"};
  }
  Result<ProbedResult> probed(const std::string& run, const std::string&,
                              const std::string& checkpoint) override {
    ProbedResult result;
    result.run = run;
    result.name = run == "aaaa" ? "first" : "second";
    result.checkpoint = checkpoint;
    result.result =
        sublayerNormsToJson({{"encoder.layers.0.self_attention", "encoder", "self_attention", 0, 1, 1},
                             {"encoder.layers.0.feed_forward", "encoder", "feed_forward", 0, 1, 0.5}});
    const auto here = samples.find(run + "@" + checkpoint), any = samples.find(run);
    if (here != samples.end())
      result.result["sample"] = here->second;
    else if (any != samples.end())
      result.result["sample"] = any->second;
    return result;
  }
  Result<ProbedResult> probedWith(const std::string& run, const std::string& analysis,
                                  const std::string& checkpoint, const Json&) override {
    return probed(run, analysis, checkpoint);
  }
};

std::vector<std::string> sampleNotes(Sampled source, const std::vector<std::string>& options = {}) {
  std::vector<std::string> all = {"checkpoint=0001-00000010"};
  all.insert(all.end(), options.begin(), options.end());
  std::vector<std::string> notes;
  const FigureSpec spec = gallery::builtFigure("gradient_norm", all, source).value();
  for (const Phrase& note : spec.notes) notes.push_back(note.english());
  std::erase_if(notes, [](const std::string& note) { return note.find("omputed ") == std::string::npos; });
  return notes;
}

}  // namespace

class SampleNotesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oneSentenceForAll();
  void oneForEachWhereTheyDiffer();
  void earlierResultsSaySo();
  void whatIsNotShownIsNotSaid();
  void nothingWithoutSamples();
};

void SampleNotesTest::oneSentenceForAll() {
  Sampled source;
  source.samples = {{"aaaa", sampleOf(100, 1000)}, {"bbbb", sampleOf(100, 1000)}};
  QCOMPARE(sampleNotes(source),
           std::vector<std::string>{
               "Computed from 100 of 1000 examples of the validation part, drawn at random (seed 1)."});
  Json whole = sampleOf(48001, 48001);
  whole["part"] = "train";
  source.samples = {{"aaaa", whole}, {"bbbb", whole}};
  QCOMPARE(sampleNotes(source),
           std::vector<std::string>{"Computed from all 48001 examples of the training part."});
}

void SampleNotesTest::oneForEachWhereTheyDiffer() {
  Sampled source;
  source.samples = {{"aaaa", sampleOf(100, 1000)}, {"bbbb", sampleOf(100, 1000, 2)}};
  const auto notes = sampleNotes(source);
  QCOMPARE(notes.size(), std::size_t{2});
  QVERIFY(notes[0].starts_with("first: computed from 100 of 1000") && notes[0].ends_with("(seed 1)."));
  QVERIFY(notes[1].starts_with("second: computed from 100 of 1000") && notes[1].ends_with("(seed 2)."));
}

void SampleNotesTest::earlierResultsSaySo() {
  Sampled source;
  source.samples = {{"aaaa", {{"chosen", "first"}}}, {"bbbb", sampleOf(5, 9)}};
  const auto notes = sampleNotes(source);
  QVERIFY(notes.at(0).find("first: computed by an earlier version") == 0 &&
          notes.at(0).find("the shortest") != std::string::npos);
}

// The shared scale is read from all checkpoints.
void SampleNotesTest::whatIsNotShownIsNotSaid() {
  Sampled source;
  source.samples = {
      {"aaaa", sampleOf(100, 1000)}, {"bbbb", sampleOf(100, 1000)}, {"aaaa@init", sampleOf(3, 1000)}};
  for (const char* scale : {"scale=all", "scale=shown"})
    QCOMPARE(sampleNotes(source, {scale}).size(), std::size_t{1});
}

void SampleNotesTest::nothingWithoutSamples() {
  QVERIFY(sampleNotes({}).empty());
}

QTEST_GUILESS_MAIN(SampleNotesTest)
#include "tst_sample_notes.moc"
