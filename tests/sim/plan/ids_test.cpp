#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/ids.hpp"

namespace bursar::ids_test {
namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) { a == b; };

// An id costs what its number costs.
static_assert(sizeof(JobId) == 4 && sizeof(AttemptId) == 4 && sizeof(PoolId) == 4 &&
              sizeof(StoredPoolId) == 2);
static_assert(std::is_trivially_copyable_v<PoolId> && std::is_trivially_copyable_v<StoredPoolId>);

// An id converts from one of the same kind, but not from a number or an id of another kind.
static_assert(std::is_convertible_v<StoredPoolId, PoolId>);
static_assert(std::is_convertible_v<PoolId, StoredPoolId>);
static_assert(!std::is_convertible_v<std::uint32_t, PoolId>);
static_assert(!std::is_convertible_v<ShapeId, PoolId>);
static_assert(Comparable<PoolId, StoredPoolId> && Comparable<PoolId, std::uint32_t>);
static_assert(!Comparable<PoolId, ShapeId> && !Comparable<JobId, AttemptId>);

} // namespace

TEST_CASE("an id counts and indexes like its number") {
    const std::vector<int> gpus{8, 4, 2};
    int sum = 0;
    for (PoolId pool{0}; pool < gpus.size(); ++pool)
        sum += gpus[pool];
    CHECK(sum == 14);
}

TEST_CASE("an id is the same in any stored width") {
    const StoredPoolId stored = PoolId{3};
    CHECK(stored == PoolId{3});
    CHECK(PoolId{stored} == 3);
}

} // namespace bursar::ids_test
