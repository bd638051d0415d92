#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/throughputs/pollux_profiles.hpp"
#include "scenarios/throughputs/throughput_table.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array<std::string_view, 3> range_names{"low", "likely", "high"};

constexpr std::string_view pollux_format = "pollux-profiles";

/// The keys of `speeds`.
struct SpeedsSpec {
    std::string file;
    std::string format;
    GpuNames gpus;
    std::vector<std::pair<std::string, std::int64_t>> local_batch;
    RangeValue range{RangeValue::likely};
};

void check_file(const Reader& at, SpeedsSpec& spec, const KeysRead&) {
    for (const char* key : {"format", "gpus"})
        if (const auto unused = at.find(key); unused && spec.file.empty())
            unused->mistake("has no effect without a file");
    if (const auto unused = at.find("local_batch"); unused && spec.format != pollux_format)
        unused->mistake("has no effect", "only `format: pollux-profiles` has batches on a GPU");
}

Table<SpeedsSpec> speeds_keys() {
    return table<SpeedsSpec, check_file>({
        {optional("file", &SpeedsSpec::file, file()),
         "throughputs that types of jobs were measured to have"},
        {optional("format",
                  &SpeedsSpec::format,
                  one_of({"gavel-throughputs", std::string{pollux_format}})),
         "of the file; pollux-profiles: a folder with one for each application; default "
         "gavel-throughputs"},
        {optional("gpus", &SpeedsSpec::gpus, TextMapRule{}),
         "what the file's kinds of workers are in the catalogue; "
         "default: what they are called"},
        {optional("local_batch",
                  &SpeedsSpec::local_batch,
                  map_of(whole_number(1, 1'000'000'000), "a mapping such as {yolov3: 8}")),
         "pollux-profiles only: the largest batch on one GPU, by application; default: the "
         "largest that was measured"},
        {optional("range", &SpeedsSpec::range, choice_of<RangeValue>(range_names)),
         "which value is taken of a range that stands in for a "
         "measurement; default likely"},
    });
}

/// `speeds`: reads the table that it names.
class SpeedsRule {
  public:
    struct value_type {
        RangeValue range{};
        std::shared_ptr<const ThroughputTable> measured;
    };
    explicit SpeedsRule(const Catalogue& catalogue) : catalogue_{&catalogue} {}

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const std::optional<SpeedsSpec> spec = speeds_keys().read(at);
        if (!spec)
            return std::nullopt;
        if (spec->file.empty())
            return value_type{spec->range, nullptr};
        try {
            auto measured = std::make_shared<const ThroughputTable>(
                spec->format == pollux_format
                    ? read_pollux_profiles(
                          spec->file,
                          *catalogue_,
                          spec->gpus,
                          LocalBatches{spec->local_batch.begin(), spec->local_batch.end()})
                    : read_gavel_throughputs(spec->file, *catalogue_, spec->gpus));
            at.names_content(measured->hash());
            return value_type{spec->range, std::move(measured)};
        } catch (const ScenarioError& error) {
            return at.find("file")->mistakes_in_file(error);
        }
    }
    [[nodiscard]] Schema schema() const { return speeds_keys().schema(); }

  private:
    const Catalogue* catalogue_;
};

constexpr double max_speed = 1000;

/// Speeds by GPU of the catalogue.
class SpeedRule {
  public:
    using value_type = std::vector<GpuSpeed>;
    explicit SpeedRule(const Catalogue& catalogue) : catalogue_{&catalogue} {}

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const auto speeds = rule().read(at);
        if (!speeds)
            return std::nullopt;
        if (speeds->empty())
            return at.mistake("names no GPU");
        const std::size_t before = at.num_mistakes();
        value_type out;
        for (const auto& [name, speed] : *speeds) {
            const Gpu* gpu = catalogue_->find(name);
            if (gpu == nullptr)
                at.find(name)->mistake("no GPU is named " + in_quotes(name),
                                       {},
                                       suggestion(name, catalogue_->names()));
            else if (std::ranges::find(out, gpu->name, &GpuSpeed::gpu) != out.end())
                at.find(name)->mistake("another name of it has a speed", "it is " + gpu->name);
            else
                out.push_back({gpu->name, speed});
        }
        return at.num_mistakes() == before ? std::optional{std::move(out)} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const { return rule().schema(); }

  private:
    static MapRule<NumberRule> rule() {
        return map_of(NumberRule{0.001, Bound::included, max_speed},
                      "a mapping of GPUs to speeds such as {H100: 2.9}");
    }

    const Catalogue* catalogue_;
};

} // namespace

std::vector<Key<Scenario>> run_times_keys(const Catalogue& catalogue) {
    return {
        {optional("gpu", within(&Scenario::run_times, &RunTimesSpec::gpu), GpuRule{catalogue}),
         "GPU that the run times were measured on; jobs run at the speed of the GPU they get "
         "against it; default: not specified, run times are the same on any GPU"},
        {optional("precision",
                  within(&Scenario::run_times, &RunTimesSpec::precision),
                  choice_of<Precision>(precision_names)),
         "number format that the run times were measured in; default: not "
         "specified, and policy.precision changes none"},
        {{"speeds",
          Presence::optional,
          [rule = SpeedsRule{catalogue}](const Reader& at, Scenario& scenario) {
              if (auto speeds = rule.read(at)) {
                  scenario.run_times.range = speeds->range;
                  scenario.run_times.measured = std::move(speeds->measured);
              }
          },
          [rule = SpeedsRule{catalogue}] { return rule.schema(); }},
         "what is known of the speed of jobs on other GPUs"},
    };
}

Key<ClassSpec> speed_key(const Catalogue& catalogue) {
    return {optional("speed", &ClassSpec::speed, SpeedRule{catalogue}),
            "by GPU, how fast its jobs run there: the run times of the workload are "
            "divided by it; default 1; a model computes it"};
}

Key<ClassSpec> job_type_key() {
    return {optional("job_type", &ClassSpec::job_type, text()),
            "type of its jobs in the file of workload.speeds; default: what they are "
            "called"};
}

void check_speed(const Reader& at) {
    const auto speed = at.find("speed");
    if (speed && at.find("model"))
        speed->mistake("cannot be combined with model", "the model computes run times by GPU");
    const auto job_type = at.find("job_type");
    if (job_type && at.find("model"))
        job_type->mistake("cannot be combined with model", "the model computes run times by GPU");
}

}} // namespace bursar::scenarios
