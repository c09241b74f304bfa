// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/run_item.h"

namespace fathom {

// What jobText says behind place and job: "will not start by itself, Priority, nothing heard since 06:40".
QString jobReasonText(const RunJob& job);

}  // namespace fathom
