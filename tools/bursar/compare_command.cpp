#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/variants/variants.hpp"

#include "reports/compare/compare_formats.hpp"
#include "reports/compare/variant_folders.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/files/input_files.hpp"
#include "reports/files/leftovers.hpp"
#include "reports/files/pending_folders.hpp"
#include "reports/files/write_outputs.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/repeats/repeats.hpp"
#include "reports/result/result.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/comparison_output.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/progress_line.hpp"
#include "tools/simulate/compare_variants.hpp"

namespace bursar { inline namespace tools {
namespace {

/// The folders of a comparison's variants: each has the files of `bursar run --out`, or those
/// chosen.
class VariantFiles {
  public:
    /// labels: of the variants. directory: of the comparison; empty: nothing is written.
    /// chosen: the files of each variant.
    VariantFiles(std::filesystem::path directory,
                 const std::vector<std::string>& labels,
                 ChosenOutputs chosen);

    /// Throws if a folder cannot be written or holds a file that is no output, or if the directory
    /// has the folder of another run. Called before the runs.
    void check(const InputFiles& inputs) const;

    /// Writes the files of a variant, from one thread at a time. Throws as write_outputs.
    void write(std::size_t variant, const Result& result, const InputFiles& inputs);

    /// Moves the written folders of all variants into place. Throws as check.
    void put_in_places(const InputFiles& inputs);

    /// Names of the folders, by variant.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::filesystem::path directory_;
    std::vector<std::string> names_;
    ChosenOutputs chosen_;
    std::optional<PendingFolders> pending_; ///< from the first write on
};

namespace fs = std::filesystem;

/// Names of the files in a folder, sorted; empty if it is missing or not readable.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry{folder, error}; !error && entry != fs::directory_iterator{};
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::ranges::sort(names);
    return names;
}

/// Whether it is the name of an output of a run, or of its temporary file.
bool is_of_output(const std::string& file) {
    return std::ranges::any_of(outputs(), [&](const Output& output) {
        return std::ranges::any_of(possible_names(output), [&](const std::string& name) {
            return file == name || is_temporary_name(file, name);
        });
    });
}

/// Whether the folder has an output of a run.
bool is_of_run(const fs::path& folder) {
    return std::ranges::any_of(names_in(folder), is_of_output);
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& problem) {
    throw ReportError{
        fmt::format("{}: {}; give a folder of its own", terminal_text(folder.string()), problem)};
}

VariantFiles::VariantFiles(fs::path directory,
                           const std::vector<std::string>& labels,
                           ChosenOutputs chosen)
    : directory_{std::move(directory)}, names_{folder_names(labels)}, chosen_{std::move(chosen)} {}

void VariantFiles::check(const InputFiles& inputs) const {
    for (const std::string& other : names_in(directory_)) {
        if (std::ranges::find(names_, other) == names_.end() && is_of_run(directory_ / other))
            refuse(directory_,
                   fmt::format("has the folder of a run that is not compared, {}",
                               terminal_text(other)));
    }
    for (const std::string& name : names_) {
        const fs::path folder = directory_ / name;
        check_places_of_outputs(folder, inputs, chosen_);
        for (const std::string& file : names_in(folder))
            if (!is_of_output(file))
                refuse(folder,
                       fmt::format("has {}, which is no output of a run", terminal_text(file)));
    }
}

void VariantFiles::write(std::size_t variant, const Result& result, const InputFiles& inputs) {
    OutputOptions options;
    options.reproducible = true;
    if (!pending_)
        pending_.emplace(directory_);
    write_outputs(result, pending_->path_of(names_[variant]), options, inputs, chosen_);
}

void VariantFiles::put_in_places(const InputFiles& inputs) {
    check(inputs); // the folders may have changed since the start
    pending_->put_in_places(names_);
    pending_.reset();
}

struct CompareOptions {
    ScenarioOptions input;
    std::vector<std::string> vary;
    std::vector<std::string> labels;
    std::optional<std::int64_t> seeds;    ///< absent: as the scenario says
    std::optional<std::int64_t> resample; ///< seeds that draw the trace's days anew
    ComparisonOutput output;
    FileChoice written; ///< of each variant

    [[nodiscard]] std::vector<Variant> variants() const;
    void run() const;
};

constexpr std::int64_t max_seeds = 10'000;

OptionTable<CompareOptions> compare_options() {
    using T = CompareOptions;
    return option_table<T>(
               {{&T::input, scenario_options()},
                {{"--vary", &T::vary, repeated("PATH=V1,V2")},
                 "values to compare, the first is the base, e.g. --vary policy.queue=fifo,sjf or "
                 "--vary fleet.p.nodes=30..60:5; repeated: every combination"},
                {{"--labels", &T::labels, TextListRule{"L1,L2"}},
                 "names of the variants, in their order: the last --vary changes fastest (default: "
                 "their values)"},
                {{"--seeds", &T::seeds, whole_in(up_to(max_seeds))},
                 "seeds to run each variant with (default: the scenario's)"},
                {{"--resample", &T::resample, whole_in({least_draws, max_seeds})},
                 "the same, where each seed draws days of the trace with replacement: how much the "
                 "differences depend on the days (weeks: --set \"workload.trace.resample=7 d\")"},
                {&T::output, comparison_options()},
                {&T::written,
                 file_options("formats in the folder of each variant, named as for `run`")}})
        .required("SCENARIO")
        .required("--vary")
        .excludes("--resample", {"--seeds"})
        .describe("--out",
                  "write all formats into this directory, and the files of each variant into a "
                  "folder there")
        .describe("--compress",
                  "compress the CSV files in the folders of the variants: jobs.csv.gz, or "
                  "jobs.csv.zst");
}

std::vector<Variant> CompareOptions::variants() const {
    std::vector<Axis> axes;
    for (const std::string& text : vary)
        axes.push_back(parse_axis(text));
    std::vector<Variant> variants = all_variants(axes);
    if (!labels.empty())
        label_variants(variants, labels);
    return variants;
}

void CompareOptions::run() const {
    const CompareQuestion request = output.question(); // throws before the runs
    const ChosenOutputs chosen = written.chosen();
    const std::vector<Variant> compared = variants();
    ScenarioSource source = input.source();
    source.resamples = resample.has_value();
    std::vector<LoadedScenario> scenarios = load_variants(source, compared);
    InputFiles inputs;
    for (const LoadedScenario& one : scenarios)
        inputs.add_all(one.scenario.inputs);
    output.output.check_places(compare_outputs(), inputs);
    std::vector<std::string> names;
    for (const Variant& variant : compared)
        names.push_back(variant.label);
    const std::string& directory = output.output.directory;
    VariantFiles files{directory, names, chosen};
    CompareSettings settings{.seed = input.seed, .seeds = resample ? resample : seeds};
    if (!directory.empty()) {
        files.check(inputs);
        settings.on_result = [&](std::size_t i, const Result& result) {
            files.write(i, result, inputs);
        };
    }
    Comparison comparison = with_progress("runs", [&](const OnProgress& on_progress) {
        settings.on_progress = on_progress;
        return compare_variants(compared, std::move(scenarios), settings);
    });
    if (!directory.empty()) {
        files.put_in_places(inputs);
        for (std::size_t i = 0; i < names.size(); ++i)
            comparison.variants[i].folder = files.names()[i];
    }
    output.show(comparison, request, inputs);
}

} // namespace

void add_compare_command(Command program) {
    add_command(program,
                "compare",
                "run variants of a scenario on the same seeds and compare them",
                compare_options(),
                &CompareOptions::run);
}

}} // namespace bursar::tools
