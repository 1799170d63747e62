// SPDX-License-Identifier: BSD-3-Clause
// A part of SYCL 2020 for processors, as a library of headers.
#ifndef SYCL_SYCL_HPP
#define SYCL_SYCL_HPP

#if __cplusplus < 201703L
#error "sycl/sycl.hpp needs C++17 or later: compile with -std=c++17"
#endif
#ifndef __linux__
#error "this sycl/sycl.hpp is for Linux"
#endif

#define SYCL_LANGUAGE_VERSION 202012L
#define CL_SYCL_LANGUAGE_VERSION 202012L
#define SYCL_IMPLEMENTATION_TERN 1
#define SYCL_EXT_TERN_YIELD 1

#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/event.hpp"
#include "sycl/exception.hpp"
#include "sycl/group_barrier.hpp"
#include "sycl/handler.hpp"
#include "sycl/index_space.hpp"
#include "sycl/item.hpp"
#include "sycl/memory_model.hpp"
#include "sycl/property.hpp"
#include "sycl/queue.hpp"
#include "sycl/usm.hpp"

#endif
