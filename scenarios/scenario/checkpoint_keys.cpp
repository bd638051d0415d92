#include "scenarios/scenario/checkpoint_keys.hpp"

#include <optional>
#include <utility>

#include "models/units/int128.hpp"

#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar::inline scenarios {
namespace {

/// A checkpoint as a mapping writes it.
struct WrittenCheckpoint {
    std::optional<Duration> every;
    std::optional<Duration> save;
    std::optional<std::int64_t> size;  ///< bytes
    std::optional<std::int64_t> write; ///< bytes per second
    std::string mode{"sync"};
};

/// size / write, rounded up: a save that has begun a millisecond takes it.
Duration writing_time(std::int64_t size, std::int64_t write) {
    const int128 ms = (int128{size} * second.count() + write - 1) / write;
    return Duration{static_cast<std::int64_t>(std::min<int128>(ms, durations.max))};
}

void check_saving(const Reader& at, WrittenCheckpoint&, const KeysRead& keys) {
    for (const char* key : {"save", "size", "write"})
        if (!keys.good(key))
            return;
    if (at.find("size").has_value() != at.find("write").has_value())
        at.mistake("size and write need each other", "a save takes size over write");
    else if (!at.find("save") && !at.find("size"))
        at.mistake("has no duration of a save", {}, "add save, or size and write");
}

Table<WrittenCheckpoint> mapping_keys() {
    return table<WrittenCheckpoint>(
               {
                   optional("every",
                            &WrittenCheckpoint::every,
                            duration(Zero::refused),
                            "time at work between saves; default: only when preempted"),
                   optional("save",
                            &WrittenCheckpoint::save,
                            duration(),
                            "how long the job stops for a save"),
                   optional("size",
                            &WrittenCheckpoint::size,
                            amount(byte_counts),
                            "what a save writes, in place of `save`"),
                   optional("write",
                            &WrittenCheckpoint::write,
                            amount(byte_rates, Zero::refused),
                            "at what rate it writes `size`"),
                   optional("mode",
                            &WrittenCheckpoint::mode,
                            one_of({"sync"}),
                            "sync: the job stops while it saves; default sync"),
               })
        .at_most_one_of({"save", "size"})
        .check(check_saving);
}

/// A name, or a mapping that says what saves cost.
struct CheckpointRule {
    using value_type = CheckpointSpec;

    [[nodiscard]] std::optional<CheckpointSpec> read(const Reader& at) const {
        if (at.node().kind != NodeKind::mapping) {
            const std::optional<Checkpoint> kind = names.read(at);
            return kind ? std::optional{CheckpointSpec{*kind, {}, {}}} : std::nullopt;
        }
        const std::optional<WrittenCheckpoint> written = mapping_keys().read(at);
        if (!written)
            return std::nullopt;
        CheckpointSpec spec;
        spec.kind = written->every ? Checkpoint::every : Checkpoint::on_preempt;
        spec.interval = written->every.value_or(Duration{});
        spec.save = written->save ? *written->save : writing_time(*written->size, *written->write);
        return spec;
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf", {names.schema(), mapping_keys().schema()}}};
    }

    ChoiceRule<Checkpoint> names{
        {{"on-preempt", Checkpoint::on_preempt}, {"none", Checkpoint::none}}};
};

} // namespace

std::vector<Key<ClassSpec>> checkpoint_keys() {
    return {optional("checkpoint",
                     &ClassSpec::checkpoint,
                     CheckpointRule{},
                     "work that a preempted job keeps; default on-preempt, at no cost"),
            optional("restart",
                     &ClassSpec::restart,
                     duration(),
                     "like startup, for every start after the first; default: startup")};
}

} // namespace bursar::inline scenarios
