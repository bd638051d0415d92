#include "policies/runs/make_allocator.hpp"

#include <type_traits>

#include "policies/allocator/registry.hpp"

namespace bursar { inline namespace policies {

std::unique_ptr<Allocator> make_allocator(const PolicyChoice& choice) {
    std::unique_ptr<Allocator> allocator;
    AllocatorPolicies::with(choice.allocator, [&]<class P>(std::type_identity<P>) {
        allocator = P::from(choice.allocator_options);
    });
    return allocator;
}

}} // namespace bursar::policies
