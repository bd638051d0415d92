#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/engine/passes/allocator.hpp"
#include "sim/plan/plan.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// What tenants use of their quotas, in slots, and what a cohort still has for each.
class QuotaUse {
  public:
    explicit QuotaUse(const Plan& plan)
        : plan_{&plan}, used_(plan.tenant_quotas.size()),
          free_((1 + most_cohort(plan)) * plan.pools.size()) {
        for (std::size_t tenant = 0; tenant < plan.tenants.size(); ++tenant)
            for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
                free_of(tenant, pool) += quota(tenant, pool).lend;
    }

    void add(std::size_t tenant, std::size_t pool, std::int64_t slots) {
        std::int64_t& used = used_[tenant * plan_->pools.size() + pool];
        free_of(tenant, pool) += from_cohort(tenant, pool);
        used += slots;
        free_of(tenant, pool) -= from_cohort(tenant, pool);
    }

    /// Slots that a tenant may still take: the unused quota that it does not lend, and what its
    /// cohort has left, up to its limit of borrowing.
    [[nodiscard]] std::int64_t available(std::size_t tenant, std::size_t pool) const {
        const TenantQuota& own = quota(tenant, pool);
        const std::int64_t limit = own.nominal + own.borrow - used(tenant, pool);
        const std::int64_t kept =
            std::max<std::int64_t>(own.nominal - own.lend - used(tenant, pool), 0);
        const std::size_t cohort = plan_->tenants[tenant].cohort;
        if (cohort == 0)
            return own.nominal - used(tenant, pool);
        return std::min(
            limit, kept + std::max<std::int64_t>(free_[cohort * plan_->pools.size() + pool], 0));
    }

    /// What a tenant uses above its nominal quota; negative: what it leaves of it.
    [[nodiscard]] std::int64_t above_nominal(std::size_t tenant, std::size_t pool) const {
        return used(tenant, pool) - quota(tenant, pool).nominal;
    }

  private:
    static std::size_t most_cohort(const Plan& plan) {
        std::size_t most = 0;
        for (const PlanTenant& one : plan.tenants)
            most = std::max<std::size_t>(most, one.cohort);
        return most;
    }
    [[nodiscard]] const TenantQuota& quota(std::size_t tenant, std::size_t pool) const {
        return plan_->tenant_quotas[tenant * plan_->pools.size() + pool];
    }
    [[nodiscard]] std::int64_t used(std::size_t tenant, std::size_t pool) const {
        return used_[tenant * plan_->pools.size() + pool];
    }
    [[nodiscard]] std::int64_t& free_of(std::size_t tenant, std::size_t pool) {
        return free_[plan_->tenants[tenant].cohort * plan_->pools.size() + pool];
    }
    /// The part of its use that does not come from what it keeps for itself.
    [[nodiscard]] std::int64_t from_cohort(std::size_t tenant, std::size_t pool) const {
        const TenantQuota& own = quota(tenant, pool);
        return std::max<std::int64_t>(used(tenant, pool) - (own.nominal - own.lend), 0);
    }

    const Plan* plan_;
    std::vector<std::int64_t> used_; ///< [tenant * pools + pool]
    std::vector<std::int64_t> free_; ///< [cohort * pools + pool]: lent, and not in use
};

/// Tenants use their quotas, borrow from their cohorts what others leave, and take back what others
/// have borrowed (Plan::tenants).
///
/// A job whose GPUs others still hold has its quota and these GPUs until it starts. A job is
/// stopped whether its work survives or not, as only a job with a right to its quota has it
/// stopped.
struct Quotas {
    static constexpr std::string_view name = "quotas";
    static constexpr std::string_view summary =
        "each tenant's jobs by priority and submission, within its quota and what its cohort lends "
        "(`tenants:`); a tenant within its nominal quota takes back what others borrow";
    static constexpr std::string_view cost =
        "per decision: waiting jobs * pools; running jobs, for each job that others make way for";
    static constexpr std::string_view source =
        "Kueue (kubernetes-sigs/kueue), ClusterQueue and cohort; BestEffortFIFO";

    static std::unique_ptr<Allocator> from(const PolicyOptions&, const Plan& plan) {
        return std::make_unique<Decider>(plan);
    }

  private:
    /// A job that has its quota and waits for GPUs that others still hold.
    struct Claim {
        JobId job{};
        PoolId pool{};
    };

