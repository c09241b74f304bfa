// SPDX-License-Identifier: GPL-3.0-or-later
// What a session remembers of the Errors workspace.
#include <QSplitter>

#include "app/window/errors/errors_workspace.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/tables/error_review.h"

namespace fathom {

QByteArray ErrorsWorkspace::saveView() const {
  Json json;
  json["columns"] = m_columns->saveState().toBase64().toStdString();
  json["detail"] = m_detail->saveState().toBase64().toStdString();
  json["above"] = m_above->saveState().toBase64().toStdString();
  json["predictions"] = m_predictions->saveLayout().toStdString();
  if (const int model = m_review->currentModel(); model >= 0) {
    json["model"] = toUtf8(m_review->modelName(model));
    json["example"] = m_review->currentExample();
  }
  json["style"] = toUtf8(m_comparison->exportStyle());
  return QByteArray::fromStdString(json.dump());
}

void ErrorsWorkspace::restoreView(const QByteArray& view) {
  const Json json = Json::parse(view.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  const auto text = [&json](const char* key) {
    return json.contains(key) && json[key].is_string()
               ? QByteArray::fromStdString(json[key].get<std::string>())
               : QByteArray();
  };
  m_columns->restoreState(QByteArray::fromBase64(text("columns")));
  m_detail->restoreState(QByteArray::fromBase64(text("detail")));
  m_above->restoreState(QByteArray::fromBase64(text("above")));
  m_placeModel = QString::fromUtf8(text("model"));
  m_placeExample = json.value("example", -1);
  m_comparison->setExportStyle(QString::fromUtf8(text("style")));
  m_predictions->restoreLayout(text("predictions"));
}

// The predictions of the last session open where they were left; others open at their beginning.
void ErrorsWorkspace::returnToPlace() {
  for (int model = 0; model < m_review->models(); ++model) {
    if (m_review->modelName(model) != m_placeModel || m_placeExample < 0) continue;
    if (m_placeExample < m_review->examples()) m_review->choose(model, m_placeExample, nullptr);
  }
  m_placeModel.clear();
}

}  // namespace fathom
