#include "policies/runs/make_allocator.hpp"

#include <type_traits>

#include "policies/allocator/registry.hpp"

namespace bursar { inline namespace policies {

std::unique_ptr<Allocator> make_allocator(const PolicyChoice& choice, const Plan& plan) {
    std::unique_ptr<Allocator> allocator;
    AllocatorPolicies::with(choice.allocator, [&]<class P>(std::type_identity<P>) {
        allocator = with_options<P>(choice.allocator_options, plan);
    });
    return allocator;
}

}} // namespace bursar::policies
