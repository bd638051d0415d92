#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "models/reliability/checkpoint_size.hpp"
#include "models/units/int128.hpp"

#include "scenarios/catalog/storage_tiers.hpp"
#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/policy_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The words of `when`.
enum class When : std::uint8_t { every, young_daly, on_notice, on_preempt };

/// The words of `mode`.
enum class Mode : std::uint8_t { sync, async, incremental };

/// The keys of `checkpoint`.
struct WrittenCheckpoint {
    std::vector<When> when;
    std::optional<Duration> every;
    std::optional<Duration> save;
    std::optional<std::int64_t> size;  ///< bytes
    std::optional<std::int64_t> write; ///< bytes per second
    std::optional<std::int64_t> read;  ///< likewise
    std::vector<Mode> mode{Mode::sync};
    std::optional<Duration> blocks;
    std::optional<std::int64_t> full_every;
    std::optional<double> changed;
    std::string store;
    std::optional<std::int64_t> keep;
    std::optional<std::int64_t> older_size; ///< bytes
    std::optional<Duration> retain;

    [[nodiscard]] bool says(When one) const { return std::ranges::find(when, one) != when.end(); }
    [[nodiscard]] bool is(Mode one) const { return std::ranges::find(mode, one) != mode.end(); }
    [[nodiscard]] bool saves_on_the_way() const { return every || says(When::young_daly); }
};

/// size / write, rounded up to a millisecond.
Duration writing_time(std::int64_t size, std::int64_t write) {
    const int128 ms = (int128{size} * second.count() + write - 1) / write;
    return Duration{static_cast<std::int64_t>(std::min<int128>(ms, durations.max))};
}

Checkpoint kind_of(const WrittenCheckpoint& written) {
    const bool on_preempt = written.says(When::on_preempt);
    const bool on_notice = written.says(When::on_notice);
    if (written.saves_on_the_way())
        return on_preempt  ? Checkpoint::every_on_preempt
               : on_notice ? Checkpoint::every_on_notice
                           : Checkpoint::every;
    return on_notice && !on_preempt ? Checkpoint::on_notice : Checkpoint::on_preempt;
}

/// Bytes read by a start after a stop; with increments, half of those between two full saves.
std::int64_t loaded_bytes(const WrittenCheckpoint& written) {
    const auto full = static_cast<double>(*written.size);
    if (!written.is(Mode::incremental))
        return *written.size;
    const IncrementalPlan plan{*written.changed, static_cast<double>(*written.full_every)};
    return std::llround(std::min(mean_loaded(ByteVolume{full}, plan).count(), 9e18));
}

CheckpointKeeping keeping_of(const WrittenCheckpoint& written) {
    CheckpointKeeping keeping;
    keeping.tier = *builtin_storage_tiers().find(written.store);
    keeping.bytes = *written.size;
    keeping.older_bytes = written.older_size.value_or(*written.size);
    if (written.is(Mode::incremental))
        keeping.increment_bytes =
            std::llround(*written.changed * static_cast<double>(*written.size));
    keeping.loaded_bytes = loaded_bytes(written);
    keeping.keep = written.keep.value_or(1);
    keeping.retain = written.retain.value_or(Duration{});
    return keeping;
}

/// The spec of a mapping without contradictions.
CheckpointSpec spec_of(const WrittenCheckpoint& written) {
    CheckpointSpec spec;
    spec.kind = kind_of(written);
    spec.young_daly = written.says(When::young_daly);
    spec.interval = written.every.value_or(Duration{});
    spec.save = written.save ? *written.save : writing_time(*written.size, *written.write);
    if (written.is(Mode::incremental)) {
        spec.full_every = *written.full_every;
        const double ms = *written.changed * static_cast<double>(spec.save.count());
        spec.increment = Duration{static_cast<std::int64_t>(std::ceil(ms))};
    }
    if (written.is(Mode::async)) {
        spec.write = std::exchange(spec.save, *written.blocks);
        spec.increment_write = std::exchange(spec.increment, *written.blocks);
    }
    if (written.read)
        spec.load = writing_time(loaded_bytes(written), *written.read);
    if (!written.store.empty())
        spec.keeping = keeping_of(written);
    return spec;
}

