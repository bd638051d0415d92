#include "scenarios/throughputs/pollux_profiles.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

namespace bursar { inline namespace scenarios {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t profiled_node_gpus = 4;
constexpr std::string_view validation_prefix = "validation-";

/// Time of a step, and the part of it that synchronises.
struct StepTime {
    double step_s{};
    double sync_s{};
};

/// Statistics of an epoch at one batch.
struct Epoch {
    double progress{}; ///< at its end
    double grad_sqr{};
    double grad_var{};
};

struct Application {
    /// By GPUs on the fewest nodes, and by batch on one GPU.
    std::map<std::int64_t, std::map<std::int64_t, StepTime>> times;
    std::map<std::int64_t, std::vector<Epoch>> epochs; ///< by batch
};

/// Calls `take(values)` with the columns of each row. Values are finite.
template <class Take>
void read_rows(const std::string& file, std::span<const std::string_view> columns, Take take) {
    const auto bytes = open_bytes(file);
    CsvReader reader{*bytes, file};
    const CsvHeader header{reader};
    std::vector<std::size_t> fields;
    for (const std::string_view column : columns)
        fields.push_back(header.require(column));
    std::vector<double> values(columns.size());
    while (const TextRow* const row = reader.next()) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            values[i] = number_in(*row, fields[i], columns[i], reader);
            if (!std::isfinite(values[i]) || values[i] < 0 || values[i] > 1e300)
                fail_input({file, row->line, row->place(fields[i]).column},
                           std::string{columns[i]},
                           mistake(in_quotes(row->fields[fields[i]]) + " is out of range"));
        }
        take(values);
    }
}

/// A whole number of at least 1; absent for others.
std::optional<std::int64_t> whole(double value) {
    constexpr double most = 1e9;
    return value >= 1 && value <= most && value == std::floor(value)
               ? std::optional{static_cast<std::int64_t>(value)}
               : std::nullopt;
}

/// GPUs by node, "24" for two and four, on the fewest nodes of four; absent for other placements.
std::optional<std::int64_t> gpus_if_packed(double placement) {
    const std::optional<std::int64_t> digits = whole(placement);
    if (!digits)
        return std::nullopt;
    std::int64_t gpus = 0;
    std::int64_t nodes = 0;
    for (std::int64_t rest = *digits; rest > 0; rest /= 10, ++nodes)
        gpus += rest % 10;
    // Of such placements the rotation that is the least number is listed: all nodes but the first
    // are full.
    std::int64_t packed = gpus % profiled_node_gpus;
    for (std::int64_t i = 0; i < gpus / profiled_node_gpus; ++i)
        packed = 10 * packed + profiled_node_gpus;
    return packed == *digits ? std::optional{gpus} : std::nullopt;
}

void read_times(const std::string& placements, const std::string& scalability, Application& out) {
    const std::array of_placements{std::string_view{"placement"},
                                   std::string_view{"local_bsz"},
                                   std::string_view{"step_time"},
                                   std::string_view{"sync_time"}};
    const auto add = [&](std::int64_t gpus, double batch, double step_s, double sync_s) {
        if (const auto local = whole(batch); local && step_s > 0 && sync_s <= step_s)
            out.times[gpus].try_emplace(*local, StepTime{step_s, sync_s});
    };
    read_rows(placements, of_placements, [&](const std::vector<double>& row) {
        if (const auto gpus = gpus_if_packed(row[0]))
            add(*gpus, row[1], row[2], row[3]);
    });
    const std::array of_scalability{std::string_view{"num_nodes"},
                                    std::string_view{"num_replicas"},
                                    std::string_view{"local_bsz"},
                                    std::string_view{"step_time"},
                                    std::string_view{"sync_time"}};
    read_rows(scalability, of_scalability, [&](const std::vector<double>& row) {
        const auto gpus = whole(row[1]);
        if (gpus && row[0] == std::ceil(row[1] / double{profiled_node_gpus}))
            add(*gpus, row[2], row[3], row[4]);
    });
}

void read_validation(const std::string& file, std::int64_t batch, Application& out) {
    const std::array columns{
        std::string_view{"progress"}, std::string_view{"grad_sqr"}, std::string_view{"grad_var"}};
    std::vector<Epoch>& epochs = out.epochs[batch];
    read_rows(file, columns, [&](const std::vector<double>& row) {
        epochs.push_back({row[0], row[1], row[2]});
    });
}

/// The file of that name in the folder, plain or compressed; it may be missing.
std::string file_in(const fs::path& folder, const std::string& name) {
    for (const char* end : {".gz", ".zst"})
        if (const fs::path packed = folder / (name + end); fs::exists(packed))
            return packed.string();
    return (folder / name).string();
}

/// BATCH of `validation-BATCH.csv`, with or without more endings; absent for other names.
std::optional<std::int64_t> batch_in(std::string_view name) {
    if (!name.starts_with(validation_prefix))
        return std::nullopt;
    name.remove_prefix(validation_prefix.size());
    std::int64_t batch = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), batch);
    const bool is_csv = std::string_view{end, name.data() + name.size()}.starts_with(".csv");
    return error == std::errc{} && is_csv && batch > 0 ? std::optional{batch} : std::nullopt;
}

Application read_application(const fs::path& folder) {
    Application out;
    read_times(file_in(folder, "placements.csv"), file_in(folder, "scalability.csv"), out);
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder})
        files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files)
        if (const auto batch = batch_in(file.filename().string()))
            read_validation(file.string(), *batch, out);
    if (out.epochs.empty() || out.times.empty())
        fail_input(folder.string(),
                   mistake("holds no profile",
                           "expected placements.csv, scalability.csv and validation-BATCH.csv"));
    return out;
}

