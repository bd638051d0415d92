#pragma once

#include <cstdint>

namespace bursar {

/// How the key of a job moves while it holds GPUs. While it waits, nothing moves.
enum class KeyMotion : std::uint8_t {
    fixed, ///< never: one order for the whole run
    falls, ///< it is a time in ms and falls by one per ms held, so that running jobs keep their
           ///< order among each other and gain on those that wait
    steps, ///< it is another one once `until_key_changes` has passed
};

/// Who comes first among jobs of equal key.
enum class Ties : std::uint8_t {
    submit, ///< who was submitted first; ties in input order
    turn,   ///< running jobs keep their place before waiting ones; who is preempted waits at the
            ///< front, and whose key changes goes to the end of those who have the new one
};

/// What a queue policy's functor declares, or what holds where it declares nothing.
template <class Policy>
constexpr KeyMotion motion_of() {
    if constexpr (requires { Policy::motion; })
        return Policy::motion;
    else
        return KeyMotion::fixed;
}
template <class Policy>
constexpr Ties ties_of() {
    if constexpr (requires { Policy::ties; })
        return Policy::ties;
    else
        return Ties::submit;
}
/// Whether running jobs give way to those before them in the order, unless a scenario says
/// otherwise.
template <class Policy>
constexpr bool preempts_by_default() {
    if constexpr (requires { Policy::preempts; })
        return Policy::preempts;
    else
        return false;
}

/// The policy of every order with fixed keys, once the JobOrder holds them.
struct FixedOrder {};

} // namespace bursar