    class Decider : public Allocator {
      public:
        explicit Decider(const Plan& plan) : plan_{plan} { assert(!plan.tenants.empty()); }

        void begin() override {
            claims_.clear();
            refused_.clear();
        }
        void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override {
            Decision decision{plan_, view, rows};
            claims_ = decision.keep_claims(claims_);
            decision.admit_in_cycles(claims_);
            refused_ = decision.refused();
        }
        [[nodiscard]] std::span<const JobId> refused() const override { return refused_; }

      private:
        const Plan& plan_;
        std::vector<Claim> claims_; ///< the oldest first
        std::vector<JobId> refused_;
    };

    class Decision {
      public:
        Decision(const Plan& plan, const AllocationView& view, std::vector<AllocationRow>& rows)
            : plan_{plan}, view_{view}, rows_{rows}, use_{plan}, goes_(view.jobs.size()),
              reserved_(plan.tenant_quotas.size()) {
            for (const AllocationPool& pool : view.pools) {
                left_.push_back(pool.usable_slots());
                leaving_.push_back(pool.leaving_slots);
            }
            for (const AllocationJob& job : view.jobs) {
                if (job.pool == none())
                    continue;
                use_.add(tenant(job), job.pool, job.slots);
                left_[job.pool] -= job.is_on_leaving ? 0 : job.slots;
            }
        }

        /// Starts the jobs with claims where GPUs are free, and holds quota and GPUs for the rest.
        std::vector<Claim> keep_claims(const std::vector<Claim>& claims) {
            std::vector<Claim> kept;
            for (const Claim& claim : claims) {
                const auto at =
                    std::ranges::lower_bound(view_.jobs, claim.job, {}, &AllocationJob::job);
                if (at == view_.jobs.end() || at->job != claim.job || at->pool != none())
                    continue; // it has started, or ended
                if ((at->pools >> claim.pool & 1U) == 0 || !has_quota(*at, claim.pool) ||
                    borrows_on(*at, claim.pool))
                    continue; // it waits as others do
                kept.push_back(claim);
                is_claimed_.push_back(claim.job);
                if (at->slots <= left_[claim.pool] && !at->is_saving)
                    start(*at, claim.pool);
                else
                    hold(*at, claim.pool);
            }
            std::ranges::sort(is_claimed_);
            return kept;
        }

        /// In each cycle the first job of each tenant that was not yet looked at, those that need
        /// not borrow first.
        void admit_in_cycles(std::vector<Claim>& claims) {
            std::vector<std::vector<std::size_t>> lines = waiting_by_tenant();
            for (std::size_t next = 0;; ++next) {
                std::vector<std::pair<std::tuple<bool, std::int64_t, std::size_t>, std::size_t>>
                    heads;
                for (const std::vector<std::size_t>& line : lines)
                    if (next < line.size())
                        heads.push_back({{borrows(line[next]),
                                          -std::int64_t{priority(view_.jobs[line[next]])},
                                          line[next]},
                                         line[next]});
                if (heads.empty())
                    break;
                std::ranges::sort(heads);
                for (const auto& [order, place] : heads)
                    admit(place, claims);
            }
            std::ranges::sort(refused_);
        }

        [[nodiscard]] std::vector<JobId> refused() { return std::move(refused_); }

      private:
        [[nodiscard]] PoolId none() const { return PoolId{view_.plan.num_pools}; }
        [[nodiscard]] std::size_t tenant(const AllocationJob& job) const {
            return plan_.tenant[job.job];
        }
        [[nodiscard]] std::int32_t priority(const AllocationJob& job) const {
            return plan_.priority.empty() ? 0 : plan_.priority[job.job];
        }

        /// Places of waiting jobs, each tenant's by priority and submission.
        [[nodiscard]] std::vector<std::vector<std::size_t>> waiting_by_tenant() const {
            std::vector<std::vector<std::size_t>> lines(plan_.num_tenants);
            for (std::size_t place = 0; place < view_.jobs.size(); ++place) {
                const AllocationJob& job = view_.jobs[place];
                if (job.pool == none() && !job.is_saving &&
                    !std::ranges::binary_search(is_claimed_, job.job))
                    lines[tenant(job)].push_back(place);
            }
            for (std::vector<std::size_t>& line : lines)
                std::ranges::stable_sort(line, std::ranges::greater{}, [&](std::size_t place) {
                    return priority(view_.jobs[place]);
                });
            return lines;
        }

