#include "scenarios/reader/pattern.hpp"

#include <bitset>
#include <cassert>
#include <limits>

namespace bursar { inline namespace scenarios {
namespace {

/// Positions in the text where a part of the pattern may end: a bit per character, and one for the
/// end. Bits of one size, because patterns are half of what it takes to read a catalogue.
using Positions = std::bitset<max_form_text + 1>;

struct Repeat {
    int min{1};
    int max{1};
};

/// Length of the first atom of `pattern`: a class, a group, an escape or one character.
std::size_t atom_length(std::string_view pattern) {
    if (pattern.front() == '\\')
        return 2;
    if (pattern.front() == '[')
        return pattern.find(']') + 1;
    if (pattern.front() != '(')
        return 1;
    std::size_t at = 1;
    while (pattern[at] != ')')
        at += atom_length(pattern.substr(at));
    return at + 1;
}

int take_number(std::string_view& pattern) {
    int number = 0;
    for (; pattern.front() >= '0' && pattern.front() <= '9'; pattern.remove_prefix(1))
        number = 10 * number + (pattern.front() - '0');
    return number;
}

/// Takes the quantifier at the begin of `pattern`, if there is one.
Repeat take_repeat(std::string_view& pattern) {
    constexpr int no_limit = std::numeric_limits<int>::max();
    const char mark = pattern.empty() ? '\0' : pattern.front();
    if (mark != '?' && mark != '*' && mark != '+' && mark != '{')
        return {};
    pattern.remove_prefix(1);
    if (mark != '{')
        return {mark == '+' ? 1 : 0, mark == '?' ? 1 : no_limit};
    Repeat repeat;
    repeat.min = take_number(pattern);
    repeat.max = repeat.min;
    if (pattern.front() == ',') {
        pattern.remove_prefix(1);
        repeat.max = take_number(pattern);
    }
    assert(pattern.front() == '}');
    pattern.remove_prefix(1);
    return repeat;
}

/// Is `c` in the class with the characters `set` between its brackets?
bool in_class(std::string_view set, char c) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (i + 2 < set.size() && set[i + 1] == '-') {
            if (c >= set[i] && c <= set[i + 2])
                return true;
            i += 2;
        } else if (c == set[i]) {
            return true;
        }
    }
    return false;
}

bool takes(std::string_view atom, char c) {
    if (atom.front() == '[')
        return in_class(atom.substr(1, atom.size() - 2), c);
    return c == atom.back(); // itself, or the character after the backslash
}

Positions ends(std::string_view text, std::string_view pattern, const Positions& begins);

/// Positions after the characters that `atom`, which is no group, takes.
Positions after_taken(std::string_view text, std::string_view atom) {
    Positions after;
    for (std::size_t i = 0; i < text.size(); ++i)
        after[i + 1] = takes(atom, text[i]);
    return after;
}

Positions ends_of_repeated(std::string_view text,
                           std::string_view atom,
                           Repeat repeat,
                           const Positions& begins) {
    const bool is_group = atom.front() == '(';
    const Positions taken = is_group ? Positions{} : after_taken(text, atom);
    const auto ends_of_one = [&](const Positions& from) {
        return is_group ? ends(text, atom.substr(1, atom.size() - 2), from) : (from << 1) & taken;
    };
    Positions now = begins;
    int times = 0;
    for (; times < repeat.min; ++times)
        now = ends_of_one(now);
    Positions all = now;
    for (; times < repeat.max; ++times) {
        now = ends_of_one(now);
        const Positions more = all | now;
        if (more == all)
            break;
        all = more;
    }
    return all;
}

/// Positions at which `pattern` may end if it begins at any of `begins`.
Positions ends(std::string_view text, std::string_view pattern, const Positions& begins) {
    Positions out;
    Positions now = begins;
    while (!pattern.empty()) {
        if (pattern.front() == '|') {
            out |= now;
            now = begins;
            pattern.remove_prefix(1);
            continue;
        }
        const std::string_view atom = pattern.substr(0, atom_length(pattern));
        pattern.remove_prefix(atom.size());
        now = ends_of_repeated(text, atom, take_repeat(pattern), now);
    }
    return out | now;
}

} // namespace

bool has_form(std::string_view text, std::string_view pattern) {
    return text.size() <= max_form_text && ends(text, pattern, Positions{1})[text.size()];
}

}} // namespace bursar::scenarios
