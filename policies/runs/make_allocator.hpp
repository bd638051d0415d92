#pragma once

#include <memory>

#include "sim/engine/passes/allocator.hpp"

#include "policies/choice/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// The allocator of a choice, for runs of that plan, which must outlive it; null: it has none.
/// Builds without libraries, whose batches refuse allocators, throw std::logic_error for any other.
[[nodiscard]] std::unique_ptr<Allocator> make_allocator(const PolicyChoice& choice,
                                                        const Plan& plan);

}} // namespace bursar::policies
