// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/relay_channel.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/relay/relay_session.h"

namespace fathom {

namespace {

constexpr double kGreetingSeconds = 60, kTerminalSeconds = 600, kHangUpSeconds = 2;
constexpr std::size_t kMostErrors = std::size_t{64} << 10;

// False at the end of the stream.
bool drainInto(int fd, std::string& text) {
  char buffer[65536];
  while (true) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

Result<std::unique_ptr<RelayChannel>> RelayChannel::open(const PlaceRecord& record, const PlaceTalk& talk,
                                                         const StopToken& stop, SshTrouble* trouble) {
  if (trouble != nullptr) trouble->lasting = true;
  FATHOM_TRY(const RelayProgram relay, relayProgram());
  FATHOM_TRY(const ChildSpec spec, sshCommand(record, relay, talk));
  FATHOM_TRY(const PipedChild child, startPiped(spec, talk.who != PlaceTalk::Who::Terminal));
  std::unique_ptr<RelayChannel> channel(new RelayChannel(record, child));
  const Status greeted =
      channel->greet(relay, talk.who == PlaceTalk::Who::Nobody ? kGreetingSeconds : kTerminalSeconds, stop);
  if (trouble != nullptr) trouble->lasting = channel->m_lasting;
  if (!greeted.ok()) return greeted.error();
  return channel;
}

RelayChannel::~RelayChannel() {
  endPiped(m_child, kHangUpSeconds);
}

double RelayChannel::silentSeconds() const {
  return std::chrono::duration<double>(Clock::now() - m_heard).count();
}

Status RelayChannel::greet(const RelayProgram& relay, double seconds, const StopToken& stop) {
  GreetingReader reader;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  const std::string &place = m_record.id, host = m_record.resources.text("host");
  while (!stop.stopRequested()) {
    const Status turned = turn(0.1);
    const GreetingReader::Kind kind = reader.feed(std::exchange(m_in, {}));
    // The host's last words may have come together with the end.
    const bool waits = kind == GreetingReader::Kind::More || kind == GreetingReader::Kind::Wants;
    if (waits) FATHOM_CHECK(turned);
    switch (kind) {
      case GreetingReader::Kind::Ready:
        m_in = reader.takeRest();
        m_greeted = true;
        return takeFrames();
      case GreetingReader::Kind::Wants: {
        FATHOM_TRY(m_out, readFile(relay.path));
        break;
      }
      case GreetingReader::Kind::Trouble:
        m_lasting = true;
        return unavailableError(
            Phrase::tr("%1: host %2 cannot take the relay: %3")(place, host, reader.words()),
            Phrase::tr("choose another folder there (add-place --root)"));
      case GreetingReader::Kind::OtherMachine:
        m_lasting = true;
        return unavailableError(
            Phrase::tr("%1: host %2 is %3, engines are made for Linux x86_64")(place, host, reader.words()),
            Phrase::tr("choose a host with such a processor (add-place --set host=NAME)"));
      case GreetingReader::Kind::OtherVersion:
        m_lasting = true;
        return unavailableError(
            Phrase::tr("%1: the relay of host %2 speaks version %3")(place, host, reader.words()));
      case GreetingReader::Kind::TooMuch:
        m_lasting = true;
        return unavailableError(
            Phrase::tr("%1: host %2 prints without end before it does anything")(place, host),
            Phrase::tr("look at the start files of the shell there"));
      case GreetingReader::Kind::More:
        break;
    }
    if (Clock::now() > until) return unavailableError(Phrase::tr("%1: host %2 does not answer")(place, host));
  }
  return interruptedError();
}

Error RelayChannel::lost() {
  drainInto(m_child.err, m_errors);
  const int code = endPiped(m_child, kHangUpSeconds);
  const SshTrouble trouble = sshTrouble(m_record.id, m_record.resources.text("host"), m_errors, code);
  m_lost = true;
  m_lasting = trouble.lasting && !m_greeted;
  return trouble.error;
}

Status RelayChannel::turn(double seconds) {
  if (m_lost) return unavailableError(Phrase::tr("the connection to %1 is lost")(m_record.id));
  pollfd polls[3] = {{m_child.out, POLLIN, 0},
                     {m_child.err, POLLIN, 0},
                     {m_written < m_out.size() ? m_child.in : -1, POLLOUT, 0}};
  if (::poll(polls, 3, static_cast<int>(seconds * 1000)) <= 0) return {};
  if (polls[1].revents != 0 && !drainInto(m_child.err, m_errors)) ::close(std::exchange(m_child.err, -1));
  if (m_errors.size() > kMostErrors) m_errors.erase(0, m_errors.size() - kMostErrors / 2);
  if (polls[2].revents != 0) {
    const ssize_t put = ::write(m_child.in, m_out.data() + m_written, m_out.size() - m_written);
    if (put < 0 && errno != EAGAIN && errno != EINTR) return lost();
    m_written += put > 0 ? static_cast<std::size_t>(put) : 0;
    if (m_written == m_out.size()) {
      m_out.clear();
      m_written = 0;
    }
  }
  if (polls[0].revents == 0) return {};
  const std::size_t before = m_in.size();
  const bool open = drainInto(m_child.out, m_in);
  if (m_in.size() > before) m_heard = Clock::now();
  if (open) return {};
  // Frames that came before the end count.
  if (m_greeted) FATHOM_CHECK(takeFrames());
  return lost();
}

// What cannot be taken leaves a question that is open without an answer: it may have been heard.
Status RelayChannel::takeFrames() {
  const Status taken = takeWholeFrames();
  m_lost = m_lost || !taken.ok();
  return taken;
}

Status RelayChannel::takeWholeFrames() {
  m_reader.feed(std::exchange(m_in, {}));
  while (true) {
    FATHOM_TRY(auto frame, m_reader.next());
    if (!frame) return {};
    if (frame->head.contains("to")) {
      if (memberInteger(frame->head, "to") == m_wanted) m_answer = std::move(*frame);
    } else if (m_take) {
      FATHOM_CHECK(m_take(*frame));
    }
  }
}

Status RelayChannel::receive(double seconds) {
  FATHOM_CHECK(turn(seconds));
  return takeFrames();
}

Result<Json> RelayChannel::ask(Json head, std::string_view body, double seconds, const StopToken& stop) {
  head["id"] = m_wanted = ++m_asked;
  m_answer.reset();
  m_out += frameBytes(head, body);
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  while (!m_answer) {
    if (stop.stopRequested()) return interruptedError();
    if (Clock::now() > until) {
      m_lost = true;
      return unavailableError(
          Phrase::tr("%1: host %2 does not answer")(m_record.id, m_record.resources.text("host")));
    }
    FATHOM_CHECK(receive(0.1));
  }
  if (m_answer->head.contains("error")) return relayErrorFromJson(memberObject(m_answer->head, "error"));
  return memberObject(m_answer->head, "answer");
}

}  // namespace fathom
