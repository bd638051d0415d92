#pragma once

#include <type_traits>
#include <utility>

#include "reports/metrics/metric_table.hpp"

/// From a member of Metrics, or of one of its blocks, to the way it is kept: stored<&Metrics::jct>.
namespace bursar { inline namespace reports {

inline const Metrics* block_of(const Metrics& metrics, std::type_identity<Metrics>) {
    return &metrics;
}
inline const QueueLength* block_of(const Metrics& metrics, std::type_identity<QueueLength>) {
    return &metrics.queue;
}
inline const Deadlines* block_of(const Metrics& metrics, std::type_identity<Deadlines>) {
    return metrics.deadlines ? &*metrics.deadlines : nullptr;
}
inline const PlaceWait* block_of(const Metrics& metrics, std::type_identity<PlaceWait>) {
    return metrics.place_wait ? &*metrics.place_wait : nullptr;
}
inline const LevelEffect* block_of(const Metrics& metrics, std::type_identity<LevelEffect>) {
    return metrics.level_effect ? &*metrics.level_effect : nullptr;
}

/// The block to fill; one that may be absent comes to be.
inline Metrics& made_block(Metrics& metrics, std::type_identity<Metrics>) {
    return metrics;
}
inline QueueLength& made_block(Metrics& metrics, std::type_identity<QueueLength>) {
    return metrics.queue;
}
inline Deadlines& made_block(Metrics& metrics, std::type_identity<Deadlines>) {
    return metrics.deadlines ? *metrics.deadlines : metrics.deadlines.emplace();
}
inline PlaceWait& made_block(Metrics& metrics, std::type_identity<PlaceWait>) {
    return metrics.place_wait ? *metrics.place_wait : metrics.place_wait.emplace();
}
inline LevelEffect& made_block(Metrics& metrics, std::type_identity<LevelEffect>) {
    return metrics.level_effect ? *metrics.level_effect : metrics.level_effect.emplace();
}

template <class Member>
struct StoredMember;

/// A member that every result has.
template <class Block, class Value>
struct StoredMember<Value Block::*> {
    using Number = Value;
    static constexpr bool is_optional = false;

    static std::optional<Value> get(const Metrics& metrics, Value Block::*member) {
        const Block* block = block_of(metrics, std::type_identity<Block>{});
        return block == nullptr ? std::nullopt : std::optional{block->*member};
    }
    static void set(Metrics& metrics, Value Block::*member, Value value) {
        made_block(metrics, std::type_identity<Block>{}).*member = value;
    }
};

/// A member that may be unknown: one that means nothing without jobs.
template <class Block, class Value>
struct StoredMember<std::optional<Value> Block::*> {
    using Number = Value;
    static constexpr bool is_optional = true;

    static std::optional<Value> get(const Metrics& metrics, std::optional<Value> Block::*member) {
        const Block* block = block_of(metrics, std::type_identity<Block>{});
        return block == nullptr ? std::nullopt : block->*member;
    }
    static void set(Metrics& metrics, std::optional<Value> Block::*member, Value value) {
        made_block(metrics, std::type_identity<Block>{}).*member = value;
    }
};

/// A quantity's number, or the number itself.
template <class Value>
constexpr int128 number_of(Value value) {
    if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, int128>)
        return value;
    else
        return value.count();
}

template <class Value>
constexpr StoredNumber::Form form_of() {
    if constexpr (std::is_same_v<Value, std::uint64_t>)
        return StoredNumber::Form::count;
    else if constexpr (std::is_same_v<Value, Duration>)
        return StoredNumber::Form::milliseconds;
    else
        return StoredNumber::Form::exact;
}

template <auto member>
inline constexpr StoredNumber stored{
    [](const Metrics& metrics) -> std::optional<int128> {
        const auto value = StoredMember<decltype(member)>::get(metrics, member);
        return value ? std::optional{number_of(*value)} : std::nullopt;
    },
    [](Metrics& metrics, int128 value) {
        using Stored = StoredMember<decltype(member)>;
        using Number = typename Stored::Number;
        if constexpr (std::is_integral_v<Number>)
            Stored::set(metrics, member, static_cast<Number>(value));
        else if constexpr (std::is_same_v<Number, Duration>)
            Stored::set(metrics, member, Duration{static_cast<std::int64_t>(value)});
        else
            Stored::set(metrics, member, Number{value});
    },
    form_of<typename StoredMember<decltype(member)>::Number>(),
    StoredMember<decltype(member)>::is_optional};

}} // namespace bursar::reports
