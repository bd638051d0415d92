#include "scenarios/scenario/workload/speed_keys.hpp"

#include <algorithm>
#include <vector>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/map_rule.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

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

Key<ClassSpec> speed_key(const Catalogue& catalogue) {
    return optional("speed",
                    &ClassSpec::speed,
                    SpeedRule{catalogue},
                    "by GPU, how fast its jobs run there: the run times of the workload are "
                    "divided by it; default 1; a model computes it");
}

Key<ClassSpec> job_type_key() {
    return optional("job_type",
                    &ClassSpec::job_type,
                    text(),
                    "what its jobs are in the file of workload.speeds; default: what they are "
                    "called");
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
