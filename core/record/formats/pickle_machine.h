// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/text/utf8.h"
#include "core/record/formats/inert_pickle.h"

namespace fathom::inert {

// The stack machine behind inert_pickle.h: values that hold each other, and the operations that make them.

constexpr std::size_t kMaxStack = 1000000, kMaxMemo = 1000000, kMaxValues = 1000000;
constexpr std::size_t kMaxPlaces = 4000000, kMaxText = 64 * 1024;
constexpr std::size_t kMaxTensors = 100000, kMaxRank = 64, kMaxKey = 1000;
// Names, keys and sizes of all tensors together: one long key that a thousand tensors share is copied for
// each.
constexpr std::size_t kMaxDescription = std::size_t{32} << 20;
constexpr std::int64_t kMaxWork = 50000000;
constexpr int kMaxPickleDepth = 64;

struct Value;
// Into the machine's own store: values may hold each other in long chains and in circles, which counted
// references would free one inside the other, or never.
using ValuePtr = Value*;
struct Global {
  std::string name;  // "module attribute"
};
struct Storage {
  std::string dtype, key;
  std::int64_t count = 0;
  std::int64_t begin = 0;  // of a view of a storage, in elements
};
struct Items {
  enum class Kind { Tuple, List, Dict } kind = Kind::Tuple;
  std::vector<ValuePtr> values;  // a dict holds key, value, key, value, …
};
struct MarkValue {};
struct NoneValue {};
struct Value {
  std::variant<NoneValue, bool, std::int64_t, double, std::string, Global, Storage, Items,
               std::unique_ptr<PickledTensor>, MarkValue>
      data;
  int depth = 0;  // of the containers inside
};

struct PickleRefusal {
  Phrase message;
};

inline std::size_t descriptionBytes(const PickledTensor& tensor) {
  return sizeof tensor + tensor.name.size() + tensor.storageKey.size() +
         (tensor.shape.size() + tensor.stride.size()) * sizeof(std::int64_t);
}

// Storage classes and dtype names of torch, by the safetensors name of their elements.
inline const std::map<std::string, std::string>& storageTypes() {
  static const std::map<std::string, std::string> types = {
      {"torch FloatStorage", "F32"},         {"torch HalfStorage", "F16"},
      {"torch BFloat16Storage", "BF16"},     {"torch DoubleStorage", "F64"},
      {"torch LongStorage", "I64"},          {"torch IntStorage", "I32"},
      {"torch ShortStorage", "I16"},         {"torch CharStorage", "I8"},
      {"torch ByteStorage", "U8"},           {"torch BoolStorage", "BOOL"},
      {"torch.storage UntypedStorage", "U8"}};
  return types;
}

inline bool knownGlobal(const std::string& name) {
  static const std::set<std::string> allowed = {"collections OrderedDict", "torch._utils _rebuild_tensor_v2",
                                                "torch._utils _rebuild_tensor",
                                                "torch._utils _rebuild_parameter", "torch Size"};
  static const std::set<std::string> dtypes = {
      "torch float32", "torch float16", "torch bfloat16", "torch float64", "torch int64",
      "torch int32",   "torch int16",   "torch int8",     "torch uint8",   "torch bool"};
  return allowed.contains(name) || dtypes.contains(name) || storageTypes().contains(name);
}

// A storage of the zip form is bytes, which views of several number formats may share; one of before
// torch 1.6 is elements of one format, whose number stands before them.
enum class StorageForm { Bytes, Elements };

class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, StorageForm form) : m_bytes(bytes), m_form(form) {}

  // The value of the next pickle; values of those before stay as they are. Throws PickleRefusal.
  ValuePtr run() {
    m_stack.clear();
    m_memo.clear();
    while (true) {
      if (++m_work > kMaxWork) refuse(Phrase::tr("it takes more than 50 million steps"));
      const auto op = static_cast<unsigned char>(take(1)[0]);
      if (op == '.') return pop();
      if (!scalar(op) && !container(op) && !memo(op)) call(op);
    }
  }
  // Bytes that were read.
  std::size_t position() const { return m_at; }
  // Every storage that was named, as it was described first.
  const std::map<std::string, Storage>& storages() const { return m_storages; }

 private:
  [[noreturn]] void refuse(const Phrase& why) const {
    throw PickleRefusal{Phrase::tr("%1 (byte %2)")(why, m_at)};
  }

  std::string_view take(std::size_t count) {
    if (count > m_bytes.size() - m_at) refuse(Phrase::tr("it ends inside an item"));
    m_at += count;
    return m_bytes.substr(m_at - count, count);
  }
  std::uint64_t number(int count) {
    const std::string_view bytes = take(static_cast<std::size_t>(count));
    std::uint64_t value = 0;
    for (int i = count - 1; i >= 0; --i)
      value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    return value;
  }
  std::string line() {
    const auto end = m_bytes.find('\n', m_at);
    if (end == std::string_view::npos || end - m_at > kMaxText) refuse(Phrase::tr("a name has no end"));
    std::string text(m_bytes.substr(m_at, end - m_at));
    m_at = end + 1;
    return text;
  }

  template <typename T>
  ValuePtr make(T data) {
    if (m_values.size() >= kMaxValues) refuse(Phrase::tr("it holds more than a million values"));
    m_values.emplace_back().data = std::move(data);
    return &m_values.back();
  }
  void push(ValuePtr value) {
    if (m_stack.size() >= kMaxStack) refuse(Phrase::tr("it needs too large a stack"));
    m_stack.push_back(value);
  }
  template <typename T>
  void pushNew(T data) {
    push(make(std::move(data)));
  }
  ValuePtr pop() {
    if (m_stack.empty()) refuse(Phrase::tr("it takes more from its stack than it put there"));
    const ValuePtr value = m_stack.back();
    m_stack.pop_back();
    if (std::holds_alternative<MarkValue>(value->data))
      refuse(Phrase::tr("a mark stands where a value belongs"));
    return value;
  }
  std::vector<ValuePtr> popToMark() {
    std::size_t at = m_stack.size();
    while (at > 0 && !std::holds_alternative<MarkValue>(m_stack[at - 1]->data)) --at;
    if (at == 0) refuse(Phrase::tr("a mark is missing"));
    std::vector<ValuePtr> values(m_stack.begin() + static_cast<std::ptrdiff_t>(at), m_stack.end());
    m_stack.resize(at - 1);
    return values;
  }
  Items& top(Items::Kind kind) {
    if (m_stack.empty()) refuse(Phrase::tr("a container is missing"));
    auto* items = std::get_if<Items>(&m_stack.back()->data);
    if (items == nullptr || items->kind != kind)
      refuse(Phrase::tr("items are added to something that does not hold items"));
    return *items;
  }
  // Adds children and keeps the depth bounded; a container inside itself is refused.
  void adopt(Value& parent, const std::vector<ValuePtr>& children) {
    auto& items = std::get<Items>(parent.data);
    // A list of a million may be named in every second byte: places count, too, not only values.
    m_adopted += children.size();
    if (m_adopted > kMaxPlaces) refuse(Phrase::tr("its containers hold more than four million items"));
    for (const ValuePtr child : children) {
      if (child == &parent) refuse(Phrase::tr("a container holds itself"));
      parent.depth = std::max(parent.depth, child->depth + 1);
      if (parent.depth > kMaxPickleDepth) refuse(Phrase::tr("it is nested deeper than 64 levels"));
      items.values.push_back(child);
    }
  }
  ValuePtr tuple(const std::vector<ValuePtr>& values) {
    ValuePtr result = make(Items{Items::Kind::Tuple, {}});
    adopt(*result, values);
    return result;
  }

  bool scalar(unsigned char op) {
    switch (op) {
      case 0x80:
        if (number(1) > 2)
          refuse(Phrase::tr("it is of a pickle protocol above 2; save the weights as safetensors"));
        return true;
      case 'N':
        push(&m_none);
        return true;
      case 0x88:
        push(&m_true);
        return true;
      case 0x89:
        push(&m_false);
        return true;
      case 'K':
        pushNew(static_cast<std::int64_t>(number(1)));
        return true;
      case 'M':
        pushNew(static_cast<std::int64_t>(number(2)));
        return true;
      case 'J':
        pushNew(static_cast<std::int64_t>(static_cast<std::int32_t>(number(4))));
        return true;
      case 0x8a: {
        const int size = static_cast<int>(number(1));
        if (size > 8) {  // a number of some training state; a size of a tensor it cannot be
          take(static_cast<std::size_t>(size));
          push(&m_none);
          return true;
        }
        std::uint64_t value = size == 0 ? 0 : number(size);
        if (size > 0 && size < 8 && (value >> (8 * size - 1) & 1) != 0)
          value |= ~std::uint64_t{0} << 8 * size;
        pushNew(static_cast<std::int64_t>(value));
        return true;
      }
      case 'G': {
        std::uint64_t bits = 0;
        for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        pushNew(value);
        return true;
      }
      case 'X':
        pushText(number(4));
        return true;
      case 'U':  // texts of Python 2
        pushText(number(1));
        return true;
      case 'T':
        pushText(number(4));
        return true;
      default:
        return false;
    }
  }

  void pushText(std::uint64_t size) {
    if (size > kMaxText) refuse(Phrase::tr("a text is longer than 64 kB"));
    const std::string_view text = take(size);
    if (!validUtf8(text)) refuse(Phrase::tr("a text is not UTF-8"));
    pushNew(std::string(text));
  }

  bool container(unsigned char op) {
    switch (op) {
      case '(':
        push(&m_mark);
        return true;
      case ')':
        push(&m_emptyTuple);
        return true;
      case '}':
        pushNew(Items{Items::Kind::Dict, {}});
        return true;
      case ']':
        pushNew(Items{Items::Kind::List, {}});
        return true;
      case 't':
        push(tuple(popToMark()));
        return true;
      case 0x85:
      case 0x86:
      case 0x87: {
        std::vector<ValuePtr> values(static_cast<std::size_t>(op - 0x84));
        for (std::size_t i = values.size(); i-- > 0;) values[i] = pop();
        push(tuple(values));
        return true;
      }
      case 'a': {
        const ValuePtr value = pop();
        top(Items::Kind::List);
        adopt(*m_stack.back(), {value});
        return true;
      }
      case 'e': {
        const auto values = popToMark();
        top(Items::Kind::List);
        adopt(*m_stack.back(), values);
        return true;
      }
      case 's': {
        const ValuePtr value = pop(), key = pop();
        top(Items::Kind::Dict);
        adopt(*m_stack.back(), {key, value});
        return true;
      }
      case 'u': {
        const auto values = popToMark();
        if (values.size() % 2 != 0) refuse(Phrase::tr("a key has no value"));
        top(Items::Kind::Dict);
        adopt(*m_stack.back(), values);
        return true;
      }
      default:
        return false;
    }
  }

  bool memo(unsigned char op) {
    switch (op) {
      case 'q':
        return remember(number(1));
      case 'r':
        return remember(number(4));
      case 'h':
        return recall(number(1));
      case 'j':
        return recall(number(4));
      default:
        return false;
    }
  }
  bool remember(std::uint64_t slot) {
    if (slot >= kMaxMemo) refuse(Phrase::tr("memo slot %1 is out of bounds")(slot));
    if (m_stack.empty()) refuse(Phrase::tr("nothing to remember"));
    m_memo[slot] = m_stack.back();
    return true;
  }
  bool recall(std::uint64_t slot) {
    const auto found = m_memo.find(slot);
    if (found == m_memo.end()) refuse(Phrase::tr("memo slot %1 was never filled")(slot));
    push(found->second);
    return true;
  }

  void call(unsigned char op) {
    switch (op) {
      case 'c': {
        const std::string module = line(), attribute = line();
        if (!knownGlobal(module + " " + attribute)) {
          refuse(Phrase::tr("it asks for %1.%2, which has no place in a file of weights")(module, attribute));
        }
        pushNew(Global{module + " " + attribute});
        return;
      }
      case 'Q':
        push(persistentStorage(pop()));
        return;
      case 'R': {
        const ValuePtr arguments = pop(), function = pop();
        push(reduce(function, arguments));
        return;
      }
      case 'b': {
        // State of an OrderedDict: its attributes (_metadata), which describe versions and no tensors.
        pop();
        top(Items::Kind::Dict);
        return;
      }
      default:
        refuse(Phrase::tr("it uses operation %1, which weights do not need")(op));
    }
  }

  const std::vector<ValuePtr>& argumentsOf(ValuePtr value, std::size_t atLeast) {
    const auto* items = std::get_if<Items>(&value->data);
    if (items == nullptr || items->kind != Items::Kind::Tuple || items->values.size() < atLeast) {
      refuse(Phrase::tr("a tensor is built from too few values"));
    }
    return items->values;
  }
  std::int64_t integerOf(ValuePtr value) {
    const auto* number = std::get_if<std::int64_t>(&value->data);
    if (number == nullptr) refuse(Phrase::tr("a size is not an integer"));
    return *number;
  }
  std::vector<std::int64_t> integersOf(ValuePtr value) {
    const auto& items = argumentsOf(value, 0);
    if (items.size() > kMaxRank) refuse(Phrase::tr("a tensor has more than 64 dimensions"));
    std::vector<std::int64_t> result;
    result.reserve(items.size());
    for (const ValuePtr item : items) result.push_back(integerOf(item));
    return result;
  }

  // ("storage", class, key, device, element count), in files before torch 1.6 with a sixth part: nothing, or
  // (key, first element, element count) of a view of the storage.
  ValuePtr persistentStorage(ValuePtr id) {
    const auto& parts = argumentsOf(id, 5);
    const auto* type = std::get_if<Global>(&parts[1]->data);
    const auto* key = std::get_if<std::string>(&parts[2]->data);
    if (type == nullptr || key == nullptr || !storageTypes().contains(type->name))
      refuse(Phrase::tr("a storage is malformed"));
    if (key->size() > kMaxKey) refuse(Phrase::tr("the name of a storage is longer than 1,000 bytes"));
    Storage storage{storageTypes().at(type->name), *key, integerOf(parts[4])};
    const auto [known, added] = m_storages.emplace(*key, storage);
    if (m_form == StorageForm::Elements &&
        (known->second.dtype != storage.dtype || known->second.count != storage.count))
      refuse(Phrase::tr("a storage is described twice, in two ways"));
    m_described += added ? sizeof storage + 2 * key->size() : 0;
    if (parts.size() > 5 && !std::holds_alternative<NoneValue>(parts[5]->data)) {
      storage.begin = integerOf(argumentsOf(parts[5], 3)[1]);
      if (storage.begin < 0 || storage.begin > storage.count) refuse(Phrase::tr("a storage is malformed"));
    }
    return make(std::move(storage));
  }

  ValuePtr reduce(ValuePtr function, ValuePtr arguments) {
    const auto* global = std::get_if<Global>(&function->data);
    if (global == nullptr) refuse(Phrase::tr("it calls something that is not a function"));
    if (global->name == "collections OrderedDict") return orderedDict(arguments);
    if (global->name == "torch Size") return argumentsOf(arguments, 1)[0];
    if (global->name == "torch._utils _rebuild_parameter") return argumentsOf(arguments, 1)[0];
    // The first builder, of torch 0.3, takes the four parts that count.
    if (global->name != "torch._utils _rebuild_tensor_v2" && global->name != "torch._utils _rebuild_tensor")
      refuse(Phrase::tr("it calls %1")(global->name));
    const auto& parts = argumentsOf(arguments, 4);
    const auto* storage = std::get_if<Storage>(&parts[0]->data);
    if (storage == nullptr) refuse(Phrase::tr("a tensor has no storage"));
    auto tensor = std::make_unique<PickledTensor>();
    tensor->dtype = storage->dtype;
    tensor->storageKey = storage->key;
    tensor->storageCount = storage->count;
    if (__builtin_add_overflow(integerOf(parts[1]), storage->begin, &tensor->offset))
      refuse(Phrase::tr("a storage is malformed"));
    tensor->shape = integersOf(parts[2]);
    tensor->stride = integersOf(parts[3]);
    m_described += descriptionBytes(*tensor);
    if (m_described > kMaxDescription) refuse(Phrase::tr("the sizes of its tensors take more than 32 MiB"));
    return make(std::move(tensor));
  }
  ValuePtr orderedDict(ValuePtr arguments) {
    ValuePtr dict = make(Items{Items::Kind::Dict, {}});
    const auto& parts = argumentsOf(arguments, 0);
    if (parts.empty()) return dict;
    const auto* pairs = std::get_if<Items>(&parts[0]->data);
    if (pairs == nullptr) refuse(Phrase::tr("an ordered dictionary is malformed"));
    for (const ValuePtr pair : pairs->values) {
      const auto* both = std::get_if<Items>(&pair->data);
      if (both == nullptr || both->values.size() != 2)
        refuse(Phrase::tr("an ordered dictionary is malformed"));
      adopt(*dict, both->values);
    }
    return dict;
  }

  std::string_view m_bytes;
  StorageForm m_form;
  std::size_t m_at = 0;
  std::int64_t m_work = 0;
  std::size_t m_described = 0, m_adopted = 0;
  std::deque<Value> m_values;
  Value m_none{NoneValue{}}, m_true{true}, m_false{false}, m_mark{MarkValue{}},
      m_emptyTuple{Items{Items::Kind::Tuple, {}}};
  std::map<std::string, Storage> m_storages;
  std::vector<ValuePtr> m_stack;
  std::unordered_map<std::uint64_t, ValuePtr> m_memo;
};

}  // namespace fathom::inert