        /// Quota that waiting jobs of its tenant keep from others.
        [[nodiscard]] std::int64_t reserved(const AllocationJob& job, PoolId pool) const {
            return reserved_[tenant(job) * view_.pools.size() + pool];
        }
        /// What its tenant uses above its nominal quota; negative: what it leaves of it.
        [[nodiscard]] std::int64_t above_nominal(const AllocationJob& job, PoolId pool) const {
            return use_.above_nominal(tenant(job), pool) - reserved(job, pool);
        }
        [[nodiscard]] bool has_quota(const AllocationJob& job, PoolId pool) const {
            return job.slots <= use_.available(tenant(job), pool) + reserved(job, pool);
        }
        [[nodiscard]] bool borrows_on(const AllocationJob& job, PoolId pool) const {
            return above_nominal(job, pool) + job.slots > 0;
        }
        /// The first pool with quota and GPUs for it. more: by pool, GPUs besides those that are
        /// free; empty: none.
        [[nodiscard]] std::optional<PoolId>
        pool_for(const AllocationJob& job, std::span<const std::int64_t> more = {}) const {
            for (PoolId pool{0}; pool < view_.pools.size(); ++pool)
                if ((job.pools >> pool & 1U) != 0 &&
                    job.slots <= left_[pool] + (more.empty() ? 0 : more[pool]) &&
                    has_quota(job, pool))
                    return pool;
            return std::nullopt;
        }
        /// Whether a job is above its tenant's nominal quota on every pool that it may use.
        [[nodiscard]] bool borrows(std::size_t place) const {
            const AllocationJob& job = view_.jobs[place];
            for (PoolId pool{0}; pool < view_.pools.size(); ++pool)
                if ((job.pools >> pool & 1U) != 0 && !borrows_on(job, pool))
                    return false;
            return true;
        }

        void admit(std::size_t place, std::vector<Claim>& claims) {
            const AllocationJob& job = view_.jobs[place];
            if (const std::optional<PoolId> pool = pool_for(job))
                return start(job, *pool);
            if (const std::optional<PoolId> pool = pool_for(job, leaving_)) {
                claims.push_back({job.job, *pool});
                return hold(job, *pool);
            }
            bool has_quota_somewhere = false;
            for (PoolId pool{0}; pool < view_.pools.size(); ++pool) {
                if ((job.pools >> pool & 1U) == 0)
                    continue;
                has_quota_somewhere |= has_quota(job, pool);
                const std::vector<std::size_t> victims = victims_for(job, pool);
                if (victims.empty())
                    continue;
                for (const std::size_t victim : victims) {
                    stop(victim);
                    goes_[victim] = true;
                    rows_.push_back({view_.jobs[victim].job, none()});
                }
                claims.push_back({job.job, pool});
                return start(job, pool);
            }
            if (!has_quota_somewhere)
                refused_.push_back(job.job);
            reserve(job);
        }

        /// Keeps quota for a job within its tenant's nominal quota that has to wait, until the next
        /// decision: else borrowers could take it for ever.
        void reserve(const AllocationJob& job) {
            for (PoolId pool{0}; pool < view_.pools.size(); ++pool) {
                if ((job.pools >> pool & 1U) == 0 || borrows_on(job, pool))
                    continue;
                use_.add(tenant(job), pool, job.slots);
                reserved_[tenant(job) * view_.pools.size() + pool] += job.slots;
                return;
            }
        }

        void start(const AllocationJob& job, PoolId pool) {
            use_.add(tenant(job), pool, job.slots);
            left_[pool] -= job.slots;
            rows_.push_back({job.job, pool});
        }
        /// Quota and GPUs wait for a job, first of those GPUs that are about to become free.
        void hold(const AllocationJob& job, PoolId pool) {
            use_.add(tenant(job), pool, job.slots);
            const std::int64_t from_leaving = std::min(job.slots, leaving_[pool]);
            leaving_[pool] -= from_leaving;
            left_[pool] -= job.slots - from_leaving;
        }
        void stop(std::size_t place) { move(view_.jobs[place], -1); }
        void go_on(std::size_t place) { move(view_.jobs[place], 1); }
        void move(const AllocationJob& running, std::int64_t sign) {
            use_.add(tenant(running), running.pool, sign * running.slots);
            left_[running.pool] -= sign * running.slots;
        }

