#include <doctest/doctest.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/sentences.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::purchases_test {

TEST_CASE("payment is listed by purchase option, and the rest under other") {
    // 32 GPU-hours owned at 0.95 USD, 8 reserved at 0.35, and 1.25 USD of storage.
    const Result result = test::sample_result();
    CHECK(purchase_usd(result, print_bill(result)) ==
          PurchaseFigures{30'400'000, 2'800'000, 0, 0, 1'250'000});
    const BillTable table = bill_table(result, {});
    CHECK(table.by_purchase == PurchaseFigures{30'40, 2'80, 0, 0, 1'25});
    CHECK(purchases_sentence(table.by_purchase) == "owned 30.40 USD, reserved 2.80, other 1.25");
}

TEST_CASE("a single purchase needs no line") {
    CHECK(purchases_sentence({100, 0, 0, 0, 0}).empty());
    CHECK(purchases_sentence({0, 0, 0, 0, 0}).empty());
    CHECK(purchases_sentence({0, 0, 1, 2, 0}) == "on demand 0.01 USD, spot 0.02");
}

TEST_CASE("the source of a price is given unless the scenario states the price") {
    Result result = test::sample_result();
    result.run.price_basis = {"owned cost", "declared"};
    CHECK(price_sentences(result).empty());
    result.run.price_basis[1] = "p3.2xlarge spot of p3.json (1a2b3c4d)";
    CHECK(price_sentences(result) ==
          std::vector<std::string>{"t4: p3.2xlarge spot of p3.json (1a2b3c4d)"});
}

TEST_CASE("lost work is reported by the cause of the stop") {
    Result result = test::sample_result();
    CHECK(lost_work_sentence(result).empty());
    const auto stop = [&](std::uint32_t job, Duration lost, StopCause cause) {
        result.stopped.job.push_back(job);
        result.stopped.lost_ms.push_back(lost.count());
        result.stopped.cause.push_back(cause);
    };
    stop(0, 30 * minute, StopCause::preempted);   // 4 GPUs
    stop(3, 15 * minute, StopCause::node_failed); // 8
    stop(3, 15 * minute, StopCause::node_failed);
    stop(4, {}, StopCause::reclaimed);
    const LostByCause lost = lost_by_cause(result);
    const auto of = [&](StopCause cause) { return lost[static_cast<std::size_t>(cause)]; };
    CHECK(of(StopCause::preempted).lost == slot_time(2 * slots_per_gpu, hour));
    CHECK(of(StopCause::node_failed).stops == 2);
    CHECK(of(StopCause::reclaimed).stops == 1);
    CHECK(of(StopCause::hung).stops == 0);
    CHECK(lost_work_sentence(result) ==
          "4.0 GPU-hours of 2 attempts whose node failed, 2.0 of 1 preempted");
    stop(3, hour, StopCause::migrated);
    CHECK(lost_work_sentence(result) == "8.0 GPU-hours of 1 attempt that migrated, 4.0 of 2 whose "
                                        "node failed, 2.0 of 1 preempted");
}

} // namespace bursar::purchases_test
