#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/check_plan.hpp"
#include "sim/plan_file/plan_file.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/contains.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_market.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"
#include "tests/rich_plan.hpp"

namespace bursar::test::stored_plan_test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes stored(const Plan& plan) {
    PlanFileWriter file;
    add_plan(plan, file);
    return std::move(file).finish();
}

Plan loaded(const Bytes& bytes) {
    return read_plan(PlanFile{bytes});
}

/// The error of reading the bytes; "nothing" if they are accepted.
std::string refusal(const Bytes& bytes) {
    try {
        (void)loaded(bytes);
    } catch (const BadPlan& error) {
        return error.what();
    }
    return "nothing";
}

/// Sets the checksum to that of the bytes.
Bytes signed_anew(Bytes bytes) {
    const std::uint64_t hash = content_hash(bytes);
    std::memcpy(bytes.data() + offsetof(plan_file::Header, content), &hash, sizeof hash);
    return bytes;
}

template <class T>
void put(Bytes& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

Plan draw_any_plan() {
    Plan plan = draw_plan({.max_pools = 3, .max_jobs = 12, .with_estimates = true});
    draw_market(plan);
    plan.world = draw_world(plan);
    if (drawn::boolean())
        draw_fleet(plan);
    if (drawn::boolean())
        draw_own_failures(plan);
    if (drawn::boolean())
        draw_fallbacks(plan);
    return plan;
}

std::uint64_t fingerprint(const Plan& plan) {
    const PolicyChoice choice{.queue = "srtf"};
    Workspace workspace;
    return simulate_ledger(plan, order_for(plan, choice), choice, workspace).fingerprint;
}

} // namespace

TEST_CASE("a plan that was stored and loaded is the same plan") {
    const Plan plan = rich_plan();
    const Plan again = loaded(stored(plan));
    CHECK(stored(again) == stored(plan));
    CHECK(again.submit_ms == plan.submit_ms);
    CHECK(again.priority == plan.priority);
    CHECK(again.until == plan.until);
    CHECK(again.energy == plan.energy);
    CHECK(again.own_failures == plan.own_failures);
    CHECK(again.shapes == plan.shapes);
    CHECK(again.provisioning[0].follows_queue);
    CHECK(again.world[3].is<OrderChange>());
}

TEST_CASE("any plan that was stored and loaded gives the same run") {
    CHECK(check_property([] {
        const Plan plan = draw_any_plan();
        const Bytes bytes = stored(plan);
        const Plan again = loaded(bytes);
        RC_ASSERT(stored(again) == bytes);
        RC_ASSERT(fingerprint(again) == fingerprint(plan));
    }));
}

TEST_CASE("padding between the members of a plan is not in the file") {
    const auto with_padding = [](int fill) {
        alignas(PlanPool) std::array<std::byte, sizeof(PlanPool)> room{};
        std::memset(room.data(), fill, room.size());
        const PlanPool old = rich_plan().pools[0];
        auto* pool = new (room.data()) PlanPool; // its members are set one by one
        each_member(*pool, [&]<class Member>(std::string_view, Member& member) {
            const auto offset = offset_in(*pool, member);
            std::memcpy(&member, reinterpret_cast<const std::byte*>(&old) + offset, sizeof member);
        });
        Plan plan = rich_plan();
        std::memcpy(static_cast<void*>(plan.pools.data()), room.data(), room.size());
        return stored(plan);
    };
    CHECK(with_padding(0x00) == with_padding(0xff));
}

TEST_CASE("a file with any one bit flipped is refused") {
    const Bytes bytes = stored(rich_plan());
    Bytes flipped = bytes;
    std::size_t num_taken = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        flipped[bit / 8] ^= std::byte{1} << bit % 8;
        num_taken += refusal(flipped) == "nothing" ? 1 : 0;
        flipped[bit / 8] = bytes[bit / 8];
    }
    CHECK(num_taken == 0);
    CHECK(refusal(flipped) == "nothing");
}

