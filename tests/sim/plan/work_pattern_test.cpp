#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/work_pattern.hpp"

#include "tests/properties.hpp"
#include "tests/random_saves.hpp"

namespace bursar::test::work_pattern_test {
namespace {

/// An attempt millisecond by millisecond: it works, pauses for a save, and writes.
class SteppedAttempt {
  public:
    SteppedAttempt(const PlanClass& job_class, std::int64_t interval_ms, std::int64_t work_ms)
        : class_{job_class}, interval_ms_{interval_ms}, work_left_ms_{work_ms} {}

    void step() {
        for (Save& save : saves_)
            save.write_left_ms = std::max<std::int64_t>(save.write_left_ms - 1, 0);
        ++now_ms_;
        if (still_ms_ > 0) {
            if (--still_ms_ == 0)
                begin_to_write();
            return;
        }
        ++at_work_ms_;
        --work_left_ms_;
        if (saves_on_the_way(class_.checkpoint) && at_work_ms_ % interval_ms_ == 0 &&
            work_left_ms_ > 0) {
            is_full_ = num_saves_++ % class_.full_every == 0;
            still_ms_ = (is_full_ ? class_.save : class_.increment).count();
            if (still_ms_ == 0)
                begin_to_write();
        }
    }
    [[nodiscard]] bool has_ended() const { return work_left_ms_ == 0; }
    [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
    [[nodiscard]] std::int64_t at_work_ms() const { return at_work_ms_; }

    /// The newest state that can be restored from written saves.
    [[nodiscard]] std::int64_t saved_ms() const {
        std::int64_t newest_ms = 0;
        bool is_whole = false;
        for (const Save& save : saves_) {
            is_whole = save.write_left_ms == 0 && (save.is_full || is_whole);
            if (is_whole)
                newest_ms = save.at_ms;
        }
        return newest_ms;
    }

  private:
    struct Save {
        std::int64_t at_ms{};
        std::int64_t write_left_ms{};
        bool is_full{};
    };
    void begin_to_write() {
        const Duration takes = is_full_ ? class_.write : class_.increment_write;
        saves_.push_back({now_ms_, takes.count(), is_full_});
    }

    const PlanClass& class_;
    std::int64_t interval_ms_;
    std::int64_t work_left_ms_;
    std::int64_t now_ms_{};
    std::int64_t at_work_ms_{};
    std::int64_t still_ms_{};
    std::uint32_t num_saves_{};
    bool is_full_{};
    std::vector<Save> saves_;
};

/// Half of them write increments in parallel with the work, up to several saves behind.
PlanClass draw_class() {
    PlanClass job_class;
    draw_saves(job_class, 1, 8);
    if (drawn::boolean()) {
        job_class.checkpoint = Checkpoint::every;
        job_class.full_every = drawn::in_range(2U, 5U);
        job_class.write = Duration{drawn::in_range(1, 30)};
        job_class.increment_write =
            Duration{drawn::in_range<std::int64_t>(0, job_class.write.count())};
    }
    return job_class;
}

/// Saves after every 10 ms at work: a full one, 4 ms, written for 11; two increments, 2 ms, written
/// for 3.
PlanClass in_parts() {
    PlanClass job_class;
    job_class.checkpoint = Checkpoint::every_on_notice;
    job_class.interval = Duration{10};
    job_class.save = Duration{4};
    job_class.write = Duration{11};
    job_class.increment = Duration{2};
    job_class.increment_write = Duration{3};
    job_class.full_every = 3;
    return job_class;
}

} // namespace

TEST_CASE("saves and writes agree with a walk by milliseconds") {
    CHECK(check_property([] {
        const PlanClass job_class = draw_class();
        const std::int64_t interval_ms = drawn::in_range(1, 8);
        const std::int64_t work_ms = drawn::in_range(0, 60);
        RC_CLASSIFY(saves_on_the_way(job_class.checkpoint) && job_class.full_every > 1 &&
                    job_class.increment_write < job_class.write);
        const WorkPattern pattern{job_class, interval_ms};
        SteppedAttempt stepped{job_class, interval_ms, work_ms};
        while (!stepped.has_ended()) {
            const std::int64_t offset = stepped.now_ms();
            RC_ASSERT(pattern.at_work(offset) == stepped.at_work_ms());
            RC_ASSERT(pattern.saved(offset) == stepped.saved_ms());
            stepped.step();
        }
        RC_ASSERT(pattern.elapsed(work_ms) == stepped.now_ms());
    }));
}

TEST_CASE("an increment is durable when it and its full save are written") {
    // Pauses from 10 to 14, 24 to 26, 36 to 38, and from 48 to 52 for the next full save, which is
    // written at 63. The increments are written at 29 and 41, the full save at 25.
    const PlanClass job_class = in_parts();
    const WorkPattern pattern{job_class, 10};
    CHECK(pattern.saved(24) == 0);
    CHECK(pattern.saved(25) == 14);
    CHECK(pattern.saved(28) == 14);
    CHECK(pattern.saved(29) == 26);
    CHECK(pattern.saved(40) == 26);
    CHECK(pattern.saved(41) == 38);
    CHECK(pattern.saved(62) == 38);
    CHECK(pattern.saved(63) == 52);

    // A full save written for 30 ms ends after both increments, at 44. The next ends at 82; its
    // increments, written at 67 and 79, are durable then, too.
    PlanClass slow = in_parts();
    slow.write = Duration{30};
    const WorkPattern behind{slow, 10};
    CHECK(behind.saved(43) == 0);
    CHECK(behind.saved(44) == 38);
    CHECK(behind.saved(81) == 38);
    CHECK(behind.saved(82) == 76);
}

TEST_CASE("a save at a stop is a full one, and written while the GPUs are held") {
    const PlanClass job_class = in_parts();
    const WorkPattern pattern{job_class, 10};
    CHECK(pattern.last_save(33, StopCause::reclaimed) == 15);
    CHECK(pattern.survives(33, StopCause::reclaimed) == 33);
    CHECK(pattern.last_save(33, StopCause::preempted) == 0);
    CHECK(pattern.survives(33, StopCause::preempted) == 26);
    CHECK(pattern.survives(33, StopCause::node_failed) == 26);
}

} // namespace bursar::test::work_pattern_test
