#include <set>
#include <string>

#include <doctest/doctest.h>

#include "models/training/job/stack_profile.hpp"

namespace bursar::stack_profile_test {

TEST_CASE("the table of constants") {
    const StackProfile defaults;
    std::set<std::string_view> names;
    for (const ProfileConstant& constant : profile_constants()) {
        CAPTURE(std::string{constant.name});
        CHECK(names.insert(constant.name).second);
        CHECK(constant.min < constant.max);
        CHECK((!constant.log_scale || constant.min > 0));
        CHECK(constant.get(defaults) >= constant.min);
        CHECK(constant.get(defaults) <= constant.max);
        StackProfile changed;
        constant.set(changed, constant.max);
        CHECK(constant.get(changed) == constant.max);
        CHECK(find_profile_constant(constant.name) == &constant);
    }
    CHECK(find_profile_constant("gemm_eficiency") == nullptr);
}

TEST_CASE("setting a constant changes that one alone") {
    for (const ProfileConstant& constant : profile_constants()) {
        CAPTURE(std::string{constant.name});
        StackProfile profile;
        constant.set(profile, constant.min);
        int changed = 0;
        for (const ProfileConstant& other : profile_constants())
            changed += other.get(profile) != other.get(StackProfile{});
        CHECK(changed <= 1);
    }
}

} // namespace bursar::stack_profile_test
