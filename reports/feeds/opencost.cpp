#include <cstddef>
#include <string>
#include <vector>

#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

class OpenCost {
  public:
    OpenCost(const Result& result, TextSink& sink)
        : result_{result}, bill_{print_bill(result)}, stalled_(result.tenants.size()), json_{sink} {
        for (std::size_t i = 0; i < result.cells.size(); ++i) {
            const ResultCell& cell = result.cells[i];
            if (cell.tenant && group_of(cell.leaf) == LeafGroup::stalled)
                stalled_[*cell.tenant] += bill_.cell_usd[i];
        }
    }

    void write() {
        json_.begin_object();
        json_.integer("code", 200);
        json_.key("data");
        json_.begin_array();
        json_.begin_object();
        const auto shares = tenant_shares(result_, bill_, ShareIdle::none);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const bool is_platform = shares[i].name == platform_row_name;
            allocation(shares[i],
                       i < stalled_.size() ? stalled_[i] : 0,
                       is_platform ? bill_.all_other_usd() : 0);
        }
        json_.end_object();
        json_.end_array();
        json_.end_object();
    }

  private:
    void allocation(const TenantShare& share, int128 idle_usd, int128 other_usd) {
        json_.key(share.name);
        json_.begin_object();
        json_.string("name", share.name);
        json_.key("properties");
        json_.begin_object();
        json_.string("cluster", result_.run.scenario_name);
        json_.string("namespace", share.name);
        json_.end_object();
        json_.key("window");
        json_.begin_object();
        instants();
        json_.end_object();
        instants();
        json_.micro(
            "minutes",
            divide_half_up(int128{(result_.window_end - result_.window_begin).count()} * 1'000'000,
                           minute.count()));
        json_.micro("gpuHours", share.printed_hours);
        json_.micro("gpuCost", share.printed_usd);
        json_.micro("gpuCostIdle", idle_usd);
        json_.micro("externalCost", other_usd);
        json_.micro("totalCost", share.printed_usd + other_usd);
        json_.key("totalEfficiency");
        const bool is_workload = share.printed_allocated > 0 && share.printed_usd > 0;
        json_.micro_or_null(
            is_workload ? std::optional{divide_half_up((share.printed_usd - idle_usd) * 1'000'000,
                                                       share.printed_usd)}
                        : std::nullopt);
        json_.end_object();
    }

    /// Both ends; without dates the run begins in 1970.
    void instants() {
        InstantWriter writer{result_.zero_utc_ms.value_or(0)};
        for (const auto& [key, time] :
             {std::pair{"start", result_.window_begin}, std::pair{"end", result_.window_end}}) {
            StringSink text;
            writer.put(text, time);
            json_.string(key, text.text());
        }
    }

    const Result& result_;
    PrintedBill bill_;
    std::vector<int128> stalled_; ///< by tenant, in millionths of a dollar
    JsonWriter json_;
};

} // namespace

void write_opencost(const Result& result, const OutputOptions&, TextSink& sink) {
    OpenCost{result, sink}.write();
}

}} // namespace bursar::reports