        /// The fewest running jobs found that leave enough for a job when they stop; none: they
        /// can't. First of all that it may stop, while it stays within its nominal quota; then of
        /// its tenant's alone.
        [[nodiscard]] std::vector<std::size_t> victims_for(const AllocationJob& job, PoolId pool) {
            std::vector<std::size_t> all = candidates(job, pool);
            if (all.empty())
                return {};
            const bool are_own = std::ranges::all_of(
                all, [&](std::size_t place) { return tenant(view_.jobs[place]) == tenant(job); });
            if (!are_own && above_nominal(job, pool) < 0) {
                std::vector<std::size_t> victims = fewest(job, pool, all, false);
                if (!victims.empty())
                    return victims;
            }
            std::erase_if(
                all, [&](std::size_t place) { return tenant(view_.jobs[place]) != tenant(job); });
            return fewest(job, pool, all, true);
        }

        /// Jobs that may be stopped for a job: those of tenants that borrow first, then by the
        /// lowest priority, then by the latest start.
        [[nodiscard]] std::vector<std::size_t> candidates(const AllocationJob& job,
                                                          PoolId pool) const {
            std::vector<std::size_t> found;
            for (std::size_t place = 0; place < view_.jobs.size(); ++place) {
                const AllocationJob& other = view_.jobs[place];
                if (other.pool == pool && !other.is_on_leaving && !goes_[place] &&
                    may_stop(job, other, pool))
                    found.push_back(place);
            }
            std::ranges::sort(found, {}, [&](std::size_t place) {
                const AllocationJob& other = view_.jobs[place];
                return std::tuple{tenant(other) == tenant(job),
                                  priority(other),
                                  -other.start_ms,
                                  -static_cast<std::int64_t>(place)};
            });
            return found;
        }
        [[nodiscard]] bool
        may_stop(const AllocationJob& job, const AllocationJob& other, PoolId pool) const {
            const PlanTenant& own = plan_.tenants[tenant(job)];
            const bool is_lower = priority(other) < priority(job);
            if (tenant(other) == tenant(job))
                return (own.within != PreemptWithin::never && is_lower) ||
                       (own.within == PreemptWithin::lower_or_newer &&
                        priority(other) == priority(job) && other.job > job.job);
            return own.cohort != 0 && plan_.tenants[tenant(other)].cohort == own.cohort &&
                   above_nominal(other, pool) > 0 &&
                   (own.reclaim == Reclaim::any ||
                    (own.reclaim == Reclaim::lower_priority && is_lower));
        }

        /// Stops candidates in order until a job fits, then lets go on those that need not stop.
        /// Leaves everything as it was.
        [[nodiscard]] std::vector<std::size_t> fewest(const AllocationJob& job,
                                                      PoolId pool,
                                                      const std::vector<std::size_t>& from,
                                                      bool may_borrow) {
            const auto fits = [&] {
                return job.slots <= left_[pool] && has_quota(job, pool) &&
                       (may_borrow || !borrows_on(job, pool));
            };
            std::vector<std::size_t> victims;
            for (const std::size_t place : from) {
                if (fits())
                    break;
                const bool is_own = tenant(view_.jobs[place]) == tenant(job);
                if (!is_own && above_nominal(view_.jobs[place], pool) <= 0)
                    continue; // its tenant no longer borrows
                stop(place);
                victims.push_back(place);
            }
            const bool found = fits();
            for (std::size_t i = victims.size(); found && i-- > 0;) {
                go_on(victims[i]);
                if (fits())
                    victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(i));
                else
                    stop(victims[i]);
            }
            for (const std::size_t place : victims)
                go_on(place);
            return found ? victims : std::vector<std::size_t>{};
        }

        const Plan& plan_;
        const AllocationView& view_;
        std::vector<AllocationRow>& rows_;
        QuotaUse use_;
        std::vector<std::int64_t> left_;    ///< by pool: slots that are free, with those of victims
        std::vector<std::int64_t> leaving_; ///< by pool: slots of jobs that save, not yet claimed
        std::vector<bool> goes_;            ///< by place: it is stopped by this decision
        std::vector<std::int64_t> reserved_; ///< [tenant * pools + pool], part of what use_ has
        std::vector<JobId> is_claimed_;      ///< sorted
        std::vector<JobId> refused_;
    };
};

}} // namespace bursar::policies
