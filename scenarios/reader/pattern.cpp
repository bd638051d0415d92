#include "scenarios/reader/pattern.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

namespace bursar { inline namespace scenarios {
namespace {

/// Positions in the text where a part of the pattern may end: a flag per character, and one for the
/// end.
using Positions = std::vector<bool>;

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

Positions ends_of_atom(std::string_view text, std::string_view atom, const Positions& begins) {
    if (atom.front() == '(')
        return ends(text, atom.substr(1, atom.size() - 2), begins);
    Positions out(begins.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        out[i + 1] = begins[i] && takes(atom, text[i]);
    return out;
}

Positions either(Positions one, const Positions& other) {
    for (std::size_t i = 0; i < one.size(); ++i)
        one[i] = one[i] || other[i];
    return one;
}

Positions ends_of_repeated(std::string_view text,
                           std::string_view atom,
                           Repeat repeat,
                           const Positions& begins) {
    Positions now = begins;
    int times = 0;
    for (; times < repeat.min; ++times)
        now = ends_of_atom(text, atom, now);
    Positions all = now;
    for (; times < repeat.max; ++times) {
        now = ends_of_atom(text, atom, now);
        Positions more = either(all, now);
        if (more == all)
            break;
        all = std::move(more);
    }
    return all;
}

/// Positions at which `pattern` may end if it begins at any of `begins`.
Positions ends(std::string_view text, std::string_view pattern, const Positions& begins) {
    Positions out(begins.size());
    Positions now = begins;
    while (!pattern.empty()) {
        if (pattern.front() == '|') {
            out = either(std::move(out), now);
            now = begins;
            pattern.remove_prefix(1);
            continue;
        }
        const std::string_view atom = pattern.substr(0, atom_length(pattern));
        pattern.remove_prefix(atom.size());
        now = ends_of_repeated(text, atom, take_repeat(pattern), now);
    }
    return either(std::move(out), now);
}

} // namespace

bool has_form(std::string_view text, std::string_view pattern) {
    Positions begin(text.size() + 1);
    begin.front() = true;
    return ends(text, pattern, begin).back();
}

}} // namespace bursar::scenarios
