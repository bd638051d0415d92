#include "models/network/collective.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/network/measured_curve.hpp"
#include "models/training/job/cluster.hpp"

#include "scenarios/measurements/collective_measurement.hpp"
#include "scenarios/reader/quantity_rule.hpp"

#include "reports/document/document.hpp"

#include "tools/model/machine_options.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

struct CollectiveOptions {
    Collective kind{Collective::all_reduce};
    std::optional<ByteVolume> size; ///< absent: a table over sizes
    std::optional<CollectiveAlgorithm> algorithm;
    std::string curve; ///< a file; empty: the model alone
    MachineOptions machines;
};

OptionTable<CollectiveOptions> collective_options() {
    using T = CollectiveOptions;
    const MeasureRule<ByteVolume> size{byte_counts, "SIZE", Zero::refused, [](std::int64_t count) {
                                           return volume_of(Bytes{count});
                                       }};
    return option_table<T>(
        {{{"operation", &T::kind, choice(collective_names)}, "operation"},
         {{"--size", &T::size, size},
          "buffer size as nccl-tests counts it, e.g. 1 GiB (default: a table over sizes)"},
         {{"--algorithm", &T::algorithm, choice(algorithm_names)},
          "algorithm (default: NCCL's fastest)"},
         {{"--curve", &T::curve, file_name()},
          "CSV with bytes,time_us: measured times of this operation and group, interpolated"},
         {&T::machines, machine_options()}});
}

std::string name(CollectiveAlgorithm algorithm) {
    return std::string{algorithm_names[static_cast<std::size_t>(algorithm)]};
}

std::vector<Fact> constants_of(const LinkLevel& level) {
    std::vector<Fact> values{
        {"bandwidth", "rate", level.bandwidth.count(), "B/s", "of one GPU, one direction"},
        {"efficiency", "share reached", level.efficiency, "fraction", "by large buffers"},
        {"startup_s", "startup", level.startup.count(), "s", "once"},
        {"hop_s", "hop", level.latency.count(), "s", ""}};
    if (const LowLatencyProtocol& small = level.low_latency; small.efficiency > 0)
        values.insert(
            values.end(),
            {{"low_latency_efficiency", "small buffers: share", small.efficiency, "fraction", ""},
             {"low_latency_startup_s", "startup", small.startup.count(), "s", ""},
             {"low_latency_hop_s", "hop", small.latency.count(), "s", ""}});
    if (level.in_network_reduction)
        values.insert(values.end(),
                      {{"reduction_efficiency",
                        "in the switch: share",
                        level.reduction.efficiency,
                        "fraction",
                        fmt::format("all-reduce of {} GPUs and more", level.reduction.ranks)},
                       {"reduction_startup_s",
                        "startup",
                        level.reduction.startup.count(),
                        "s",
                        "once, no hops"}});
    return values;
}

/// At least two.
std::int64_t gpus_of(const CollectiveOptions& options) {
    const std::int64_t gpus = options.machines.gpus_or_node();
    if (gpus < 2)
        throw ModelError{"--gpus", "a collective needs two GPUs", "give 2 or more"};
    return gpus;
}

/// Builds the answer to one question. Throws ModelError if the given algorithm does not apply.
class CollectiveAnswer {
  public:
    explicit CollectiveAnswer(const CollectiveOptions& options) : options_{options} {
        if (options.algorithm)
            tuning_.algorithms = AlgorithmSet{*options.algorithm};
        if (!options.curve.empty())
            curve_ = read_collective_curve(options.curve);
    }

    /// Time, bandwidths and terms at one size, with the times of the other algorithms; or the times
    /// over sizes.

    Document build() {
        answer_.command = "model collective";
        if (options_.size) {
            add_result(*options_.size);
            add_terms(*options_.size);
            add_alternatives(*options_.size);
        } else {
            add_sizes();
        }
        add_curve();
        add_links();
        return answer_;
    }

  private:
    [[nodiscard]] CollectiveCost cost(ByteVolume volume) const {
        return best_collective(options_.kind, volume, shape_, tuning_);
    }

    /// By the user's measurements if given, else by the model.
    [[nodiscard]] Seconds time(ByteVolume volume) const {
        return curve_ ? curve_->time(volume) : cost(volume).total();
    }

    [[nodiscard]] double algorithm_bandwidth(ByteVolume volume, Seconds time) const {
        return volume.count() / time.count();
    }

    void add_result(ByteVolume volume) {
        const Seconds answer = time(volume);
        const double algbw = algorithm_bandwidth(volume, answer);
        const CollectiveCost modelled = cost(volume);
        Facts result{"collective", std::string{kind_name()} + " of one buffer", {}};
        result.values = {
            {"size_bytes", "buffer", volume.count(), "B", ""},
            {"gpus", "GPUs", gpus_, "", ""},
            {"time_s", "time", answer.count(), "s", curve_ ? "from the curve" : ""},
            {"algbw", "algorithm bandwidth", algbw, "B/s", "size / time"},
            {"busbw",
             "bus bandwidth",
             algbw * factor_,
             "B/s",
             fmt::format("algorithm bandwidth x {:.4g}, as nccl-tests counts it", factor_)},
            {"algorithm", "algorithm", name(modelled.algorithm), "", "the model's choice"}};
        if (options_.algorithm)
            result.values.back().note = "as given";
        if (curve_)
            result.values.push_back(
                {"modelled_time_s", "time by the model", modelled.total().count(), "s", ""});
        answer_.add(std::move(result));
    }

