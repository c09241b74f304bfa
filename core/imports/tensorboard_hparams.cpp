// SPDX-License-Identifier: Apache-2.0
#include "core/imports/tensorboard_hparams.h"

#include "core/imports/formats/protobuf_wire.h"

namespace fathom {

namespace {

constexpr int kMaxHparamDepth = 8;
constexpr int kMaxItems = 5000;  // of one session, in lists and structures too

class HparamsReader {
 public:
  explicit HparamsReader(ImportedOptions& options) : m_options(options) {}

  // HParamsPluginData: version (1), experiment (2), session_start_info (3), session_end_info (4).
  bool plugin(std::string_view bytes) {
    return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
      std::string_view session;
      if (number != 3 || type != 2) return message.skip(type);
      return message.bytes(session) && this->session(session);
    });
  }

 private:
  // SessionStartInfo: a map of hparams (1); where it is kept and watched is left.
  bool session(std::string_view bytes) {
    return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
      std::string_view entry;
      if (number != 1 || type != 2) return message.skip(type);
      std::string name;
      Json value;
      if (!message.bytes(entry) || !pair(entry, name, value, 0)) return false;
      m_options.add(name, value);
      return true;
    });
  }

  // An entry of a map: key (1), value (2).
  bool pair(std::string_view bytes, std::string& name, Json& out, int depth) {
    return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
      std::string_view inner;
      if (type != 2 || (number != 1 && number != 2)) return message.skip(type);
      if (!message.bytes(inner)) return false;
      if (number == 2) return value(inner, out, depth);
      name = inner;
      return true;
    });
  }

  // google.protobuf.Value: null (1), number (2), text (3), truth (4), structure (5), list (6).
  bool value(std::string_view bytes, Json& out, int depth) {
    if (depth > kMaxHparamDepth || ++m_items > kMaxItems) return false;
    return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
      std::uint64_t word = 0;
      double real = 0;
      std::string_view inner;
      if (number == 2 && type == 1) {
        if (!message.fixed(real)) return false;
        out = real;
      } else if (number == 3 && type == 2) {
        if (!message.bytes(inner)) return false;
        out = std::string(inner);
      } else if (number == 4 && type == 0) {
        if (!message.varint(word)) return false;
        out = word != 0;
      } else if ((number == 5 || number == 6) && type == 2) {
        return message.bytes(inner) && (number == 5 ? structure(inner, out, depth) : list(inner, out, depth));
      } else {
        return message.skip(type);
      }
      return true;
    });
  }

  bool structure(std::string_view bytes, Json& out, int depth) {
    out = Json::object();
    return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
      std::string_view entry;
      if (number != 1 || type != 2) return message.skip(type);
      std::string name;
      Json item;
      if (!message.bytes(entry) || !pair(entry, name, item, depth + 1)) return false;
      out[name] = std::move(item);
      return true;
    });
  }

  bool list(std::string_view bytes, Json& out, int depth) {
    out = Json::array();
    return eachField(bytes, [&](WireReader& message, std::uint32_t number, int type) {
      std::string_view inner;
      if (number != 1 || type != 2) return message.skip(type);
      Json item;
      if (!message.bytes(inner) || !value(inner, item, depth + 1)) return false;
      out.push_back(std::move(item));
      return true;
    });
  }

  ImportedOptions& m_options;
  int m_items = 0;
};

}  // namespace

bool readTensorboardHparams(std::string_view bytes, ImportedOptions& options) {
  return HparamsReader(options).plugin(bytes);
}

}  // namespace fathom
