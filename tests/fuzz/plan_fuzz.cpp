#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "sim/plan/check_plan.hpp"
#include "sim/plan_file/plan_file.hpp"

#include "tests/rich_plan.hpp"

/// Whatever bytes a plan file holds: either BadPlan, or a plan that a run can rely on and that is
/// stored and loaded as it is.
///
/// The input is a file as it stands where its first byte is 0. Else it changes a plan that has
/// something in every column, and makes the checksum agree: each four bytes after the first are a
/// place (two bytes), a value and how it is put there. So a changed layout needs no new seeds.
namespace bursar {
namespace {

using FileBytes = std::vector<std::byte>;

FileBytes stored(const Plan& plan) {
    PlanFileWriter file;
    add_plan(plan, file);
    return std::move(file).finish();
}

void sign(FileBytes& bytes) {
    const std::uint64_t hash = content_hash(bytes);
    std::memcpy(bytes.data() + offsetof(plan_file::Header, content), &hash, sizeof hash);
}

FileBytes changed(FileBytes bytes, std::span<const std::uint8_t> changes) {
    for (; changes.size() >= 4; changes = changes.subspan(4)) {
        const std::size_t at = (changes[0] | std::size_t{changes[1]} << 8U) % bytes.size();
        const auto value = static_cast<std::byte>(changes[2]);
        bytes[at] = changes[3] % 2 == 0 ? value : bytes[at] ^ value;
    }
    sign(bytes);
    return bytes;
}

void check(const FileBytes& bytes) {
    try {
        const Plan plan = read_plan(PlanFile{bytes});
        const FileBytes again = stored(plan);
        if (check_plan(plan) || stored(read_plan(PlanFile{again})) != again)
            std::abort();
    } catch (const BadPlan&) {
        // the one way to refuse
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FileBytes good = stored(test::rich_plan());
    const std::span input{data, size};
    if (size > 0 && input[0] != 0) {
        check(changed(good, input.subspan(1)));
        return 0;
    }
    const auto raw = std::as_bytes(input.subspan(size > 0 ? 1 : 0));
    check({raw.begin(), raw.end()});
    return 0;
}

} // namespace bursar
