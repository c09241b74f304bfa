// SPDX-License-Identifier: Apache-2.0
// Carrier of the precompiled header that all torch folders share.
