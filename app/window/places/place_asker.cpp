// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/places/place_asker.h"

#include <QLabel>
#include <QLineEdit>
#include <QLocalServer>
#include <QLocalSocket>
#include <QPushButton>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/run_lock.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kQuestionCharacters = 72;
constexpr qint64 kMostQuestionBytes = 1 << 16;

// A key that is not known yet: its fingerprint is in the question, which ssh wants answered by a word.
bool wantsYesOrNo(const Json& question) {
  return memberText(question, "prompt").find("(yes/no") != std::string::npos ||
         memberText(question, "kind") == "confirm";
}

void answerCaller(QLocalSocket* caller, const QString& text) {
  caller->write(QByteArray::fromStdString(Json{{"answer", toUtf8(text)}}.dump() + "\n"));
  caller->flush();
  caller->disconnectFromServer();
}

}  // namespace

PlaceAsker::PlaceAsker(QWidget* window)
    : QObject(window), m_window(window), m_server(new QLocalServer(this)) {
  m_server->setSocketOptions(QLocalServer::UserAccessOption);
  connect(m_server, &QLocalServer::newConnection, this, &PlaceAsker::hear);
}

PlaceAsker::~PlaceAsker() {
  giveUp();
}

PlaceTalk PlaceAsker::talk() {
  if (!m_server->isListening()) m_server->listen(fromUtf8(chooseControlSocket(makeUuid()).path));
  if (!m_server->isListening()) return {};
  return {PlaceTalk::Who::Window, toUtf8(m_server->fullServerName())};
}

void PlaceAsker::giveUp() {
  const auto open = std::exchange(m_open, {});
  for (auto each = open.cbegin(); each != open.cend(); ++each) {
    if (each.value()) each.value()->deleteLater();
    each.key()->abort();
  }
}

void PlaceAsker::hear() {
  while (QLocalSocket* caller = m_server->nextPendingConnection()) {
    connect(caller, &QLocalSocket::readyRead, this, [this, caller] {
      if (caller->canReadLine() && !m_open.contains(caller)) ask(caller);
    });
    // It is ended where ssh has gone, or is answered.
    connect(caller, &QLocalSocket::disconnected, this, [this, caller] {
      if (const QPointer<QDialog> dialog = m_open.take(caller)) dialog->deleteLater();
      caller->deleteLater();
    });
    if (caller->canReadLine()) ask(caller);
  }
}

void PlaceAsker::ask(QLocalSocket* caller) {
  const auto question = parseJson(caller->readLine(kMostQuestionBytes).toStdString());
  if (!question.ok()) return caller->abort();
  const bool choice = wantsYesOrNo(*question);
  auto* dialog = new QDialog(m_window);
  m_open.insert(caller, dialog);
  dialog->setObjectName(QStringLiteral("placeQuestion"));
  dialog->setWindowTitle(tr("ssh asks"));
  auto* text = wrappedLabel(dialog, QStringLiteral("placeQuestionText"));
  text->setTextFormat(Qt::PlainText);
  text->setText(fromUtf8(memberText(*question, "prompt")).trimmed());
  text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* line = new QLineEdit(dialog);
  line->setEchoMode(QLineEdit::Password);
  line->setAccessibleName(tr("Answer"));
  line->setVisible(!choice);
  auto* no = new QPushButton(choice ? tr("&No") : tr("Cancel"), dialog);
  auto* yes = new QPushButton(choice ? tr("&Yes, trust it") : tr("OK"), dialog);
  (choice ? no : yes)->setDefault(true);
  makeColumn(dialog, {{text, 1}, line, makeRow({BoxPart::stretch(), no, yes})}, metrics::kMargin,
             kStyleMargins);
  dialog->setMinimumWidth(kQuestionCharacters * dialog->fontMetrics().averageCharWidth());
  connect(yes, &QPushButton::clicked, dialog, &QDialog::accept);
  connect(no, &QPushButton::clicked, dialog, &QDialog::reject);
  const QPointer<QLocalSocket> waiting(caller);
  connect(dialog, &QDialog::accepted, this, [waiting, line, choice] {
    if (waiting) answerCaller(waiting, choice ? QStringLiteral("yes") : line->text());
  });
  connect(dialog, &QDialog::rejected, this, [waiting] {
    if (waiting) waiting->abort();
  });
  dialog->open();
  if (!choice) line->setFocus();
}

}  // namespace fathom
