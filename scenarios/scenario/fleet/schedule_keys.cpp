#include "scenarios/scenario/fleet/schedule_keys.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "scenarios/calendar/wall_clock.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/fleet/provisioning_keys.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::uint8_t every_day = 0b111'1111;
constexpr std::array<std::pair<std::string_view, std::uint8_t>, 9> day_names{
    {{"mon", 1U << 0U},
     {"tue", 1U << 1U},
     {"wed", 1U << 2U},
     {"thu", 1U << 3U},
     {"fri", 1U << 4U},
     {"sat", 1U << 5U},
     {"sun", 1U << 6U},
     {"weekdays", 0b1'1111},
     {"weekend", 0b110'0000}}};

/// Days of the week, by name or by the part of the week.
struct DaysRule {
    using value_type = std::uint8_t;

    static auto names() {
        std::vector<std::string> all;
        for (const auto& [name, bits] : day_names)
            all.emplace_back(name);
        return one_or_list_of(one_of(std::move(all)));
    }
    [[nodiscard]] std::optional<std::uint8_t> read(const Reader& at) const {
        const auto days = names().read(at);
        if (!days)
            return std::nullopt;
        std::uint8_t bits = 0;
        for (const auto& [name, of_name] : day_names)
            if (std::ranges::find(*days, name) != days->end())
                bits |= of_name;
        return bits;
    }
    [[nodiscard]] Schema schema() const { return names().schema(); }
};

struct ClockZoneRule {
    using value_type = std::string;

    [[nodiscard]] std::optional<std::string> read(const Reader& at) const {
        std::optional<std::string> name = text().read(at);
        if (!name || is_clock_zone(*name))
            return name;
        return at.mistake(in_quotes(*name) + " is no time zone",
                          "this machine's time-zone database does not have it",
                          "UTC, an offset such as +08:00, or a name such as Europe/Berlin");
    }
    [[nodiscard]] Schema schema() const { return text().schema(); }
};

void check_hours(const Reader& at, ScheduledHours& row, const KeysRead& keys) {
    if (keys.good("days") && !at.find("days"))
        row.days = every_day;
    if (keys.good("from") && keys.good("to") && row.from >= row.to)
        at.mistake_at(at.find("to") ? "to" : "from",
                      "these hours are empty",
                      "they end where they begin, or before",
                      "hours through midnight take two rows");
}

Table<ScheduledHours> hours_keys() {
    using T = ScheduledHours;
    return table<T>(
               {
                   optional("days",
                            &T::days,
                            DaysRule{},
                            "days of the week, one or a list; default: every day"),
                   optional("from",
                            &T::from,
                            whole_number(0, 23),
                            "hour of the day at which they begin; default 0"),
                   optional(
                       "to", &T::to, whole_number(1, 24), "hour at which they end; default 24"),
                   required("nodes",
                            &T::nodes,
                            whole_number(0, max_nodes_of_pool),
                            "nodes that the pool has at least in these hours"),
               })
        .check(check_hours);
}

} // namespace

Table<ScheduleSpec> schedule_keys() {
    return table<ScheduleSpec>({
        optional("zone",
                 &ScheduleSpec::zone,
                 ClockZoneRule{},
                 "zone of the hours: UTC, an offset such as +08:00, or a name such as "
                 "Europe/Berlin; default UTC"),
        required("hours",
                 &ScheduleSpec::rows,
                 list_of(hours_keys()),
                 "hours of the week with a least number of nodes of their own; where several "
                 "hold, the largest"),
    });
}

}} // namespace bursar::scenarios
