#include "scenarios/compile/places/level_order.hpp"

#include <algorithm>
#include <limits>

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t no_pool = std::numeric_limits<std::size_t>::max();

/// Which name is inside which, and the pool that orders them so.
class Constraints {
  public:
    explicit Constraints(const std::vector<std::vector<std::vector<std::string>>>& pools) {
        for (const auto& levels : pools)
            for (const auto& level : levels)
                for (const std::string& name : level)
                    if (std::ranges::find(names_, name) == names_.end())
                        names_.push_back(name);
        pool_ordering_.assign(names_.size() * names_.size(), no_pool);
        written_before_.assign(names_.size() * names_.size(), false);
        for (const auto& levels : pools)
            for (const auto& level : levels)
                note_order(level);
        for (std::size_t pool = 0; pool < pools.size(); ++pool)
            for (std::size_t wide = 1; wide < pools[pool].size(); ++wide)
                for (std::size_t narrow = 0; narrow < wide; ++narrow)
                    note(pools[pool][narrow], pools[pool][wide], pool);
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    /// The pool in which `narrow` is inside `wide`; `no_pool` if there is none.
    [[nodiscard]] std::size_t pool_ordering(std::size_t narrow, std::size_t wide) const {
        return pool_ordering_[narrow * names_.size() + wide];
    }
    /// Whether `inner` comes before `outer` among the names of one level of a pool. Both hold the
    /// same nodes there, so another pool may order them differently.
    [[nodiscard]] bool is_written_before(std::size_t inner, std::size_t outer) const {
        return written_before_[inner * names_.size() + outer];
    }

  private:
    [[nodiscard]] std::size_t number(const std::string& name) const {
        return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
    }

    void note_order(const std::vector<std::string>& level) {
        for (std::size_t outer = 1; outer < level.size(); ++outer)
            for (std::size_t inner = 0; inner < outer; ++inner)
                written_before_[number(level[inner]) * names_.size() + number(level[outer])] = true;
    }

    void note(const std::vector<std::string>& narrow,
              const std::vector<std::string>& wide,
              std::size_t pool) {
        for (const std::string& one : narrow)
            for (const std::string& other : wide)
                pool_ordering_[number(one) * names_.size() + number(other)] = pool;
    }

    std::vector<std::string> names_;
    std::vector<std::size_t> pool_ordering_;
    std::vector<bool> written_before_;
};

/// Fills in two names, among those left, that pools order differently.
void explain(const Constraints& constraints, const std::vector<bool>& taken, LevelOrder& out) {
    const std::size_t num = constraints.names().size();
    for (std::size_t one = 0; one < num; ++one)
        for (std::size_t other = 0; other < num; ++other) {
            if (taken[one] || taken[other] || constraints.pool_ordering(one, other) == no_pool)
                continue;
            out.narrow = constraints.names()[one];
            out.wide = constraints.names()[other];
            out.first_pool = out.second_pool = constraints.pool_ordering(one, other);
            if (constraints.pool_ordering(other, one) == no_pool)
                continue; // part of a longer cycle
            out.second_pool = constraints.pool_ordering(other, one);
            return;
        }
}

} // namespace

LevelOrder level_order(const std::vector<std::vector<std::vector<std::string>>>& pools) {
    const Constraints constraints{pools};
    const std::size_t num = constraints.names().size();
    std::vector<bool> taken(num, false);
    LevelOrder out;
    while (out.names.size() < num) {
        const auto waits = [&](std::size_t name) {
            for (std::size_t other = 0; other < num; ++other)
                if (!taken[other] && constraints.pool_ordering(other, name) != no_pool)
                    return true;
            return false;
        };
        const auto num_written_before = [&](std::size_t name) {
            std::size_t count = 0;
            for (std::size_t other = 0; other < num; ++other)
                count += !taken[other] && constraints.is_written_before(other, name) ? 1 : 0;
            return count;
        };
        std::size_t next = num;
        for (std::size_t name = 0; name < num; ++name)
            if (!taken[name] && !waits(name) &&
                (next == num || num_written_before(name) < num_written_before(next)))
                next = name;
        if (next == num) {
            out.names.clear();
            explain(constraints, taken, out);
            return out;
        }
        taken[next] = true;
        out.names.push_back(constraints.names()[next]);
    }
    return out;
}

}} // namespace bursar::scenarios
