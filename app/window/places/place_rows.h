// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/runner/places/place_overview.h"
#include "views/look/qt_names.h"

namespace fathom {

// Rows of the page of places.

// Columns of the list of places.
enum PlaceColumn {
  kPlaceId,
  kPlaceLauncher,
  kPlaceHost,
  kPlaceState,
  kPlaceHeard,
  kPlaceRunning,
  kPlaceWaiting,
  kPlaceFree,
  kPlaceTrouble
};
// "This machine", or the name that somebody gave the place.
QString shownPlaceName(const PlaceRecord& record);
// `doing`: what is being done with the place now, in place of its state; empty: nothing.
void fillPlaceRow(QTreeWidgetItem* item, const PlaceOverview& overview, const QString& doing);
// What, found, what to do.
void fillPlaceFindings(QTreeWidget* list, const KeptLook& look);
// When, asked, answer; the last one is in sight.
void fillPlaceJournal(QTreeWidget* list, const std::vector<PlaceLine>& lines);

}  // namespace fathom
