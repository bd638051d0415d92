#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/network/collective.hpp"
#include "models/network/link_facts.hpp"
#include "models/network/measured_curve.hpp"
#include "models/training/job/cluster.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/measurements/measurement_file.hpp"
#include "scenarios/measurements/stated_settings.hpp"

namespace bursar { inline namespace scenarios {

/// One measured collective, as input of the models.
struct CollectiveMeasurement {
    std::string id;
    std::string source;
    Collective kind{};
    CommGroup group;
    ByteVolume volume;
    Cluster cluster;
    CollectiveTuning tuning;
    std::string link_source; ///< source of the constants of its links
    std::string series;      ///< equal for rows that differ in size only
    std::string quantity;    ///< "time_us", or "busbw_GBps" where no time was published
    double measured{};       ///< > 0
    Assumptions assumptions;

    /// The published figure of a collective that takes `time`, and the time of a figure.
    [[nodiscard]] double figure(Seconds time) const;
    [[nodiscard]] Seconds time() const;

    [[nodiscard]] Seconds modelled_time() const {
        return collective_time(kind, volume, group, cluster.tree, tuning);
    }
};

/// The collective of that name: nccl-tests writes all_reduce, others AllReduce or all-reduce.
/// Throws ModelError for an unknown one.
Collective stated_collective(std::string_view words);

/// Maps a row; every guess is in its assumptions. Throws ModelError or UnknownFact for a row that
/// cannot be mapped.
CollectiveMeasurement collective_measurement(const MeasurementFile& file,
                                             const MeasurementRow& row,
                                             const Catalogue& gpus);

/// A user's own measurements of one collective over one group: a CSV file with the columns `bytes`
/// (the size nccl-tests prints) and `time_us` in any order, others ignored, one row per size,
/// growing; gzip and zstd too. Throws ScenarioError with the line at fault.
MeasuredCurve read_collective_curve(const std::string& path);

}} // namespace bursar::scenarios
