#include <stdexcept>

#include "policies/allocator/allocators.hpp"

// For builds without libraries, whose batches refuse allocators.
namespace bursar { inline namespace policies {
namespace {

[[noreturn]] std::unique_ptr<Allocator> refuse() {
    throw std::logic_error{"this build has no allocators"};
}

} // namespace

std::unique_ptr<Allocator> NoAllocator::from(const PolicyOptions&) {
    return nullptr;
}
std::unique_ptr<Allocator> FifoPerf::from(const PolicyOptions&) {
    refuse();
}
std::unique_ptr<Allocator> MaxMinFairness::from(const PolicyOptions&) {
    refuse();
}
std::unique_ptr<Allocator> FinishTimeAllocation::from(const PolicyOptions&) {
    refuse();
}
std::unique_ptr<Allocator> Makespan::from(const PolicyOptions&) {
    refuse();
}

}} // namespace bursar::policies