/// Checks the keys about storage.
void check_store(const Reader& at, const WrittenCheckpoint& written) {
    for (const char* key : {"keep", "older_size", "retain"})
        if (const auto unused = at.find(key); unused && written.store.empty())
            unused->mistake("needs `store`", "without a store checkpoints cost nothing");
    if (written.store.empty())
        return;
    if (!written.size)
        at.mistake_at("store", "without `size`", {}, "give size and write in place of save");
    else if (*written.size == 0)
        at.mistake_at("size", "is zero", "a stored checkpoint has a size");
    if (written.older_size && written.is(Mode::incremental))
        at.mistake_at("older_size",
                      "cannot be combined with `mode: incremental`",
                      "what has changed builds on what is stored");
    else if (written.older_size && written.keep.value_or(1) == 1)
        at.mistake_at("older_size", "has no effect", "only the newest is kept", "raise `keep`");
}

void check_when(const Reader& at, const WrittenCheckpoint& written) {
    const bool says_every = written.says(When::every);
    if (says_every && !written.every)
        at.mistake_at("when", "has every, without a time", {}, "add `every`");
    if (written.every && written.says(When::young_daly))
        at.mistake_at("every",
                      "cannot be combined with young-daly",
                      "which chooses the time between saves",
                      "give one of them");
    else if (written.every && !written.when.empty() && !says_every)
        at.mistake_at("every", "is not one of `when`", {}, "add every to it");
}

/// Reports keys of a mode that are missing with it or given without it.
void check_mode(const Reader& at, const WrittenCheckpoint& written) {
    struct Owner {
        const char* key;
        Mode mode;
        const char* name;
    };
    for (const Owner& own : {Owner{"blocks", Mode::async, "async"},
                             Owner{"full_every", Mode::incremental, "incremental"},
                             Owner{"changed", Mode::incremental, "incremental"}}) {
        if (const auto unused = at.find(own.key); unused && !written.is(own.mode))
            unused->mistake(fmt::format("needs `mode: {}`", own.name));
        else if (!unused && written.is(own.mode))
            at.mistake_at("mode", fmt::format("{} without `{}`", own.name, own.key));
    }
    if (written.is(Mode::sync) && (written.is(Mode::async) || written.is(Mode::incremental)))
        at.mistake_at("mode",
                      "sync goes with no other",
                      "incremental alone stops the job while it saves",
                      "remove it");
    if (written.is(Mode::incremental) && !written.saves_on_the_way())
        at.mistake_at("mode",
                      "incremental without saves on the way",
                      "a save as the job is stopped is a full one",
                      "give every, or `when: young-daly`");
}

/// Reports times that contradict each other.
void check_times(const Reader& at, const WrittenCheckpoint& written) {
    const CheckpointSpec spec = spec_of(written);
    if (spec.young_daly && spec.save + spec.write == Duration{})
        at.mistake_at("when",
                      "young-daly with saves that take no time",
                      "it would save all the time",
                      "say what a save takes");
    if (written.every && spec.write > spec.save + spec.interval)
        at.mistake_at("every",
                      "is too short",
                      fmt::format("a {}save is written for {} behind the work, and the next begins "
                                  "before",
                                  spec.full_every > 1 ? "full " : "",
                                  duration_text(spec.write)),
                      fmt::format("at least {}", duration_text(spec.write - spec.save)));
}

void check_saving(const Reader& at, WrittenCheckpoint& written, const KeysRead& keys) {
    for (const char* key : {"when",
                            "every",
                            "save",
                            "size",
                            "write",
                            "read",
                            "mode",
                            "blocks",
                            "full_every",
                            "changed",
                            "store",
                            "keep",
                            "older_size",
                            "retain"})
        if (!keys.good(key))
            return;
    const std::size_t before = at.num_mistakes();
    if (at.find("size").has_value() != at.find("write").has_value())
        at.mistake("size and write need each other", "a save takes size over write");
    else if (!at.find("save") && !at.find("size"))
        at.mistake("has no duration of a save", {}, "add save, or size and write");
    if (const auto unused = at.find("read"); unused && !written.size)
        unused->mistake("without `size`", "it says how fast that is read");
    check_when(at, written);
    check_mode(at, written);
    check_store(at, written);
    if (at.num_mistakes() == before)
        check_times(at, written);
}

