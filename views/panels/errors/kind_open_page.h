// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/review.h"
#include "views/panels/errors/open_page.h"

namespace fathom {

// Where predictions of any kind come from: the kind, its gold file and other files, options, and any number
// of prediction files. What the form asks follows from the kind's entry. A file of null odds is browsed for
// as kNullOdds.
class KindOpenPage : public OpenPage {
  Q_OBJECT
 public:
  explicit KindOpenPage(QWidget* parent = nullptr);
  void setSources(const ReviewSources& sources);
  ReviewSources sources() const;
  void setKind(const QString& id);
  static constexpr const char* kNullOdds = "null_odds";
  // "gold", a file of the kind: fills a field; kNullOdds: that of the selected predictions.
  void setPath(const QString& field, const QString& path);
  void addPredictions(const QStringList& files) override;

 private:
  void fillForm();
  void refresh() override;
  const ReviewKind* kind() const;
  QComboBox* m_kind;
  QLabel* m_description;
  QWidget* m_formArea;
  QFormLayout* m_form;
  QLabel* m_hint;
  QPushButton* m_odds;
};

}  // namespace fathom