    void add_terms(ByteVolume volume) {
        const CollectiveCost terms = cost(volume);
        answer_.add(Facts{
            "terms",
            "Terms of the modelled time",
            {{"latency_s", "startup and hops", terms.latency.count(), "s", ""},
             {"intra_s", "traffic inside nodes", terms.intra.count(), "s", ""},
             {"inter_s", "traffic between nodes", terms.inter.count(), "s", ""},
             {"hidden_s", "of both at the same time", terms.hidden.count(), "s", "subtracted"}}});
    }

    void add_alternatives(ByteVolume volume) {
        ReportTable table{"algorithms",
                          "By algorithm",
                          {{"algorithm", "algorithm", ""},
                           {"time_s", "time", "s"},
                           {"busbw", "bus bandwidth", "B/s"},
                           {"latency_s", "latency", "s"},
                           {"intra_s", "intra", "s"},
                           {"inter_s", "inter", "s"},
                           {"hidden_s", "hidden", "s"}},
                          {}};
        for (std::size_t i = 0; i < algorithm_names.size(); ++i) {
            const auto by = collective_cost(
                options_.kind, static_cast<CollectiveAlgorithm>(i), volume, shape_, tuning_);
            if (!by)
                continue;
            table.rows.push_back({name(by->algorithm),
                                  by->total().count(),
                                  algorithm_bandwidth(volume, by->total()) * factor_,
                                  by->latency.count(),
                                  by->intra.count(),
                                  by->inter.count(),
                                  by->hidden.count()});
        }
        std::sort(table.rows.begin(), table.rows.end(), [](const ReportRow& a, const ReportRow& b) {
            return std::get<double>(a.cells[1]) < std::get<double>(b.cells[1]);
        });
        answer_.add(std::move(table));
    }

    void add_sizes() {
        constexpr double smallest = 32 * 1024;
        constexpr double largest = 16 * bytes_per_gib;
        ReportTable table{"sizes",
                          fmt::format("{} over {} GPUs", kind_name(), gpus_),
                          {{"size_bytes", "buffer", "B"},
                           {"time_s", "time", "s"},
                           {"algorithm", "algorithm", ""},
                           {"algbw", "algorithm bandwidth", "B/s"},
                           {"busbw", "bus bandwidth", "B/s"}},
                          {}};
        for (double size = smallest; size <= largest; size *= 2) {
            const ByteVolume volume{size};
            const Seconds answer = time(volume);
            const double algbw = algorithm_bandwidth(volume, answer);
            const std::string by = curve_ ? "measured" : name(cost(volume).algorithm);
            table.rows.push_back({size, answer.count(), by, algbw, algbw * factor_});
        }
        answer_.add(std::move(table));
    }

    void add_curve() {
        if (!curve_)
            return;
        const auto points = curve_->points();
        Facts section{"curve", "The measured curve", {}};
        section.values = {{"points", "points", static_cast<std::int64_t>(points.size()), "", ""},
                          {"smallest_bytes", "from", points.front().volume.count(), "B", ""},
                          {"largest_bytes", "to", points.back().volume.count(), "B", ""}};
        if (points.size() > 1) {
            const FittedLink link = fit_link(points, factor_);
            section.values.insert(
                section.values.end(),
                {{"latency_s", "effective latency", link.latency.count(), "s", "fitted to it"},
                 {"bandwidth", "effective bandwidth", link.bandwidth.count(), "B/s", "fitted"},
                 {"mean_log_error",
                  "mean |log error| of that fit",
                  link.mean_log_error,
                  "fraction",
                  ""}});
        }
        answer_.add(std::move(section));
        if (options_.size &&
            (*options_.size < points.front().volume || *options_.size > points.back().volume))
            answer_.warnings.push_back(
                "the size lies outside the measured curve: its outermost interval was extended");
    }

    void add_links() {
        for (const GroupShape::Crossing& crossing : shape_) {
            const LinkLevel& level = *crossing.level;
            answer_.add(Facts{"level_" + level.name,
                              fmt::format("Level {}: {} x {} GPUs of the group",
                                          level.name,
                                          crossing.parts,
                                          crossing.inside),
                              constants_of(level)});
            answer_.sources.push_back(level.name + ": " + level.source);
        }
        if (!cluster_.gpu.source.empty())
            answer_.sources.push_back(cluster_.gpu.name + ": " + cluster_.gpu.source);
    }

    [[nodiscard]] std::string_view kind_name() const {
        return collective_names[static_cast<std::size_t>(options_.kind)];
    }

    const CollectiveOptions& options_;
    std::int64_t gpus_{gpus_of(options_)};
    Cluster cluster_{options_.machines.cluster()};
    GroupShape shape_{group_shape({gpus_, 1}, cluster_.tree)};
    double factor_{bus_factor(options_.kind, gpus_)};
    std::optional<MeasuredCurve> curve_; ///< of this collective and group; replaces modelled times
    CollectiveTuning tuning_{};
    Document answer_{};
};

} // namespace

void add_collective(Command model) {
    add_answer(model,
               "collective",
               "how long a collective operation takes",
               collective_options(),
               [](const CollectiveOptions& options) { return CollectiveAnswer{options}.build(); });
}

}} // namespace bursar::tools
