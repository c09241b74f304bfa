// SPDX-License-Identifier: Apache-2.0
// serve: a warm model behind a local socket (docs/serving.md). The main thread loads and predicts, one
// request at a time; clients are looked after in the thread of core/serve/line_server.
#include <chrono>
#include <iostream>
#include <map>

#include "core/base/options/decoding_keys.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/free_input_predictions.h"
#include "core/serve/line_server.h"
#include "core/train/loop/control_queue.h"
#include "core/train/parts/exception_error.h"
#include "core/train/state/stored_predictions.h"

namespace fathom {

namespace {

using ServeClock = std::chrono::steady_clock;

constexpr std::size_t kKeptObjectives = 8;
constexpr double kFarewellSeconds = 2;  // for the last replies

double secondsSince(ServeClock::time_point begun) {
  return std::chrono::duration<double>(ServeClock::now() - begun).count();
}

// A decoder of bytes may give what is no UTF-8.
std::string jsonLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Result of `work`; an exception that it throws becomes an error.
template <typename T, typename Work>
Result<T> caught(Work work) {
  try {
    return work();
  } catch (...) {
    return currentExceptionError();
  }
}

// The run that is served. One thread.
class ServedRun {
 public:
  ServedRun(const ServeVerb& verb, StoredRun stored)
      : m_stored(std::move(stored)),
        m_set(predictionSetOf(verb.run, *m_stored.parts.entry, m_stored.options, kPredictDecoding)) {}

  Json identity() const {
    return {{"run", m_set.run}, {"checkpoint", m_stored.checkpoint}, {"task", m_set.task}};
  }

  Result<Json> predict(const ServeRequest& request, const StopToken& stop) {
    const auto begun = ServeClock::now();
    FATHOM_TRY(const Decoding* decoding, decodingFor(request.set));
    FATHOM_TRY(const RequestBatches made, m_stored.parts.task->batchesFromRequests(request.items));
    if (!made.findings.withoutBlank.empty())
      return atItem(made.findings.withoutBlank.front(), nothingToFill(made.findings));
    const auto predictions =
        predictFree(m_stored, *decoding->objective, made.batches, request.items.size(), stop);
    Json results = Json::array();
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      if (!predictions[i])
        return atItem(static_cast<std::int64_t>(i),
                      Phrase::tr("it is longer than a batch may be (%1)")(made.findings.lengthKey));
      results.push_back({{"text", predictions[i]->text},
                         {"score", jsonReal(predictions[i]->score)},
                         {"details", predictions[i]->details},
                         {"input", made.inputs.at(i)}});
    }
    Json reply = identity();
    reply["decoding"] = decodingOf(decoding->options, kPredictDecoding);
    reply["results"] = std::move(results);
    reply["seconds"] = secondsSince(begun);
    return reply;
  }

  Result<Json> inputs(const ServeRequest& request) const {
    FATHOM_TRY(const RequestBatches made, m_stored.parts.task->batchesFromRequests(request.items));
    Json reply = identity();
    reply["results"] = Json::array();
    for (const Json& input : made.inputs) reply["results"].push_back({{"input", input}});
    return reply;
  }

 private:
  struct Decoding {
    OptionValues options;
    std::unique_ptr<Objective> own;  // null: the run's
    const Objective* objective = nullptr;
  };

  static Error atItem(std::int64_t item, const Phrase& message) {
    const Phrase numbered = kNumberedItem(item, message);
    return dataError(numbered);
  }

  // An objective with other options of decoding costs next to nothing; those of late are kept.
  Result<const Decoding*> decodingFor(const std::vector<std::string>& assignments) {
    const auto known = m_decodings.find(assignments);
    if (known != m_decodings.end()) return &known->second;
    Decoding made{m_stored.options, nullptr, m_stored.parts.objective.get()};
    for (const std::string& assignment : assignments) {
      if (!assignment.starts_with(std::string(kPredictDecoding) + "."))
        return usageError(
            Phrase::tr("'%1' is no option of decoding")(assignment),
            Phrase::tr("only options that begin with predict. may change while a run is served"));
      FATHOM_CHECK(made.options.setText(assignment));
    }
    FATHOM_CHECK(made.options.check());
    if (!assignments.empty()) {
      made.own = makeObjective(made.options, *m_stored.parts.task);
      made.objective = made.own.get();
    }
    if (m_decodings.size() >= kKeptObjectives) m_decodings.clear();
    return &m_decodings.emplace(assignments, std::move(made)).first->second;
  }

  StoredRun m_stored;
  PredictionSet m_set;
  std::map<std::vector<std::string>, Decoding> m_decodings;
};

// Calls of clients until somebody ends it.
class ServeLoop {
 public:
  ServeLoop(LineServer& server, ServedRun& run, const StopToken& stop)
      : m_server(server), m_run(run), m_stop(stop) {}

