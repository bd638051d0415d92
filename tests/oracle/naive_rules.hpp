#pragma once

#include <cstdint>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"
#include "tests/oracle/naive_world.hpp"
#include "tests/oracle/time_stepping.hpp"

namespace bursar::oracle {

enum class Order : std::uint8_t {
    fifo,
    sjf,           ///< least believed work first
    srtf,          ///< least remaining first
    srtf_gpu_time, ///< the same times its GPUs
    smallest,      ///< fewest GPUs first
    las,      ///< lowest list first; a job falls to the next when it has attained the list's limit
    priority, ///< highest priority first
    edf,      ///< earliest deadline first, those without one last
    value_density, ///< most value per GPU time of its work first
    by_key         ///< least Request::key first
};

/// Who goes first among jobs of equal rank.
enum class TieRule : std::uint8_t {
    submit,        ///< in input order
    last_order,    ///< as they stood at the last pass, new ones last (Tiresias' sort in place)
    running_first, ///< as last_order; after each pass the running ones of a rank come before the
                   ///< pending ones, and a job whose rank has risen goes last (Tiresias' lists)
    pending_first  ///< pending ones as they came (back) to the queue, then running ones as they
                   ///< started (Helios)
};

enum class Backfill : std::uint8_t {
    none,
    easy,        ///< a blocked head has a reservation; what would delay it does not start
    conservative ///< every pending job has one
};

enum class Stop : std::uint8_t {
    never, ///< a job that runs is never disturbed
    order  ///< at every pass all GPUs are handed out anew in the queue's order
};

/// When a list's limit is looked at, beside every other event.
enum class WakeRule : std::uint8_t {
    exact,   ///< at the moment it is reached
    tiresias ///< (limit - time attained) / GPUs after the last event, in whole seconds: attained
             ///< time is not multiplied by the GPUs, so it is late except for jobs of one GPU. A
             ///< job falls one list per event
};

struct NaiveRules {
    Order order{Order::fifo};
    HeadRule head{HeadRule::block};
    Backfill backfill{Backfill::none};
    Stop stop{Stop::never};
    TieRule ties{TieRule::submit};
    CapacityRule capacity{CapacityRule::count};
    PlacementRule placement{PlacementRule::consolidated};
    std::vector<std::size_t> pool_preference{}; ///< empty: as given
    RestartRule restart{RestartRule::anew};
    std::vector<std::int64_t> las_limits{}; ///< ascending; ms, or GPU-ms with las_by_gpu_time
    bool las_by_gpu_time{true};
    WakeRule las_wake{WakeRule::exact};
};

} // namespace bursar::oracle
