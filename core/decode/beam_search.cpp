// SPDX-License-Identifier: Apache-2.0
#include "core/decode/beam_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/errors/error.h"
#include "core/base/options/decoding_keys.h"
#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

struct Live {
  std::vector<std::int64_t> tokens;
  double logProbability = 0;
};

struct Candidate {
  double logProbability;
  std::int64_t flat;  // row x V + token: the lower one wins a tie
};

bool better(const Candidate& a, const Candidate& b) {
  return a.logProbability != b.logProbability ? a.logProbability > b.logProbability : a.flat < b.flat;
}

// One sentence in the search.
struct Sentence {
  std::int64_t index = 0;
  std::int64_t maxLength = 0;
  std::vector<Live> live;
  BeamResult result;
};

// The `keep` best of rows x V, best first. A heap of the worst kept candidate decides quickly about most
// entries.
template <typename T>
std::vector<Candidate> bestCandidates(const Sentence& sentence, const T* logProbabilities,
                                      std::int64_t vocabulary, std::int64_t padId, std::int64_t bannedEos,
                                      std::size_t keep) {
  std::vector<Candidate> heap;
  heap.reserve(keep + 1);
  for (std::size_t row = 0; row < sentence.live.size(); ++row) {
    const T* scores = logProbabilities + static_cast<std::int64_t>(row) * vocabulary;
    const double before = sentence.live[row].logProbability;
    for (std::int64_t token = 0; token < vocabulary; ++token) {
      const double score = before + static_cast<double>(scores[token]);
      if (heap.size() == keep && !(score > heap.front().logProbability)) continue;
      if (token == padId || token == bannedEos || std::isnan(score) || score == kImpossible) continue;
      heap.push_back({score, static_cast<std::int64_t>(row) * vocabulary + token});
      std::push_heap(heap.begin(), heap.end(), better);
      if (heap.size() > keep) {
        std::pop_heap(heap.begin(), heap.end(), better);
        heap.pop_back();
      }
    }
  }
  std::sort(heap.begin(), heap.end(), better);
  return heap;
}

void finishHypothesis(Sentence& sentence, const Live& parent, double logProbability, std::int64_t eosId,
                      double lengthPenalty) {
  Hypothesis done;
  done.tokens = parent.tokens;
  done.tokens.push_back(eosId);
  done.logProbability = logProbability;
  done.score = logProbability / std::pow(static_cast<double>(done.tokens.size()), lengthPenalty);
  sentence.result.push_back(std::move(done));
}

// The parents (rows within the sentence) of the new live hypotheses.
std::vector<std::int64_t> advance(Sentence& sentence, const std::vector<Candidate>& candidates,
                                  const BeamTask& task, const BeamOptions& options) {
  const auto beam = static_cast<std::size_t>(options.beam);
  std::vector<Live> next;
  std::vector<std::int64_t> parents;
  for (std::size_t rank = 0; rank < candidates.size(); ++rank) {
    const std::int64_t row = candidates[rank].flat / task.vocabulary,
                       token = candidates[rank].flat % task.vocabulary;
    const Live& parent = sentence.live[static_cast<std::size_t>(row)];
    if (token == task.eosId) {
      // Only an end among the first `beam` candidates counts.
      if (rank < beam && sentence.result.size() < beam) {
        finishHypothesis(sentence, parent, candidates[rank].logProbability, task.eosId,
                         options.lengthPenalty);
      }
    } else if (next.size() < beam) {
      Live live{parent.tokens, candidates[rank].logProbability};
      live.tokens.push_back(token);
      next.push_back(std::move(live));
      parents.push_back(row);
    }
  }
  sentence.live = std::move(next);
  return parents;
}

template <typename T>
std::vector<std::int64_t> stepSentence(Sentence& sentence, const T* logProbabilities, const BeamTask& task,
                                       const BeamOptions& options, std::int64_t step) {
  if (step >= sentence.maxLength) {
    // At the longest length the end is forced: the live hypotheses among the first `beam` are finished.
    std::vector<Candidate> ends;
    for (std::size_t row = 0; row < sentence.live.size(); ++row) {
      const std::int64_t flat = static_cast<std::int64_t>(row) * task.vocabulary + task.eosId;
      ends.push_back({sentence.live[row].logProbability + static_cast<double>(logProbabilities[flat]), flat});
    }
    std::sort(ends.begin(), ends.end(), better);
    advance(sentence, ends, task, options);
    sentence.live.clear();
    return {};
  }
  const std::int64_t bannedEos = step < options.minLength ? task.eosId : -1;
  const auto candidates = bestCandidates(sentence, logProbabilities, task.vocabulary, task.padId, bannedEos,
                                         static_cast<std::size_t>(2 * options.beam));
  const std::vector<std::int64_t> parents = advance(sentence, candidates, task, options);
  if (static_cast<std::int64_t>(sentence.result.size()) >= options.beam) sentence.live.clear();
  return sentence.live.empty() ? std::vector<std::int64_t>() : parents;
}

// Rows of the next scorer call from what this call left alive.
class BeamBatch {
 public:
  BeamBatch(const BeamTask& task, const BeamOptions& options) : m_task(task), m_options(options) {
    for (std::size_t i = 0; i < task.maxLengths.size(); ++i) {
      Sentence sentence;
      sentence.index = static_cast<std::int64_t>(i);
      sentence.maxLength = task.maxLengths[i];
      sentence.live.push_back({});
      m_sentences.push_back(std::move(sentence));
      m_step.parents.push_back(static_cast<std::int64_t>(i));
      m_step.lastTokens.push_back(task.eosId);
      m_step.sentences.push_back(static_cast<std::int64_t>(i));
    }
  }
  bool live() const { return !m_step.parents.empty(); }
  const BeamStep& step() const { return m_step; }

