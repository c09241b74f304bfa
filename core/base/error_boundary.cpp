// SPDX-License-Identifier: Apache-2.0
#include "core/base/error_boundary.h"

#include <new>

namespace fathom {

std::optional<Error> errorThrownBy(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const std::bad_alloc&) {
    return memoryError("there is not enough memory for this", "close other programs, or take less data");
  } catch (const std::exception& e) {
    return internalError(e.what());
  } catch (...) {
    return internalError("something was thrown that is no exception");
  }
}

}  // namespace fathom
