#include "models/reliability/checkpoint_cost.hpp"

#include <algorithm>

#include "models/errors/require.hpp"

namespace bursar { inline namespace models {

ByteRate write_rate(const CheckpointWriters& writers) {
    require_positive("writers", writers.count);
    if (!writers.each && !writers.file_system)
        throw ModelError{
            "write", "is not known", "give the rate of the file system or of one writer"};
    std::optional<ByteRate> slowest = writers.file_system;
    if (writers.each) {
        require_positive("writer_rate", writers.each->count());
        const ByteRate all = *writers.each * writers.count;
        slowest = slowest ? std::min(*slowest, all) : all;
    }
    require_positive("write", slowest->count());
    return *slowest;
}

void check(const CheckpointCost& cost) {
    require_not_negative("blocking", cost.blocking.count());
    require_not_negative("background", cost.background.count());
    require_share("interference", cost.interference);
}

Seconds lost_per_checkpoint(const CheckpointCost& cost) {
    return cost.blocking + cost.background * cost.interference;
}

CheckpointCost synchronous_checkpoint(ByteVolume size, ByteRate rate, Seconds synchronise) {
    require_positive("size", size.count());
    require_positive("write", rate.count());
    require_not_negative("synchronise", synchronise.count());
    return {synchronise + size / rate, Seconds{}, 0};
}

CheckpointCost asynchronous_checkpoint(const AsynchronousSave& save) {
    require_positive("size", save.size.count());
    require_positive("shards", save.shards);
    require_positive("copy_rate", save.copy_rate.count());
    require_positive("write", save.write_rate.count());
    require_not_negative("synchronise", save.synchronise.count());
    require_share("interference", save.interference);
    return {save.synchronise + save.size / save.shards / save.copy_rate,
            save.size / save.write_rate,
            save.interference};
}

Seconds load_time(ByteVolume size, double replicas, ByteRate rate) {
    require_positive("size", size.count());
    require_positive("replicas", replicas);
    require_positive("read", rate.count());
    return size * replicas / rate;
}

}} // namespace bursar::models