  void run(double idleSeconds) {
    while (!m_ended) {
      const auto call = m_server.next(idleSeconds);
      if (!call) return;
      m_server.answer(*call, jsonLine(replyTo(*call)));
    }
  }

 private:
  Json replyTo(const LineCall& call) {
    Json id;
    const auto request = serveRequestFromLine(call.line, id);
    const auto answer = request.ok() ? caught<Json>([&] { return answerTo(*request, call.stop); })
                                     : Result<Json>(request.error());
    if (!answer.ok())
      return serveErrorReply(id, m_tooLong && !m_stop.stopRequested() ? tooLong() : answer.error());
    Json reply = serveReply(id);
    reply.update(*answer);
    return reply;
  }

  Result<Json> answerTo(const ServeRequest& request, const StopToken& stop) {
    ++m_requests;
    m_seconds = kServeItemSeconds * static_cast<double>(std::max<std::size_t>(request.items.size(), 1));
    m_server.allow(m_seconds);
    m_tooLong = false;
    switch (request.op) {
      case ServeOp::Predict: {
        auto reply = caught<Json>([&] { return m_run.predict(request, stop); });
        m_tooLong = !reply.ok() && reply.error().kind == ErrorKind::Interrupted;
        return reply;
      }
      case ServeOp::Inputs:
        return m_run.inputs(request);
      case ServeOp::Status: {
        Json reply = m_run.identity();
        reply["state"] = "ready";
        reply["requests"] = m_requests;
        reply["seconds"] = secondsSince(m_begun);
        return reply;
      }
      case ServeOp::End:
        m_ended = true;
        return m_run.identity();
    }
    return internalError("unknown request");
  }

  Error tooLong() const {
    return unavailableError(Phrase::tr("the request took longer than %1 s")(m_seconds),
                            Phrase::tr("ask for less at once"));
  }

  LineServer& m_server;
  ServedRun& m_run;
  StopToken m_stop;
  ServeClock::time_point m_begun = ServeClock::now();
  std::int64_t m_requests = 0;
  double m_seconds = 0;
  bool m_tooLong = false, m_ended = false;
};

void tellProgress(LineServer& server, const ProgressUpdate& update) {
  server.tellAll(jsonLine({{"v", kServeVersion},
                           {"event", "progress"},
                           {"phase", update.phase},
                           {"unit", update.unit},
                           {"done", jsonReal(update.done)},
                           {"total", jsonReal(update.total)}}));
}

// Refuses the requests that wait already, so that their senders hear why there is no model.
void refuseWaiting(LineServer& server, const Error& error) {
  while (const auto call = server.next(0)) {
    Json id;
    const auto request = serveRequestFromLine(call->line, id);
    server.answer(*call, jsonLine(serveErrorReply(id, error)));
  }
  server.flush(kFarewellSeconds);
}

void sayState(const char* state, const std::string& socket, const Json& more) {
  Json json = {{"format", 1}, {"state", state}, {"socket", socket}};
  json.update(more);
  std::cout << jsonLine(json) << std::endl;
  std::cout.clear();  // nobody need read it
}

}  // namespace

ExitCode serveVerb(const ServeVerb& verb) {
  const auto control = ControlQueue::open({"", "", false, true}).value();
  const StopToken stop = control->stop();
  const std::string socket =
      verb.socket.empty() ? serveSocketPath(verb.run, verb.checkpoint).value() : verb.socket;
  auto server = LineServer::open(socket, {}, stop).value();
  sayState("loading", socket, Json::object());
  Progress progress([&](const ProgressUpdate& update) { tellProgress(*server, update); });
  progress.begin(Phrase::tr("loading the model").english, "", -1);
  auto stored = caught<StoredRun>([&] {
    return openStoredRun({verb.run, verb.checkpoint, verb.assignments, true, &progress, stop});
  });
  if (stop.stopRequested()) return ExitCode::Stopped;
  if (!stored.ok()) {
    refuseWaiting(*server, stored.error());
    throw Failure(stored.error());
  }
  warnOfDamaged(stored->damaged, stored->checkpoint);
  server->tellNoMore();
  ServedRun run(verb, std::move(*stored));
  sayState("ready", socket, run.identity());
  ServeLoop(*server, run, stop).run(static_cast<double>(verb.idleSeconds));
  if (!stop.stopRequested()) server->flush(kFarewellSeconds);
  server.reset();  // nobody finds it while the model goes
  return stop.stopRequested() ? ExitCode::Stopped : ExitCode::Finished;
}

}  // namespace fathom
