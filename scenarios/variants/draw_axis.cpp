#include "scenarios/variants/draw_axis.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/random/philox.hpp"
#include "models/units/int128.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr int more_digits = 4; ///< digits that a drawn value has beyond those of its range

[[noreturn]] void refuse_draw(const DrawnPath& path, std::string problem, std::string why) {
    throw ScenarioError{Finding{{path.origin}, path.path, std::move(problem), std::move(why), {}}};
}

/// A range without a step, filled with every whole number, or with decimals to four more digits.
ValueRange filled(ValueRange range) {
    if (range.step > 0)
        return range;
    range.step = 1;
    for (int i = 0; i < more_digits && range.decimals > 0; ++i) {
        range.first *= 10;
        range.last *= 10;
    }
    range.decimals += range.decimals > 0 ? more_digits : 0;
    return range;
}

/// The values of a path, by number.
class Values {
  public:
    explicit Values(const DrawnPath& path) : listed_{path.values} {
        if (!listed_.empty())
            return;
        constexpr std::int64_t most = 1'000'000'000'000; // leaves room for the finer digits
        const auto range = parse_value_range(path.range);
        if (!range || range->last > most)
            refuse_draw(path,
                        in_quotes(path.range) + " is not a range to draw from",
                        "such as 10..40 or 0.2..0.4 USD/gpu-h, or a list of values");
        range_ = filled(*range);
        if (range_.size() == 0)
            refuse_draw(path, in_quotes(path.range) + " has no values", "it ends before it begins");
    }

    [[nodiscard]] std::uint64_t size() const {
        return listed_.empty() ? range_.size() : listed_.size();
    }
    [[nodiscard]] std::string at(std::uint64_t i) const {
        return listed_.empty() ? range_.value(i) : listed_[i];
    }

  private:
    const std::vector<std::string>& listed_;
    ValueRange range_;
};

/// The numbers below `n` in an order drawn for the path, by Fisher and Yates' shuffle.
std::vector<std::uint32_t>
shuffled(std::uint32_t n, const RandomStream& random, std::uint64_t path) {
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    for (std::uint32_t i = n - 1; i > 0; --i)
        std::swap(order[i], order[random.below(i + 1U, path, i)]);
    return order;
}

} // namespace

Axis draw_axis(std::span<const DrawnPath> paths,
               DrawMethod method,
               std::uint32_t points,
               std::uint64_t seed) {
    const RandomStream random{seed, Stream::sweep_draws};
    std::vector<Axis> axes;
    for (std::size_t n = 0; n < paths.size(); ++n) {
        const Values values{paths[n]};
        Axis& axis = axes.emplace_back(Axis{paths[n].path, {}});
        axis.origins.assign(points, paths[n].origin);
        const std::uint64_t within = 2 * n;    // draw for the position of a point inside its part
        const std::uint64_t parts = 2 * n + 1; // draw for the order of the parts
        std::vector<std::uint32_t> part(points);
        if (method == DrawMethod::latin_hypercube)
            part = shuffled(points, random, parts);
        for (std::uint32_t i = 0; i < points; ++i) {
            if (method == DrawMethod::random) {
                axis.values.push_back(values.at(random.below(values.size(), within, i)));
                continue;
            }
            // At (part + u) / points of the range, u a fraction of 32 bits.
            const uint128 along = (uint128{part[i]} << 32) | (random.draw(within, i) >> 32);
            axis.values.push_back(values.at(
                static_cast<std::uint64_t>(along * values.size() / (uint128{points} << 32))));
        }
    }
    Axis axis = std::move(axes.front());
    axis.with.assign(std::make_move_iterator(axes.begin() + 1),
                     std::make_move_iterator(axes.end()));
    return axis;
}

}} // namespace bursar::scenarios
