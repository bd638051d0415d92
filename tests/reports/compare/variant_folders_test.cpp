#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/compare/variant_folders.hpp"

namespace bursar::variant_folders_test {
namespace {

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("a variant's folder is named by its label, in characters valid for folders") {
    CHECK(folder_names(Names{"fifo", "queue: fifo, head: skip", "0..16, 0.95 USD/gpu-h"}) ==
          Names{"fifo", "queue-fifo-head-skip", "0..16-0.95-USD-gpu-h"});
    CHECK(folder_names(Names{"../../etc", ".hidden", "a\nb\x1b[1m", "-x-"}) ==
          Names{"etc", "hidden", "a-b-1m", "x"});
    CHECK(folder_names(Names{std::string(300, 'a')}).front().size() == 100);
}

TEST_CASE("folders have different names, ignoring capitals, and none has the name of a file") {
    CHECK(folder_names(Names{"FIFO", "fifo", "fifo:", "fifo-2"}) ==
          Names{"FIFO", "fifo-2", "fifo-3", "fifo-2-4"});
    CHECK(folder_names(Names{"a", "\u5c0f", "", "variant-2"}) ==
          Names{"a", "variant-2", "variant-3", "variant-2-4"});
    CHECK(folder_names(Names{"compare.json"}) == Names{"compare.json-1"});
}

} // namespace bursar::variant_folders_test
