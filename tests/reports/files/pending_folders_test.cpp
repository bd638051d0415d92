#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/file.h>
#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/files/leftovers.hpp"
#include "reports/files/pending_folders.hpp"

namespace bursar::pending_folders_test {
namespace {

namespace fs = std::filesystem;

/// A temporary folder, removed by the destructor.
class Folder {
  public:
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "bursar-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

void put(const fs::path& folder, const std::string& text) {
    fs::create_directories(folder);
    std::ofstream{folder / "file"} << text;
}

std::string text_in(const fs::path& folder) {
    std::string text;
    std::getline(std::ifstream{folder / "file"}, text);
    return text;
}

std::size_t num_entries(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator{folder}, fs::directory_iterator{}));
}

const std::vector<std::string> names{"a", "b"};

} // namespace

TEST_CASE("folders are replaced together, and nothing else is left") {
    const Folder folder;
    const fs::path directory = folder.path() / "made" / "here";
    put(directory / "b", "old");
    {
        PendingFolders pending{directory};
        for (const std::string& name : names)
            put(pending.path_of(name), "new " + name);
        CHECK(!fs::exists(directory / "a"));
        CHECK(text_in(directory / "b") == "old");
        pending.put_in_places(names);
    }
    CHECK(text_in(directory / "a") == "new a");
    CHECK(text_in(directory / "b") == "new b");
    CHECK(num_entries(directory) == 2);
}

TEST_CASE("if one of the folders fails, all old ones stay") {
    const Folder folder;
    put(folder.path() / "a", "old");
    put(folder.path() / "b", "old");
    for (const std::vector<std::string>& written : {std::vector<std::string>{"a"}, {"b"}, {}}) {
        PendingFolders pending{folder.path()};
        for (const std::string& name : written) // and not the others
            put(pending.path_of(name), "new");
        CHECK_THROWS_AS(pending.put_in_places(names), ReportError);
    }
    CHECK(text_in(folder.path() / "a") == "old");
    CHECK(text_in(folder.path() / "b") == "old");
    CHECK(num_entries(folder.path()) == 2);
    {
        PendingFolders pending{folder.path()};
        put(pending.path_of("c"), "new");
        CHECK_THROWS_AS(pending.put_in_places(std::vector<std::string>{"c", "d"}), ReportError);
    }
    CHECK(num_entries(folder.path()) == 2);
}

TEST_CASE("files of killed processes are removed, and those of a living one are not") {
    const Folder folder;
    const fs::path left = folder.path() / temporary_name("folders", 70);
    const fs::path claimed = folder.path() / temporary_name("folders", 71);
    put(left / "a", "half");
    put(claimed / "a", "half");
    const int descriptor = ::open(claimed.c_str(), O_RDONLY | O_DIRECTORY);
    claim(descriptor);
    { const PendingFolders pending{folder.path()}; }
    ::close(descriptor);
    CHECK(!fs::exists(left));
    CHECK(fs::exists(claimed));
}

TEST_CASE("a directory that cannot be made is reported") {
    const Folder folder;
    std::ofstream{folder.path() / "file"} << "no folder";
    CHECK_THROWS_AS(PendingFolders(folder.path() / "file" / "in"), ReportError);
}

} // namespace bursar::pending_folders_test
