#include "scenarios/scenario/workload/run_times_keys.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/fleet/gpu_rule.hpp"
#include "scenarios/throughputs/gavel_throughputs.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array<std::string_view, 3> range_names{"low", "likely", "high"};

/// What stands under `speeds`.
struct SpeedsSpec {
    std::string file;
    std::string format;
    GpuNames gpus;
    RangeValue range{RangeValue::likely};
};

void check_file(const Reader& at, SpeedsSpec& spec, const KeysRead&) {
    for (const char* key : {"format", "gpus"})
        if (const auto unused = at.find(key); unused && spec.file.empty())
            unused->mistake("has no effect without a file");
}

Table<SpeedsSpec> speeds_keys() {
    return table<SpeedsSpec>({
                                 optional("file",
                                          &SpeedsSpec::file,
                                          file(),
                                          "throughputs that types of jobs were measured to have"),
                                 optional("format",
                                          &SpeedsSpec::format,
                                          one_of({"gavel-throughputs"}),
                                          "of the file; default gavel-throughputs"),
                                 optional("gpus",
                                          &SpeedsSpec::gpus,
                                          TextMapRule{},
                                          "what the file's kinds of workers are in the catalogue; "
                                          "default: what they are called"),
                                 optional("range",
                                          &SpeedsSpec::range,
                                          choice_of<RangeValue>(range_names),
                                          "which value is taken of a range that stands in for a "
                                          "measurement; default likely"),
                             })
        .check(check_file);
}

/// `speeds` with the table that it names.
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
                read_gavel_throughputs(spec->file, *catalogue_, spec->gpus));
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

} // namespace

std::vector<Key<Scenario>> run_times_keys(const Catalogue& catalogue) {
    return {
        key_row<Scenario>(
            {"gpu",
             "GPU that the run times were measured on; jobs run at the speed of the GPU they get "
             "against it; default: nobody says, and run times are the same on any GPU",
             Presence::optional},
            [](Scenario& scenario) -> std::string& { return scenario.run_times.gpu; },
            GpuRule{catalogue}),
        key_row<Scenario>(
            {"precision",
             "number format that the run times were measured in; default: nobody "
             "says, and policy.precision changes none",
             Presence::optional},
            [](Scenario& scenario) -> std::optional<Precision>& {
                return scenario.run_times.precision;
            },
            choice_of<Precision>(precision_names)),
        {{"speeds", "what is known of the speed of jobs on other GPUs", Presence::optional},
         [rule = SpeedsRule{catalogue}](const Reader& at, Scenario& scenario) {
             if (auto speeds = rule.read(at)) {
                 scenario.run_times.range = speeds->range;
                 scenario.run_times.measured = std::move(speeds->measured);
             }
         },
         [rule = SpeedsRule{catalogue}] { return rule.schema(); }},
    };
}

}} // namespace bursar::scenarios
