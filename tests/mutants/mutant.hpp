#pragma once

// tools/mutants includes this file in a copy of the sources. All mutants are compiled at once, and
// BURSAR_MUTANT in the environment chooses the one that a process runs: one build serves hundreds
// of mutants.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#pragma clang diagnostic ignored "-Weverything"

namespace bursar_mutant {

inline constexpr int max_mutants = 4096;

struct State {
    int active{-1};
    std::array<bool, max_mutants> reached{};
};

inline State& state() {
    static State state = [] {
        State out;
        if (const char* number = std::getenv("BURSAR_MUTANT"))
            out.active = std::atoi(number);
        return out;
    }();
    return state;
}

[[gnu::noinline]] inline bool is_active(int number) {
    State& now = state();
    now.reached[static_cast<std::size_t>(number)] = true;
    return now.active == number;
}

/// Constants are never mutated: they were made by the compiler.
constexpr bool is_on(int number) {
    return !std::is_constant_evaluated() && is_active(number);
}

/// The changed operator does not exist for these types.
[[noreturn]] inline void inapplicable() {
    std::_Exit(77);
}

// `a < b` is written `a < mutant(7) < b`: the operators keep their precedence.
#define BURSAR_MUTANT(name, operation, changed)                                                    \
    struct name {                                                                                  \
        int number;                                                                                \
    };                                                                                             \
    template <class Left>                                                                          \
    struct name##_left {                                                                           \
        const Left& left;                                                                          \
        int number;                                                                                \
    };                                                                                             \
    template <class Left>                                                                          \
    constexpr name##_left<Left> operator operation(const Left& left, name mutant) {                \
        return {left, mutant.number};                                                              \
    }                                                                                              \
    template <class Left, class Right>                                                             \
    constexpr auto operator operation(name##_left<Left> it, const Right& right)                    \
        ->std::decay_t<decltype(it.left operation right)> {                                        \
        if (is_on(it.number)) {                                                                    \
            if constexpr (requires {                                                               \
                              std::decay_t<decltype(it.left operation right)>(                     \
                                  it.left changed right);                                          \
                          })                                                                       \
                return std::decay_t<decltype(it.left operation right)>(it.left changed right);     \
            else                                                                                   \
                inapplicable();                                                                    \
        }                                                                                          \
        return it.left operation right;                                                            \
    }

// clang-format off
BURSAR_MUTANT(less_edge, <, <=)
BURSAR_MUTANT(less_not, <, >=)
BURSAR_MUTANT(at_most_edge, <=, <)
BURSAR_MUTANT(at_most_not, <=, >)
BURSAR_MUTANT(more_edge, >, >=)
BURSAR_MUTANT(more_not, >, <=)
BURSAR_MUTANT(at_least_edge, >=, >)
BURSAR_MUTANT(at_least_not, >=, <)
BURSAR_MUTANT(equal_not, ==, !=)
BURSAR_MUTANT(unequal_not, !=, ==)
BURSAR_MUTANT(plus_sign, +, -)
BURSAR_MUTANT(minus_sign, -, +)
// clang-format on
#undef BURSAR_MUTANT

constexpr bool negated(int number, bool condition) {
    return is_on(number) != condition;
}

constexpr int one_more(int number) {
    return is_on(number) ? 1 : 0;
}

template <class Left, class Right>
constexpr void add(int number, Left& left, const Right& right) {
    if constexpr (requires { left -= right; }) {
        if (is_on(number)) {
            left -= right;
            return;
        }
    } else if (is_on(number)) {
        inapplicable();
    }
    left += right;
}

template <class Left, class Right>
constexpr void subtract(int number, Left& left, const Right& right) {
    if (is_on(number))
        left += right;
    else
        left -= right;
}

template <class T>
constexpr T less_of(int number, const T& a, const T& b) {
    return (b < a) != is_on(number) ? b : a;
}

template <class T>
constexpr T more_of(int number, const T& a, const T& b) {
    return (a < b) != is_on(number) ? b : a;
}

} // namespace bursar_mutant
