#pragma once

#include <cstdint>
#include <optional>

#include "models/units/physics.hpp"

/// The cost of checkpoints to a run (FORMULAS 6.1).
namespace bursar { inline namespace models {

/// The writers of a checkpoint and their store.
struct CheckpointWriters {
    double count{1};                     ///< processes that write at once, > 0
    std::optional<ByteRate> each;        ///< rate of one of them; absent: not the limit
    std::optional<ByteRate> file_system; ///< rate of the store in all; absent: not the limit
};

/// min(count · each, file_system). Throws ModelError when neither is given, or one is not above
/// zero.
[[nodiscard]] ByteRate write_rate(const CheckpointWriters& writers);

/// The cost of one checkpoint.
struct CheckpointCost {
    Seconds blocking;      ///< training stands still
    Seconds background;    ///< after that, until it is durable: a failure before then falls back to
                           ///< the checkpoint before. 0 when saving is synchronous
    double interference{}; ///< share of its speed that training loses meanwhile, 0..1
};

/// Throws ModelError unless blocking and background are finite and not negative and interference is
/// a share.
void check(const CheckpointCost& cost);

/// Progress lost to one checkpoint without failures: blocking + interference · background. Used as
/// the dump in Young's and Daly's rules if saving is asynchronous.
[[nodiscard]] Seconds lost_per_checkpoint(const CheckpointCost& cost);

/// Training waits until all is written: t_sync + S / rate. synchronise: time until all ranks have
/// stopped, >= 0. Throws ModelError for a size or rate that is not above zero.
[[nodiscard]] CheckpointCost
synchronous_checkpoint(ByteVolume size, ByteRate rate, Seconds synchronise = Seconds{});

/// The snapshot to host memory blocks; the write to the store runs in parallel with training.
struct AsynchronousSave {
    ByteVolume size;       ///< of the whole checkpoint, > 0
    double shards{1};      ///< ranks that each copy an equal part to their host, > 0
    ByteRate copy_rate;    ///< device to host of one rank, > 0; about 20-25 GB/s on PCIe 4
    ByteRate write_rate;   ///< into the store, > 0
    Seconds synchronise;   ///< >= 0
    double interference{}; ///< 0 - 0.03 [unverified]
};

/// blocking = t_sync + S / (shards · copy_rate); background = S / write_rate. Throws ModelError for
/// members out of range.
[[nodiscard]] CheckpointCost asynchronous_checkpoint(const AsynchronousSave& save);

/// The phases between a failure and training again; every term >= 0.
struct RestartTime {
    Seconds detect;    ///< until the failure is noticed
    Seconds requeue;   ///< until nodes are assigned
    Seconds node_init; ///< boot, containers, communicators
    Seconds load;      ///< of the checkpoint: load_time()
    Seconds compile;
    Seconds warm_up; ///< until steps are as fast as before

    [[nodiscard]] Seconds total() const {
        return detect + requeue + node_init + load + compile + warm_up;
    }
};

/// Time to read a checkpoint back: S · replicas / rate. replicas: copies that are read (data
/// parallel groups that do not pass it on), > 0. Throws ModelError for values not above zero.
[[nodiscard]] Seconds load_time(ByteVolume size, double replicas, ByteRate rate);

}} // namespace bursar::models