std::vector<Key<WrittenCheckpoint>> when_keys() {
    using T = WrittenCheckpoint;
    const ChoiceRule<When> names{{{"every", When::every},
                                  {"young-daly", When::young_daly},
                                  {"on-notice", When::on_notice},
                                  {"on-preempt", When::on_preempt}}};
    const ChoiceRule<Mode> modes{
        {{"sync", Mode::sync}, {"async", Mode::async}, {"incremental", Mode::incremental}}};
    return {{optional("when", &T::when, one_or_list_of(names)),
             "when it saves, one or more: every; young-daly, as often as pays where each "
             "pool interrupts it; on-notice; on-preempt; default: every where that is "
             "given, else on-preempt"},
            {optional("every", &T::every, duration(Zero::refused)),
             "time at work between saves; default: none on the way"},
            {optional("mode", &T::mode, one_or_list_of(modes)),
             "sync: the job stops while it saves; async: only for `blocks`; incremental: "
             "most saves hold what has changed; [async, incremental]: both; default sync"},
            {optional("blocks", &T::blocks, duration()),
             "async: how long the job stops, before the save is written behind its work"},
            {optional("full_every", &T::full_every, whole_number(2, 1'000'000)),
             "incremental: one save in this many is a full one"},
            {optional("changed", &T::changed, NumberRule{0, Bound::included, 1}),
             "incremental: what the others hold, of a full one"}};
}

std::vector<Key<WrittenCheckpoint>> store_keys() {
    using T = WrittenCheckpoint;
    return {{optional("store", &T::store, one_of(builtin_storage_tiers().names())),
             "the class of storage that checkpoints of `size` are kept in; default: what "
             "is kept costs nothing"},
            {optional("keep", &T::keep, whole_number(1, 1'000'000)),
             "with `store`: number of checkpoints kept of each job, older ones deleted; default 1"},
            {optional("older_size", &T::older_size, amount(byte_counts, Zero::refused)),
             "with `store`: what one takes that is not the newest, as of weights in half "
             "precision; default: size"},
            {optional("retain", &T::retain, duration()),
             "with `store`: how long they stay after the end of their job; default 0 s"}};
}

Table<WrittenCheckpoint> mapping_keys() {
    using T = WrittenCheckpoint;
    std::vector<Key<T>> keys = when_keys();
    for (Key<T>& key : store_keys())
        keys.push_back(std::move(key));
    for (Key<T>& key : std::vector<Key<T>>{
             {optional("save", &T::save, duration()), "how long a save takes"},
             {optional("size", &T::size, amount(byte_counts)), "what a save writes, for `save`"},
             {optional("write", &T::write, amount(byte_rates, Zero::refused)),
              "at what rate it writes `size`"},
             {optional("read", &T::read, amount(byte_rates, Zero::refused)),
              "at what rate a start after a stop reads it, beside `restart`; default: in "
              "no time"}})
        keys.push_back(std::move(key));
    return table<T>(keys).at_most_one_of({"save", "size"}).check(check_saving);
}

/// A name, or a mapping with the cost of saves.
struct CheckpointRule {
    using value_type = CheckpointSpec;

    [[nodiscard]] std::optional<CheckpointSpec> read(const Reader& at) const {
        if (at.node().kind != NodeKind::mapping) {
            const std::optional<Checkpoint> kind = names.read(at);
            return kind ? std::optional{CheckpointSpec{.kind = *kind}} : std::nullopt;
        }
        const std::optional<WrittenCheckpoint> written = mapping_keys().read(at);
        if (!written)
            return std::nullopt;
        return spec_of(*written);
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf", {names.schema(), mapping_keys().schema()}}};
    }

    ChoiceRule<Checkpoint> names{{{"on-preempt", Checkpoint::on_preempt},
                                  {"on-notice", Checkpoint::on_notice},
                                  {"none", Checkpoint::none}}};
};

} // namespace

std::vector<Key<ClassSpec>> checkpoint_keys() {
    return {{optional("checkpoint", &ClassSpec::checkpoint, CheckpointRule{}),
             "work that a preempted job keeps; default on-preempt, at no cost"},
            {optional("restart", &ClassSpec::restart, duration()),
             "like startup, for every start after the first; default: startup"}};
}

}} // namespace bursar::scenarios
