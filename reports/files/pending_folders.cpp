#include "reports/files/pending_folders.hpp"

#include <cerrno>
#include <cstdio>
#include <ranges>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/files/file_calls.hpp"
#include "reports/files/leftovers.hpp"
#include "reports/files/locked_folder.hpp"

namespace bursar { inline namespace reports {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view hidden_name = "folders"; ///< of which the hidden folder is a temporary
constexpr int max_hidden = 100;                     ///< temporary names that are tried

int open_folder(const fs::path& folder) {
    return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Whether no process claims it.
bool is_left(const fs::path& folder) {
    const int descriptor = open_folder(folder);
    if (descriptor < 0)
        return false;
    const bool unclaimed = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return unclaimed;
}

void clear_hidden(const fs::path& directory) {
    std::error_code error; // what cannot be cleared stays
    std::vector<fs::path> left;
    for (fs::directory_iterator entry{directory, error};
         !error && entry != fs::directory_iterator{};
         entry.increment(error))
        if (is_temporary_name(entry->path().filename().string(), hidden_name) &&
            is_left(entry->path()))
            left.push_back(entry->path());
    for (const fs::path& folder : left)
        fs::remove_all(folder, error);
}

/// Swaps two names; false, with errno set, where it cannot.
bool swapped(const fs::path& a, const fs::path& b) {
    return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
}

} // namespace

PendingFolders::PendingFolders(fs::path directory) : directory_{std::move(directory)} {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error)
        fail_file(directory_, "be made", error.value());
    clear_hidden(directory_);
    make_hidden();
}

PendingFolders::~PendingFolders() {
    std::error_code error;
    fs::remove_all(hidden_, error);
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void PendingFolders::make_hidden() {
    errno = EEXIST;
    bool made = false;
    for (int number = 0; !made && errno == EEXIST && number < max_hidden; ++number) {
        hidden_ = directory_ / temporary_name(hidden_name, number);
        made = ::mkdir(hidden_.c_str(), 0777) == 0;
    }
    if (!made)
        fail_file(directory_, "be written into", errno);
    descriptor_ = open_folder(hidden_);
    claim(descriptor_);
}

PendingFolders::Taken PendingFolders::take(const std::string& name) const {
    Taken taken{hidden_ / name, directory_ / name, {}, false};
    if (swapped(taken.from, taken.place)) {
        taken.is_swapped = true;
        return taken;
    }
    if (errno != ENOENT) { // the file system cannot swap: what may be there goes aside
        taken.aside = hidden_ / (name + ".old");
        if (::rename(taken.place.c_str(), taken.aside.c_str()) != 0 && errno != ENOENT)
            fail_file(taken.place, "be replaced", errno);
    }
    if (::rename(taken.from.c_str(), taken.place.c_str()) != 0) {
        const int error = errno;
        if (!taken.aside.empty())
            (void)::rename(taken.aside.c_str(), taken.place.c_str());
        fail_file(taken.place, "be replaced", error);
    }
    return taken;
}

void PendingFolders::give_back(const Taken& taken) noexcept {
    if (taken.is_swapped) {
        (void)swapped(taken.from, taken.place);
        return;
    }
    (void)::rename(taken.place.c_str(), taken.from.c_str());
    if (!taken.aside.empty())
        (void)::rename(taken.aside.c_str(), taken.place.c_str());
}

void PendingFolders::put_in_places(std::span<const std::string> names) {
    const LockedFolder alone{directory_};
    const HeldSignals no_stop_between;
    std::vector<Taken> done;
    try {
        for (const std::string& name : names)
            done.push_back(take(name));
    } catch (...) {
        for (const Taken& one : done | std::views::reverse)
            give_back(one);
        throw;
    }
    sync_folder(directory_);
}

}} // namespace bursar::reports
