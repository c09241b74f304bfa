// SPDX-License-Identifier: Apache-2.0
// Carrier of the precompiled headers of Precompiled.cmake.
