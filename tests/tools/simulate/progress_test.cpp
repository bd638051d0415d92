#include <chrono>
#include <vector>

#include <doctest/doctest.h>

#include "tools/simulate/progress.hpp"

namespace bursar::test::progress_test {
namespace {

using std::chrono::milliseconds;

constexpr ProgressWatch::Pace fast{milliseconds{1}, milliseconds{1}};
constexpr ProgressWatch::Pace patient{std::chrono::hours{1}, std::chrono::hours{1}};

} // namespace

TEST_CASE("a listener gets the progress until the watch ends") {
    std::mutex mutex;
    std::condition_variable told;
    std::vector<ProgressReport> all;
    {
        ProgressWatch watch{10,
                            [&](const ProgressReport& progress) {
                                const std::lock_guard lock{mutex};
                                all.push_back(progress);
                                told.notify_one();
                            },
                            fast};
        REQUIRE(watch.done() != nullptr);
        *watch.done() += 4;
        std::unique_lock lock{mutex};
        told.wait(lock, [&] { return !all.empty() && all.back().done == 4; });
    }
    const std::size_t num_told = all.size();
    CHECK(all.back().total == 10);
    for (std::size_t i = 1; i < num_told; ++i)
        CHECK(all[i - 1].elapsed < all[i].elapsed);
}

TEST_CASE("work that ends at once makes no progress call and no wait") {
    bool was_told = false;
    {
        ProgressWatch watch{1, [&](const ProgressReport&) { was_told = true; }, patient};
        ++*watch.done();
    }
    CHECK(!was_told);
}

TEST_CASE("without a listener nothing is counted") {
    ProgressWatch watch{1, {}};
    CHECK(watch.done() == nullptr);
}

} // namespace bursar::test::progress_test
