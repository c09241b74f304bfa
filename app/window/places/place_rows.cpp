// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/places/place_rows.h"

#include <QDateTime>
#include <QLocale>
#include <QTreeWidget>

#include "app/window/places/places_dialog.h"
#include "views/look/ago_text.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/name_text.h"
#include "views/panels/form/place_choice.h"

namespace fathom {

namespace {

enum FindingColumn { kWhatFound, kFoundThere, kWhatToDo };
enum JournalColumn { kSaidAt, kAskedThere, kAnswered };

QDateTime timeOf(double seconds) {
  return QDateTime::fromMSecsSinceEpoch(qint64(seconds * 1000));
}

QString agoOf(double seconds) {
  return seconds > 0 ? agoText(timeOf(seconds), QDateTime::currentDateTime()) : QString();
}

const char* wayIconOf(PlaceWay way) {
  switch (way) {
    case PlaceWay::Here:
    case PlaceWay::Heard:
      return "state-finished";
    case PlaceWay::Answers:
      return "state-running";
    case PlaceWay::Broken:
    case PlaceWay::Failed:
      return "state-failed";
    case PlaceWay::Silent:
      return "state-stalled";
    case PlaceWay::Unasked:
      break;
  }
  return "state-queued";
}

QString runsText(int count) {
  return count > 0 ? QLocale().toString(count) : QString();
}

void setCell(QTreeWidgetItem* item, int column, const QString& text) {
  item->setText(column, text);
  item->setToolTip(column, text);
}

QString placeStateText(const PlaceOverview& overview) {
  switch (overview.way) {
    case PlaceWay::Here:
      return PlacesDialog::tr("ready");
    case PlaceWay::Broken:
      return PlacesDialog::tr("cannot be used");
    case PlaceWay::Silent: {
      const QDateTime from = QDateTime::fromString(fromUtf8(overview.silentFrom), Qt::ISODate);
      return PlacesDialog::tr("not heard since %1")
          .arg(QLocale().toString(from.toLocalTime(), QLocale::ShortFormat));
    }
    case PlaceWay::Answers:
      return PlacesDialog::tr("answers");
    case PlaceWay::Heard:
      return PlacesDialog::tr("answered before");
    case PlaceWay::Failed:
      return PlacesDialog::tr("not reached");
    case PlaceWay::Unasked:
      break;
  }
  return PlacesDialog::tr("not asked yet");
}

}  // namespace

QString shownPlaceName(const PlaceRecord& record) {
  PlaceView view;
  view.id = fromUtf8(record.id);
  return placeName(view);
}

void fillPlaceRow(QTreeWidgetItem* item, const PlaceOverview& overview, const QString& doing) {
  const ListedPlace& place = overview.place;
  setCell(item, kPlaceId, shownPlaceName(place.record));
  item->setData(kPlaceId, Qt::UserRole, fromUtf8(place.record.id));
  if (!place.record.file.empty()) item->setToolTip(kPlaceId, fromUtf8(place.record.file));
  setCell(item, kPlaceLauncher, engineText(place.title));
  setCell(item, kPlaceHost, fromUtf8(overview.host));
  setCell(item, kPlaceState, doing.isEmpty() ? placeStateText(overview) : doing);
  item->setIcon(kPlaceState, icon(QString::fromLatin1(wayIconOf(overview.way))));
  setCell(item, kPlaceHeard, agoOf(overview.heardAt));
  setCell(item, kPlaceRunning, runsText(place.running));
  setCell(item, kPlaceWaiting, runsText(place.waiting));
  setCell(item, kPlaceFree, overview.freeBytes ? sizeText(quint64(*overview.freeBytes)) : QString());
  for (const int column : {int(kPlaceRunning), int(kPlaceWaiting), int(kPlaceFree)})
    item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  QString trouble;
  if (place.trouble)
    trouble = phraseText(place.trouble->phrase());
  else if (overview.trouble)
    trouble =
        PlacesDialog::tr("%1: %2").arg(agoOf(overview.trouble->at), phraseText(overview.trouble->words));
  setCell(item, kPlaceTrouble, trouble);
}

void fillPlaceFindings(QTreeWidget* list, const KeptLook& look) {
  list->clear();
  for (const PlaceFinding& finding : placeFindings(look.look)) {
    auto* item = new QTreeWidgetItem(list);
    setCell(item, kWhatFound, phraseText(finding.what));
    setCell(item, kFoundThere, phraseText(finding.found));
    setCell(item, kWhatToDo, phraseText(finding.remedy));
    item->setIcon(kWhatFound, icon(finding.trouble ? QStringLiteral("error") : QStringLiteral("check")));
  }
  if (look.at > 0) return;
  auto* item = new QTreeWidgetItem(list);
  setCell(item, kFoundThere, PlacesDialog::tr("Nobody has looked yet: “Check” asks the place."));
}

void fillPlaceJournal(QTreeWidget* list, const std::vector<PlaceLine>& lines) {
  list->clear();
  for (const PlaceLine& line : lines) {
    auto* item = new QTreeWidgetItem(list);
    setCell(item, kSaidAt, QLocale().toString(timeOf(line.at), QLocale::ShortFormat));
    setCell(item, kAskedThere, phraseText(line.question));
    setCell(item, kAnswered, phraseText(line.words));
    if (line.trouble) item->setIcon(kAnswered, icon(QStringLiteral("error")));
  }
  list->scrollToBottom();
}

}  // namespace fathom
