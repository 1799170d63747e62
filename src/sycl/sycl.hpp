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
#define SYCL_IMPLEMENTATION_TERN 1
#define SYCL_EXT_TERN_YIELD 1
#define SYCL_EXTERNAL

#include "sycl/access.hpp"
#include "sycl/accessor.hpp"
#include "sycl/atomic_ref.hpp"
#include "sycl/buffer.hpp"
#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/event.hpp"
#include "sycl/exception.hpp"
#include "sycl/function_objects.hpp"
#include "sycl/group_algorithms.hpp"
#include "sycl/group_barrier.hpp"
#include "sycl/handler.hpp"
#include "sycl/index_space.hpp"
#include "sycl/item.hpp"
#include "sycl/marray.hpp"
#include "sycl/math.hpp"
#include "sycl/memory_model.hpp"
#include "sycl/multi_ptr.hpp"
#include "sycl/property.hpp"
#include "sycl/queue.hpp"
#include "sycl/reduction.hpp"
#include "sycl/refused.hpp"
#include "sycl/span.hpp"
#include "sycl/specialization.hpp"
#include "sycl/stream.hpp"
#include "sycl/usm.hpp"
#include "sycl/vec.hpp"

#endif
