#include <array>
#include <cstddef>
#include <vector>

#include "reports/bill/printed_bill.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/summary/views.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Google's productive time: steps, with waits inside them other than for input.
constexpr ViewRow productive_time{"productive",
                                  leaves({Leaf::stall_comm,
                                          Leaf::stall_bubble,
                                          Leaf::stall_sync,
                                          Leaf::stall_no_work,
                                          Leaf::stall_interference}) |
                                      leaves_of({LeafGroup::productive})};

/// Other held time, by the badput types of Google's library; every leaf is in one row.
constexpr std::array badput_types{
    ViewRow{"PROGRAM_STARTUP", leaves({Leaf::over_startup})},
    ViewRow{"DATA_LOADING_SYNC", leaves({Leaf::stall_input})},
    ViewRow{"UNPRODUCTIVE_CHECKPOINT_SAVE_TIME", leaves({Leaf::over_checkpoint})},
    ViewRow{"UNPRODUCTIVE_CHECKPOINT_RESTORE_TIME", leaves({Leaf::over_recovery})},
    ViewRow{"WASTED_PROGRESS_FROM_DISRUPTION", leaves({Leaf::lost_failure, Leaf::lost_preempt})},
    ViewRow{"INFRASTRUCTURE_RECOVERY_FROM_DISRUPTION", leaves({Leaf::over_hang})},
    ViewRow{"OTHER",
            leaves({Leaf::over_teardown,
                    Leaf::lost_job_failed,
                    Leaf::lost_cancelled,
                    Leaf::lost_duplicate,
                    Leaf::lost_stopped})},
};

/// All time that jobs hold.
constexpr ViewRow held_time{
    "held",
    leaves_of({LeafGroup::overhead, LeafGroup::stalled, LeafGroup::lost, LeafGroup::productive})};

} // namespace

void write_goodput(const Result& result, const OutputOptions&, TextSink& sink) {
    const PrintedBill bill = print_bill(result);
    std::vector<int128> hours{productive_time.sum(bill.leaf_hours)};
    for (const ViewRow& row : badput_types)
        hours.push_back(row.sum(bill.leaf_hours));
    const std::vector<int128> percent = share(100'000'000, hours);
    const bool is_nothing = held_time.sum(bill.leaf_hours) == 0;
    const auto known = [&](int128 part) { return is_nothing ? std::nullopt : std::optional{part}; };
    JsonWriter json{sink};
    const auto put_figures = [&](const ViewRow& row) {
        json.micro("gpu_hours", row.sum(bill.leaf_hours));
        json.micro("cost", row.sum(bill.leaf_usd));
    };
    json.object([&] {
        json.integer("schema_version", schema_version);
        json.string("job_name", result.run.scenario_name);
        json.object("total", [&] { put_figures(held_time); });
        json.object("productive", [&] { put_figures(productive_time); });
        json.micro_or_null("goodput", known(percent[0]));
        json.object("badput", [&] {
            for (std::size_t i = 0; i < badput_types.size(); ++i)
                json.object(badput_types[i].name, [&] {
                    put_figures(badput_types[i]);
                    json.micro_or_null("percent", known(percent[i + 1]));
                });
        });
    });
}

}} // namespace bursar::reports
