#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_conservative.hpp"
#include "tests/oracle/naive_easy.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_staging.hpp"
#include "tests/oracle/naive_turns.hpp"

namespace bursar::oracle {

/// Actions on jobs and nodes, with all parts that they notify.
class Moves {
  public:
    Moves(Cluster& cluster,
          NaiveRules& rules,
          NaiveOrder& order,
          Turns& turns,
          NaiveEasy& easy,
          NaiveConservative& conservative,
          NaiveStaging& staging)
        : cluster_{cluster}, rules_{rules}, order_{order}, turns_{turns}, easy_{easy},
          conservative_{conservative}, staging_{staging} {}

    void receive(std::size_t job) {
        cluster_.jobs[job].phase = Phase::pending;
        cluster_.history.eligible_ms[job] = cluster_.now_ms;
        turns_.has_come(job);
    }

    void start(std::size_t job, std::size_t pool, std::vector<Share> shares) {
        cluster_.start(job, pool, std::move(shares));
        JobState& state = cluster_.jobs[job];
        if (state.starves_since_ms)
            state.starved_ms += cluster_.now_ms - *state.starves_since_ms;
        state.starves_since_ms.reset();
        order_.use.note(job, 1);
        turns_.has_started(job);
        ++num_decided;
    }

    void start_beside(std::size_t job, std::size_t partner) {
        cluster_.start_beside(job, partner);
        order_.use.note(job, 1);
        turns_.has_started(job);
        ++num_decided;
    }

    void finish(std::size_t job) {
        easy_.note_end(job);
        conservative_.note_end(job);
        order_.use.note(job, -1);
        cluster_.finish(job);
        staging_.note_release(job, true);
        has_news = true;
    }

    /// A waiting job leaves for good.
    void drop(std::size_t job) {
        cluster_.drop(job);
        easy_.note_drop(job);
        conservative_.note_drop(job);
    }

    /// Preempts it after a grace period.
    void give_notice(std::size_t job, std::int64_t grace_ms) {
        cluster_.jobs[job].notice_ms = cluster_.now_ms + grace_ms;
    }

    void stop(std::size_t job, Cause cause, std::int64_t hold_ms) {
        const std::int64_t believed_end_ms = cluster_.jobs[job].believed_end_ms;
        cluster_.stop(job, cause, hold_ms);
        easy_.note_stop(job, believed_end_ms);
        conservative_.note_change();
        turns_.has_stopped(job);
        ++num_decided;
        if (cluster_.jobs[job].release_ms == cluster_.now_ms)
            put_back(job);
    }
    void put_back(std::size_t job) {
        order_.use.note(job, -1);
        const std::int64_t left_ms = cluster_.jobs[job].work_left_ms;
        cluster_.put_back(job);
        staging_.note_release(job, false);
        if (!rules_.region_of_pool.empty() && cluster_.jobs[job].work_left_ms < left_ms) {
            rules_.saved_place.resize(cluster_.jobs.size());
            rules_.saved_place[job] = 1 + rules_.region_of_pool[cluster_.jobs[job].pool];
        }
        turns_.has_come_back(job);
        if (cluster_.jobs[job].held_ms > 0)
            cluster_.jobs[job].starves_since_ms = cluster_.now_ms;
        has_news = true;
        easy_.forget();
        conservative_.note_change();
    }

    void set_offline(std::size_t pool, std::size_t node, bool offline) {
        cluster_.set_offline(pool, node, offline);
        has_news = true;
        easy_.forget();
        conservative_.note_nodes();
    }

    /// Waiting jobs may prefer other pools than before.
    void note_other_pools() {
        has_news = true;
        easy_.forget();
        conservative_.note_nodes();
    }

    std::int64_t num_decided{}; ///< starts and stops
    bool has_news{}; ///< GPUs were released, or may be used otherwise, since the last check

  private:
    Cluster& cluster_;
    NaiveRules& rules_;
    NaiveOrder& order_;
    Turns& turns_;
    NaiveEasy& easy_;
    NaiveConservative& conservative_;
    NaiveStaging& staging_;
};

} // namespace bursar::oracle
