#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "sim/record/checkpoint_use.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::checkpoint_use_test {
namespace {

/// One job of 100 s on one GPU that saves after every 30 s at work, for 2 s, and starts up for 5 s;
/// a second pool elsewhere.
Plan plan() {
    Plan made = plan_of({JobSpec{0, 100}}, {pool_of(1, 1), pool_of(1, 1)});
    made.classes[0].checkpoint = Checkpoint::every;
    made.classes[0].interval = 30 * second;
    made.classes[0].save = 2 * second;
    made.classes[0].startup = 5 * second;
    made.classes[0].recovery = 3 * second;
    return made;
}

/// Without a stop: 5 + 100 + 3 saves of 2 s.
JobRows undisturbed() {
    JobRows rows;
    rows.phase = {JobPhase::finished};
    rows.pool = {0};
    rows.start_ms = {0};
    rows.finish_ms = {111'000};
    return rows;
}

Outcome run_of(Duration end) {
    Outcome outcome;
    outcome.end = end;
    outcome.window_end = end;
    return outcome;
}

CheckpointUse use_of(const Plan& of, const JobRows& rows, const CheckpointStore& store) {
    return checkpoint_use(
        of, run_of(200 * second), rows, std::vector{store}, std::vector<std::uint16_t>{0, 1});
}

} // namespace

TEST_CASE(
    "the newest save is kept until the next one is durable, and the last until the job ends") {
    // Saved at 37, 69 and 101 s; it ends at 111 s.
    const CheckpointUse one = use_of(plan(), undisturbed(), {.bytes = 10});
    CHECK(one.num_saved == 3);
    CHECK(one.byte_ms == 10 * (111'000 - 37'000));
    CHECK(one.num_read == 0);
    const CheckpointUse two =
        use_of(plan(), undisturbed(), {.bytes = 10, .older_bytes = 3, .keep = 2});
    CHECK(two.byte_ms == 10 * (111'000 - 37'000) + 3 * (111'000 - 69'000));
    const CheckpointUse after = use_of(plan(), undisturbed(), {.bytes = 10, .retain = 50 * second});
    CHECK(after.byte_ms == 10 * (161'000 - 37'000));
    CHECK(use_of(plan(), undisturbed(), {.bytes = 10, .retain = hour}).byte_ms ==
          10 * (200'000 - 37'000)); // not after the end of the run
}

TEST_CASE("a save deleted early is charged for its tier's minimum time") {
    const CheckpointUse use = use_of(plan(), undisturbed(), {.bytes = 10, .min_stay = 40 * second});
    CHECK(use.byte_ms == 10 * 3 * 40'000);
}

TEST_CASE("a save is kept from when it is durable") {
    Plan async = plan();
    async.classes[0].write = 20 * second; // durable at 57 and 89 s; the third is not before the end
    const CheckpointUse use = use_of(async, undisturbed(), {.bytes = 10});
    CHECK(use.num_saved == 2);
    CHECK(use.byte_ms == 10 * (111'000 - 57'000));
}

TEST_CASE("a save that was not written when its job was stopped is not kept") {
    Plan async = plan();
    async.classes[0].checkpoint = Checkpoint::every_on_preempt;
    async.classes[0].write = 20 * second;
    // Saved at 37 s, which would be written at 57; stopped at 50 s, and saved until 72 s.
    JobRows rows = undisturbed();
    rows.stopped = {{.start_ms = 0, .stop_ms = 72'000, .kept_ms = 43'000, .lost_ms = 0}};
    rows.last_start_ms = {80'000};
    rows.finish_ms = {142'000}; // 57 s are left, with a save at 115 s
    const CheckpointUse use = use_of(async, rows, {.bytes = 10});
    CHECK(use.num_saved == 2);
    CHECK(use.byte_ms == 10 * (142'000 - 72'000));
}

TEST_CASE("increments are kept with the full save that they build on") {
    // Saves end at 37, 68 and 100 s; the second is an increment. The job ends at 110 s.
    Plan parts = plan();
    parts.classes[0].increment = second;
    parts.classes[0].full_every = 2;
    JobRows rows = undisturbed();
    rows.finish_ms = {110'000};
    const CheckpointStore store{.bytes = 10, .older_bytes = 10, .increment_bytes = 3};
    const CheckpointUse one = use_of(parts, rows, store);
    CHECK(one.num_saved == 3);
    CHECK(one.byte_ms == 10 * (110'000 - 37'000) + 3 * (100'000 - 68'000));
    CheckpointStore two_states = store;
    two_states.keep = 2; // the increment, and with it the full one before
    CHECK(use_of(parts, rows, two_states).byte_ms ==
          10 * (110'000 - 37'000) + 10 * (110'000 - 100'000) + 3 * (110'000 - 68'000));

    // Written for 20 and 40 s: the increment is durable with the full save, at 77 s; the third save
    // not before the end.
    parts.classes[0].write = 40 * second;
    parts.classes[0].increment_write = 5 * second;
    const CheckpointUse behind = use_of(parts, rows, store);
    CHECK(behind.num_saved == 2);
    CHECK(behind.byte_ms == 13 * (110'000 - 77'000));

    // Stopped at 90 s; from 100 s on in the other pool, 3 s and the 38 s left with a save at 135 s,
    // not written by the end: it reads both parts.
    rows.stopped = {{.start_ms = 0, .stop_ms = 90'000, .kept_ms = 60'000, .lost_ms = 22'000}};
    rows.pool = {1};
    rows.last_start_ms = {100'000};
    rows.finish_ms = {145'000};
    const CheckpointUse read = use_of(parts, rows, store);
    CHECK(read.num_read == 2);
    CHECK(read.bytes_read == 13);
    CHECK(read.moved == std::vector<BytesMoved>{{0, 1, 13}});
    CHECK(read.byte_ms == 13 * (145'000 - 77'000));
}

TEST_CASE("a restart reads the saved state, and moves it if the region differs") {
    // Stopped at 50 s, 13 s past its save; from 60 s on in the other pool: 3 s, the 70 s left with
    // saves at 95 and 127 s, to 137 s.
    JobRows rows = undisturbed();
    rows.stopped = {{.start_ms = 0, .stop_ms = 50'000, .kept_ms = 30'000, .lost_ms = 13'000}};
    rows.pool = {1};
    rows.last_start_ms = {60'000};
    rows.finish_ms = {137'000};
    const CheckpointUse use = use_of(plan(), rows, {.bytes = 10});
    CHECK(use.num_saved == 3);
    CHECK(use.byte_ms == 10 * (137'000 - 37'000));
    CHECK(use.num_read == 1);
    CHECK(use.bytes_read == 10);
    CHECK(use.moved == std::vector<BytesMoved>{{0, 1, 10}});
    rows.pool = {0};
    CHECK(use_of(plan(), rows, {.bytes = 10}).moved.empty());
}

TEST_CASE("a save at a stop is durable when the GPUs are released") {
    Plan on_preempt = plan();
    on_preempt.classes[0].checkpoint = Checkpoint::on_preempt;
    JobRows rows = undisturbed();
    rows.stopped = {{.start_ms = 0, .stop_ms = 50'000, .kept_ms = 43'000, .lost_ms = 0}};
    rows.last_start_ms = {60'000};
    rows.finish_ms = {120'000};
    const CheckpointUse use = use_of(on_preempt, rows, {.bytes = 10});
    CHECK(use.num_saved == 1);
    CHECK(use.byte_ms == 10 * (120'000 - 50'000));
    rows.stopped[0].cause = StopCause::node_failed;
    rows.stopped[0].kept_ms = 0;
    const CheckpointUse lost = use_of(on_preempt, rows, {.bytes = 10});
    CHECK(lost.num_saved == 0);
    CHECK(lost.num_read == 0);
}

TEST_CASE("only the measured time counts") {
    Outcome outcome = run_of(200 * second);
    outcome.window_begin = 60 * second;
    outcome.window_end = 100 * second;
    const CheckpointUse use = checkpoint_use(plan(),
                                             outcome,
                                             undisturbed(),
                                             std::vector<CheckpointStore>{{.bytes = 10}},
                                             std::vector<std::uint16_t>{0, 0});
    CHECK(use.num_saved == 1);
    CHECK(use.byte_ms == 10 * 40'000);
}

} // namespace bursar::test::checkpoint_use_test