  template <typename T>
  void advanceAll(const T* logProbabilities) {
    BeamStep next;
    next.step = m_step.step + 1;
    std::int64_t row = 0;
    for (Sentence& sentence : m_sentences) {
      if (sentence.live.empty()) continue;
      const std::int64_t first = row;
      row += static_cast<std::int64_t>(sentence.live.size());
      const auto parents = stepSentence(sentence, logProbabilities + first * m_task.vocabulary, m_task,
                                        m_options, m_step.step);
      for (std::size_t i = 0; i < parents.size(); ++i) {
        next.parents.push_back(first + parents[i]);
        next.lastTokens.push_back(sentence.live[i].tokens.back());
        next.sentences.push_back(sentence.index);
      }
    }
    m_step = std::move(next);
  }

  std::vector<BeamResult> results() {
    std::vector<BeamResult> results;
    for (Sentence& sentence : m_sentences) {
      std::stable_sort(sentence.result.begin(), sentence.result.end(),
                       [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
      results.push_back(std::move(sentence.result));
    }
    return results;
  }

 private:
  const BeamTask& m_task;
  const BeamOptions& m_options;
  std::vector<Sentence> m_sentences;
  BeamStep m_step;
};

}  // namespace

std::vector<BeamResult> beamSearch(const BeamTask& task, const BeamOptions& options, const BeamScorer& scorer,
                                   const StopToken& stop) {
  BeamBatch batch(task, options);
  while (batch.live()) {
    if (stop.stopRequested()) throw Failure(interruptedError());
    const torch::Tensor scores = scorer(batch.step()).to(torch::kCPU).contiguous();
    if (scores.scalar_type() == torch::kFloat64) {
      batch.advanceAll(scores.const_data_ptr<double>());
    } else {
      const torch::Tensor single = scores.to(torch::kFloat32);
      batch.advanceAll(single.const_data_ptr<float>());
    }
  }
  return batch.results();
}

std::vector<BeamResult> translate(const SequenceModel& model, const torch::Tensor& sourceTokens,
                                  const BeamOptions& options, const StopToken& stop) {
  const at::NoGradGuard noGrad;
  const EncoderMemory memory = model.encode(sourceTokens, StepContext());
  DecodeState state = model.beginDecoding(memory);
  BeamTask task;
  task.vocabulary = model.targetVocabulary();
  task.padId = model.padId();
  task.eosId = model.eosId();
  const torch::Tensor lengths = sourceTokens.ne(model.padId()).sum(1).to(torch::kCPU);
  for (std::int64_t i = 0; i < sourceTokens.size(0); ++i) {
    const auto source = static_cast<double>(lengths[i].item<std::int64_t>());
    const auto longest = static_cast<std::int64_t>(options.maxLengthA * source) + options.maxLengthB;
    task.maxLengths.push_back(std::min(longest, model.maxPositions() - 1));
  }
  const auto onDevice = [&](const std::vector<std::int64_t>& values) {
    return at::tensor(values, torch::kInt64).to(sourceTokens.device());
  };
  std::vector<std::int64_t> identity;
  return beamSearch(
      task, options,
      [&](const BeamStep& step) {
        identity.resize(static_cast<std::size_t>(state.rows));
        for (std::size_t i = 0; i < identity.size(); ++i) identity[i] = static_cast<std::int64_t>(i);
        if (step.parents != identity) state.reorder(onDevice(step.parents));
        const torch::Tensor hidden = model.decodeStep(state, onDevice(step.lastTokens));
        return at::log_softmax(model.logits(hidden), -1);
      },
      stop);
}

std::vector<OptionField> beamOptionFields(const std::string& prefix, const BeamOptions& defaults) {
  // Two fields of one name cannot be told apart in a form.
  const bool validation = prefix == kValidationDecoding;
  const auto title = [validation](const char* ofValidation, const char* ofPrediction) {
    return validation ? ofValidation : ofPrediction;
  };
  return inGroup(
      "Decoding",
      fromPaper(
          "fairseq, sequence_generator",
          {integerField(prefix + ".beam", title("Validation beam", "Prediction beam"),
                        "Hypotheses kept per sentence; 1 is greedy decoding.", defaults.beam)
               .between(1, 1000),
           realField(prefix + ".length_penalty",
                     title("Validation length penalty", "Prediction length penalty"),
                     "Scores are divided by length to this power.", defaults.lengthPenalty)
               .between(0, 10),
           integerField(prefix + ".min_length", title("Shortest validation output", "Shortest prediction"),
                        "Tokens before the end mark is allowed.", defaults.minLength)
               .unit("tokens")
               .atLeast(0),
           realField(prefix + ".max_length_a",
                     title("Validation length limit, a", "Prediction length limit, a"),
                     "An output has at most a × source length + b tokens; this is a.", defaults.maxLengthA)
               .atLeast(0),
           integerField(prefix + ".max_length_b",
                        title("Validation length limit, b", "Prediction length limit, b"),
                        "An output has at most a × source length + b tokens; this is b.", defaults.maxLengthB)
               .unit("tokens")
               .atLeast(0)}));
}

BeamOptions beamOptions(const OptionValues& options, const std::string& prefix) {
  BeamOptions beam;
  beam.beam = options.integer(prefix + ".beam");
  beam.lengthPenalty = options.real(prefix + ".length_penalty");
  beam.minLength = options.integer(prefix + ".min_length");
  beam.maxLengthA = options.real(prefix + ".max_length_a");
  beam.maxLengthB = options.integer(prefix + ".max_length_b");
  return beam;
}

}  // namespace fathom
