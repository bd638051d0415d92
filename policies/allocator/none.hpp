#pragma once

#include <memory>
#include <string_view>

#include "sim/engine/passes/allocator.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// No allocator: the queue's order decides, job by job.
struct NoAllocator {
    static constexpr std::string_view name = "none";
    static constexpr std::string_view summary = "jobs start one by one, in the order of `queue`";
    static constexpr std::string_view cost = "nothing";
    static constexpr std::string_view source = "";

    static std::unique_ptr<Allocator> from(const PolicyOptions&) { return nullptr; }
};

}} // namespace bursar::policies
