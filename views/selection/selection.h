// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <array>

#include "core/base/errors/result.h"

namespace fathom {

enum class Dimension {
  Run,
  PredictionSet,
  Checkpoint,
  DataSet,
  Example,
  Stack,
  AttentionKind,
  Layer,
  Sublayer,
  Head,
  QueryToken,
  KeyToken,
  Category
};
inline constexpr std::size_t kDimensions = 13;

// Choice along one dimension: ids in the order they were chosen, and the current one (empty if none;
// it is always a member of the set).
struct DimensionSelection {
  QStringList items;
  QString current;
  bool operator==(const DimensionSelection&) const = default;
};

// A value. The string form joins the dimensions that are not empty with '/', in the order of the enum:
//   run:4f1c…,9a02…/ckpt:1200/ex:17/dec.cross/L3/S1/H5/q:4/k:9/cat:column
// Run, set (set:), checkpoint (ckpt:), data (data:), example (ex:), query (q:), key (k:) and category (cat:)
// have a prefix; stack and attention kind are written together, "dec.cross", or "dec" and ".cross" alone;
// layer L3, sub-layer S1, head H5. Several items are joined by ',', the current one is marked by '*' unless
// it is the last. In items %, /, ',', '*' and ':' are written as %25 and so on.
class Selection {
 public:
  const DimensionSelection& of(Dimension dimension) const {
    return m_parts[static_cast<std::size_t>(dimension)];
  }
  QString current(Dimension dimension) const { return of(dimension).current; }

  // Repeated items are taken once. `current` empty or not a member: the last item.
  void set(Dimension dimension, const QStringList& items, const QString& current = {});
  void clear(Dimension dimension) { set(dimension, {}); }

  QString text() const;
  static Result<Selection> fromText(const QString& text);  // usage error naming the part
  bool operator==(const Selection&) const = default;

 private:
  std::array<DimensionSelection, kDimensions> m_parts;
};

}  // namespace fathom
