// SPDX-License-Identifier: Apache-2.0
#include "core/probe/probe_entry.h"

#include "core/analysis/probe_options.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/field_builder.h"
#include "core/tasks/example_sample.h"

namespace fathom {

namespace {

constexpr const char *kExamplesKey = "examples", *kSampleSeedKey = "sample_seed";

}  // namespace

const AnalysisEntry& analysisOf(const std::string& id) {
  const AnalysisEntry* entry = findAnalysisEntry(id);
  if (entry == nullptr) throw Failure(internalError("there is no analysis '" + id + "'"));
  return *entry;
}

std::int64_t forProbeBatches(const ProbeSubject& subject, const std::string& phase,
                             const std::function<void(const ProbeBatch&)>& use) {
  if (subject.progress != nullptr)
    subject.progress->begin(phase, "examples", static_cast<double>(subject.examples));
  std::int64_t examples = 0;
  for (std::int64_t i = 0; i < subject.batches; ++i) {
    if (subject.stop.stopRequested()) throw Failure(interruptedError());
    const ProbeBatch batch = subject.batch(i);
    use(batch);
    examples += batch.examples;
    if (subject.progress != nullptr) subject.progress->report(static_cast<double>(examples));
  }
  if (subject.progress != nullptr) subject.progress->finish();
  return examples;
}

Status checkProbeExamples(const ProbeSubject& subject) {
  if (subject.batches > 0) return {};
  return dataError(Phrase::tr("there is no example to look at"),
                   Phrase::tr("choose another part of the data"));
}

Result<ProbeBatch> wholeProbeBatch(const ProbeSubject& subject, const std::string& phase) {
  FATHOM_CHECK(checkProbeExamples(subject));
  if (subject.progress != nullptr) subject.progress->begin(phase, "", -1);
  return subject.whole ? subject.whole() : subject.batch(0);
}

std::vector<OptionField> exampleFields(ProbeExamples sort, std::int64_t usual) {
  if (sort == ProbeExamples::One) return {};
  FieldBuilder seed =
      integerField(
          kSampleSeedKey, "Seed of the sample",
          "Which examples are drawn where not all are looked at; the same for all runs, so that they "
          "compare.",
          static_cast<std::int64_t>(kSampleSeed))
          .atLeast(0);
  if (sort == ProbeExamples::Batch) return {seed};
  // All are all: no seed chooses among them.
  return {integerField(kExamplesKey, "Examples",
                       "So many, drawn at random from the part of the data; 0: all of them.", usual)
              .between(0, 1e9),
          seed.unless(kExamplesKey, {kAllExamples})};
}

std::int64_t chosenExamples(const OptionValues& options) {
  return options.schema().find(kExamplesKey) == nullptr ? kBatchOfExamples : options.integer(kExamplesKey);
}

std::uint64_t sampleSeed(const OptionValues& options) {
  const bool seeded = options.schema().find(kSampleSeedKey) != nullptr && options.active(kSampleSeedKey);
  return seeded ? static_cast<std::uint64_t>(options.integer(kSampleSeedKey)) : kSampleSeed;
}

Result<OptionValues> probeOptions(const ProbeEntry& entry, const std::vector<std::string>& assignments) {
  OptionValues options{OptionSchema(entry.fields, {})};
  FATHOM_CHECK(setAnalysisOptions(entry.id, assignments, &options));
  return options;
}

Json withSample(Json result, const ProbeSubject& subject) {
  if (!subject.sample.is_null()) result["sample"] = subject.sample;
  return result;
}

std::vector<Result<Json>> runProbe(const ProbeEntry& entry, const ProbeSubject& subject,
                                   const OptionValues& options, const std::vector<std::string>& ids) {
  std::vector<Result<Json>> results;
  if (entry.runTogether)
    results = entry.runTogether(subject, options, ids);
  else
    results.push_back(entry.run(subject, options));
  // A probe without the option names its example itself.
  if (options.schema().find(kSampleSeedKey) == nullptr) return results;
  for (Result<Json>& result : results)
    if (result.ok()) *result = withSample(std::move(*result), subject);
  return results;
}

Result<ProbeEntry> findProbe(const std::string& id) {
  if (const ProbeEntry* entry = findEntry(probeEntries(), id)) return *entry;
  return usageError(Phrase::tr("there is no analysis '%1'")(id),
                    Phrase::tr("there are: %1")(knownIds(probeEntries())));
}

}  // namespace fathom
