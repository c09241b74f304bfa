// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// A type that is stored as a JSON object names its members once, for writing and for reading:
//
//   template <typename Io>
//   void jsonMembers(Io& io, SublayerNorm& norm) {
//     io("name", norm.name)("layer", norm.layer)("norm", norm.norm);
//   }
//
// jsonOf(value) writes them in that order; readJson(json, value) throws (Json::exception, Failure) for a
// member that is missing or has another type. Reals may be infinite or NaN (jsonReal); an optional is there
// or not; vectors are lists, vectors of named values objects; types with members of their own are objects in
// turn.
class JsonWriter {
 public:
  template <typename T>
  JsonWriter& operator()(const char* key, const T& value);
  // Writes a value that follows from the others and is not read again.
  template <typename T>
  JsonWriter& derived(const char* key, const T& value) {
    return (*this)(key, value);
  }
  Json json = Json::object();
};

class JsonReader {
 public:
  explicit JsonReader(const Json& json) : m_json(json) {}
  template <typename T>
  JsonReader& operator()(const char* key, T& value);
  template <typename T>
  JsonReader& derived(const char*, const T&) {
    return *this;
  }

 private:
  const Json& m_json;
};

namespace json_fields {
template <typename T>
struct Shape {
  static constexpr bool list = false, named = false, optional = false;
};
template <typename T>
struct Shape<std::vector<T>> {
  static constexpr bool list = true, named = false, optional = false;
};
template <typename T, std::size_t N>
struct Shape<std::array<T, N>> {
  static constexpr bool list = true, named = false, optional = false;
};
template <typename T>
struct Shape<std::vector<std::pair<std::string, T>>> {
  static constexpr bool list = false, named = true, optional = false;
};
template <typename T>
struct Shape<std::optional<T>> {
  static constexpr bool list = false, named = false, optional = true;
};
}  // namespace json_fields

template <typename T>
concept HasJsonMembers = requires(JsonWriter& io, T& value) {
  jsonMembers(io, value);
};

template <typename T>
Json jsonOf(const T& value) {
  using Shape = json_fields::Shape<T>;
  if constexpr (std::floating_point<T>) {
    return jsonReal(value);
  } else if constexpr (Shape::list) {
    Json list = Json::array();
    for (const auto& item : value) list.push_back(jsonOf(item));
    return list;
  } else if constexpr (Shape::named) {
    Json object = Json::object();
    for (const auto& [name, item] : value) object[name] = jsonOf(item);
    return object;
  } else if constexpr (HasJsonMembers<T>) {
    JsonWriter writer;
    jsonMembers(writer, const_cast<T&>(value));  // which only reads it
    return std::move(writer.json);
  } else {
    return value;
  }
}

template <typename T>
void readJson(const Json& json, T& value) {
  using Shape = json_fields::Shape<T>;
  if constexpr (std::floating_point<T>) {
    value = static_cast<T>(realFromJson(json).value());
  } else if constexpr (Shape::list) {
    if (!json.is_array()) throw Failure(dataError(Phrase::tr("expected an array of numbers")));
    if constexpr (requires { value.resize(json.size()); }) value.resize(json.size());
    for (std::size_t i = 0; i < value.size(); ++i) readJson(json.at(i), value[i]);
  } else if constexpr (Shape::named) {
    for (const auto& [name, item] : json.items())
      readJson(item, value.emplace_back(name, typename T::value_type::second_type{}).second);
  } else if constexpr (HasJsonMembers<T>) {
    JsonReader reader(json);
    jsonMembers(reader, value);
  } else {
    value = json.get<T>();
  }
}

template <typename T>
JsonWriter& JsonWriter::operator()(const char* key, const T& value) {
  if constexpr (json_fields::Shape<T>::optional) {
    if (value) json[key] = jsonOf(*value);
  } else {
    json[key] = jsonOf(value);
  }
  return *this;
}

template <typename T>
JsonReader& JsonReader::operator()(const char* key, T& value) {
  if constexpr (json_fields::Shape<T>::optional) {
    if (m_json.contains(key)) readJson(m_json.at(key), value.emplace());
  } else {
    readJson(m_json.at(key), value);
  }
  return *this;
}

// A stored value; a data error in the words of `damaged`, with what is wrong as %1.
template <typename T>
Result<T> storedFromJson(const Json& json, Phrase::Text damaged, const Phrase& hint = {}) {
  try {
    T value;
    readJson(json, value);
    return value;
  } catch (const std::exception& e) {
    const Phrase words = damaged(e.what());
    return dataError(words, hint);
  }
}

}  // namespace fathom
