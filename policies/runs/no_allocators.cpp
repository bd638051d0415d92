#include <stdexcept>

#include "policies/runs/make_allocator.hpp"

namespace bursar { inline namespace policies {

std::unique_ptr<Allocator> make_allocator(const PolicyChoice& choice, const Plan& /*plan*/) {
    if (choice.allocator != allocator_none)
        throw std::logic_error{"this build has no allocators"};
    return nullptr;
}

}} // namespace bursar::policies