/// On the line between the two nearest local batches; absent outside of them.
std::optional<StepTime> time_at(const std::map<std::int64_t, StepTime>& times, std::int64_t batch) {
    const auto next = times.lower_bound(batch);
    if (next == times.end())
        return std::nullopt;
    if (next->first == batch)
        return next->second;
    if (next == times.begin())
        return std::nullopt;
    const auto last = std::prev(next);
    const double way =
        static_cast<double>(batch - last->first) / static_cast<double>(next->first - last->first);
    return StepTime{std::lerp(last->second.step_s, next->second.step_s, way),
                    std::lerp(last->second.sync_s, next->second.sync_s, way)};
}

/// Steps of a whole run at `batch`; absent where its statistics allow none.
std::optional<double> steps_of_run(const Application& app, std::int64_t batch) {
    std::size_t num_epochs = std::numeric_limits<std::size_t>::max();
    for (const auto& [_, epochs] : app.epochs)
        num_epochs = std::min(num_epochs, epochs.size());
    const double scale =
        static_cast<double>(batch) / static_cast<double>(app.epochs.begin()->first);
    double steps = 0;
    double before = 0;
    for (std::size_t i = 0; i < num_epochs; ++i) {
        double progress = std::numeric_limits<double>::max();
        for (const auto& [_, epochs] : app.epochs)
            progress = std::min(progress, epochs[i].progress);
        const Epoch& epoch = app.epochs.at(batch)[i];
        const double gain =
            (epoch.grad_var + epoch.grad_sqr) / (epoch.grad_var / scale + epoch.grad_sqr);
        steps += std::max(progress - before, 0.0) / gain;
        before = std::max(before, progress);
    }
    return std::isfinite(steps) && steps > 0 ? std::optional{steps} : std::nullopt;
}

/// Time of a step of the whole batch on `gpus` GPUs; absent where it was not measured.
std::optional<double>
step_time(const Application& app, std::int64_t batch, std::int64_t gpus, std::int64_t largest) {
    const auto rounded_up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    const std::int64_t share = rounded_up(batch, gpus);
    std::int64_t passes = rounded_up(share, largest);
    if (gpus == 1 && batch > app.epochs.begin()->first)
        passes = std::max<std::int64_t>(passes, 2);
    const std::int64_t most = app.epochs.rbegin()->first / (gpus * passes);
    const std::int64_t local = std::min(rounded_up(share, passes), most);
    const std::optional<StepTime> time = time_at(app.times.at(gpus), local);
    if (!time)
        return std::nullopt;
    return time->step_s + static_cast<double>(passes - 1) * (time->step_s - time->sync_s);
}

std::int64_t largest_measured(const Application& app) {
    std::int64_t out = 0;
    for (const auto& [_, by_batch] : app.times)
        out = std::max(out, by_batch.rbegin()->first);
    return out;
}

} // namespace

std::string pollux_job_type(std::string_view application, std::string_view batch) {
    return fmt::format("{} {}", application, batch);
}

ThroughputTable read_pollux_profiles(const std::string& folder,
                                     const Catalogue& catalogue,
                                     const GpuNames& names,
                                     const LocalBatches& largest) {
    std::error_code error;
    std::vector<fs::path> folders;
    for (fs::directory_iterator at{folder, error}; !error && at != fs::directory_iterator{};
         at.increment(error))
        if (at->is_directory())
            folders.push_back(at->path());
    if (error || folders.empty())
        fail_input(folder, mistake("holds no profiles", "expected a folder for each application"));
    std::ranges::sort(folders);
    const auto named = names.find(std::string{pollux_gpu});
    const std::string gpu_name = named == names.end() ? std::string{pollux_gpu} : named->second;
    const Gpu* const gpu = catalogue.find(gpu_name);
    if (gpu == nullptr)
        fail_input(folder,
                   mistake("no GPU is named " + in_quotes(gpu_name),
                           {},
                           suggestion(gpu_name, catalogue.names())));
    ThroughputTable table{folder};
    std::vector<std::string> applications;
    for (const fs::path& one : folders) {
        const std::string application = one.filename().string();
        applications.push_back(application);
        const Application app = read_application(one);
        const auto given = largest.find(application);
        const std::int64_t most = given == largest.end() ? largest_measured(app) : given->second;
        const auto add = [&](std::string_view batch, std::int64_t gpus, double runs_per_s) {
            table.add(pollux_job_type(application, batch),
                      gpu->name,
                      static_cast<std::uint32_t>(gpus),
                      runs_per_s);
        };
        for (const auto& [gpus, _] : app.times) {
            double best = 0;
            for (const auto& [batch, __] : app.epochs) {
                const auto steps = steps_of_run(app, batch);
                const auto step_s = step_time(app, batch, gpus, most);
                if (!steps || !step_s)
                    continue;
                const double runs_per_s = 1 / (*steps * *step_s);
                add(std::to_string(batch), gpus, runs_per_s);
                best = std::max(best, runs_per_s);
            }
            if (best > 0)
                add(pollux_best_batch, gpus, best);
        }
    }
    for (const auto& [application, _] : largest)
        if (std::ranges::find(applications, application) == applications.end())
            fail_input(folder,
                       mistake("has no application " + in_quotes(application),
                               {},
                               suggestion(application, applications)));
    return table;
}

}} // namespace bursar::scenarios
