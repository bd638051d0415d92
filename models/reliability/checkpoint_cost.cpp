#include "models/reliability/checkpoint_cost.hpp"

#include <algorithm>

#include "models/errors/require.hpp"

namespace bursar {

ByteRate write_rate(const CheckpointWriters& writers) {
    require_positive(writers.count, "writers");
    if (!writers.each && !writers.file_system)
        throw ModelError{
            "write", "is not known", "give the rate of the file system or of one writer"};
    std::optional<ByteRate> slowest = writers.file_system;
    if (writers.each) {
        require_positive(writers.each->count(), "writer_rate");
        const ByteRate all = *writers.each * writers.count;
        slowest = slowest ? std::min(*slowest, all) : all;
    }
    require_positive(slowest->count(), "write");
    return *slowest;
}

void check(const CheckpointCost& cost) {
    require_not_negative(cost.blocking.count(), "blocking");
    require_not_negative(cost.background.count(), "background");
    require_share(cost.interference, "interference");
}

Seconds lost_per_checkpoint(const CheckpointCost& cost) {
    return cost.blocking + cost.background * cost.interference;
}

CheckpointCost synchronous_checkpoint(ByteVolume size, ByteRate rate, Seconds synchronise) {
    require_positive(size.count(), "size");
    require_positive(rate.count(), "write");
    require_not_negative(synchronise.count(), "synchronise");
    return {synchronise + size / rate, Seconds{}, 0};
}

CheckpointCost asynchronous_checkpoint(const AsynchronousSave& save) {
    require_positive(save.size.count(), "size");
    require_positive(save.shards, "shards");
    require_positive(save.copy_rate.count(), "copy_rate");
    require_positive(save.write_rate.count(), "write");
    require_not_negative(save.synchronise.count(), "synchronise");
    require_share(save.interference, "interference");
    return {save.synchronise + save.size / save.shards / save.copy_rate,
            save.size / save.write_rate,
            save.interference};
}

Seconds load_time(ByteVolume size, double replicas, ByteRate rate) {
    require_positive(size.count(), "size");
    require_positive(replicas, "replicas");
    require_positive(rate.count(), "read");
    return size * replicas / rate;
}

} // namespace bursar