TEST_CASE("a truncated or extended file is refused with that reason") {
    const Bytes bytes = stored(rich_plan());
    for (std::size_t size = 0; size < bytes.size(); size += size < 200 ? 1 : 61)
        CHECK(refusal({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}) !=
              "nothing");
    const auto cut = [&](std::ptrdiff_t size) {
        return refusal({bytes.begin(), bytes.begin() + size});
    };
    CHECK(cut(0) == "it is empty");
    CHECK(cut(40) == "it is cut short: 40 bytes are there");
    CHECK(contains(cut(640), "it is cut short: 640 of "));
    Bytes longer = bytes;
    longer.resize(longer.size() + 64);
    CHECK(contains(refusal(longer), "bytes long and says"));
}

TEST_CASE("a file of another kind, version or machine is refused with that reason") {
    Bytes bytes = stored(rich_plan());
    Bytes other = bytes;
    put(other, 0, std::uint64_t{0x3a72617372756201});
    CHECK(refusal(other) == "it is no plan file");
    other = bytes;
    put(other, offsetof(plan_file::Header, version), plan_format_version + 1);
    CHECK(contains(refusal(signed_anew(other)),
                   "of version " + std::to_string(plan_format_version + 1) + " of the format"));
    other = bytes;
    put(other, offsetof(plan_file::Header, byte_order), std::uint32_t{0x04030201});
    CHECK(contains(refusal(signed_anew(other)), "another order of bytes"));
    other = bytes;
    const std::size_t layout_of_first = 64 + offsetof(plan_file::Section, layout);
    put(other, layout_of_first, std::uint64_t{1});
    CHECK(contains(refusal(signed_anew(other)), "section plan is of another version"));
}

TEST_CASE("a damaged table of sections is refused though its checksum is right") {
    const Bytes bytes = stored(rich_plan());
    const std::size_t second = 128; // the second section
    const auto with = [&](std::size_t member, std::uint64_t value) {
        Bytes other = bytes;
        put(other, second + member, value);
        return refusal(signed_anew(other));
    };
    constexpr std::uint64_t huge = ~std::uint64_t{0};
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{65}, huge, huge - 63})
        CHECK(with(offsetof(plan_file::Section, offset), offset) ==
              "its table of sections is wrong");
    for (const std::uint64_t count : {std::uint64_t{1} << 20, huge, huge / 8 + 1})
        CHECK(with(offsetof(plan_file::Section, count), count) == "its table of sections is wrong");
    CHECK(with(offsetof(plan_file::Section, element_size), 0) == "its table of sections is wrong");
    CHECK(contains(with(offsetof(plan_file::Section, element_size), 4), "another version"));
    CHECK(contains(with(offsetof(plan_file::Section, count), 3), "its plan cannot be run"));
    Bytes other = bytes;
    put(other, offsetof(plan_file::Header, num_sections), std::uint32_t{0xffffffff});
    CHECK(refusal(signed_anew(other)) == "its table of sections is wrong");
    put(other, offsetof(plan_file::Header, num_sections), std::uint32_t{0});
    CHECK(refusal(signed_anew(other)) == "its table of sections is wrong");
    put(other, offsetof(plan_file::Header, num_sections), std::uint32_t{1});
    put(other, 64 + offsetof(plan_file::Section, name), std::uint64_t{0x79});
    CHECK(refusal(signed_anew(other)) == "it holds no plan");
}

TEST_CASE("a plan that no run can rely on is refused though its checksum is right") {
    Plan plan = rich_plan();
    plan.shape[2] = 3;
    CHECK(refusal(stored(plan)) == "its plan cannot be run: shape[2] is out of range");
}

TEST_CASE("random bytes in a file with a right checksum are refused, or are a plan") {
    CHECK(check_property([] {
        Bytes bytes = stored(rich_plan());
        for (int words = drawn::in_range(1, 6); words > 0; --words) {
            const std::size_t at = drawn::in_range<std::size_t>(64, bytes.size() - 8);
            put(bytes, at, drawn::bits());
        }
        bytes = signed_anew(bytes);
        try {
            const Plan plan = loaded(bytes);
            RC_ASSERT(!check_plan(plan));
        } catch (const BadPlan& error) {
            RC_ASSERT(std::string{error.what()} != "");
        }
    }));
}

} // namespace bursar::test::stored_plan_test
