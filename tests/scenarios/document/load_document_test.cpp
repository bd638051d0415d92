#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/load_document.hpp"

namespace bursar::load_document_test {
namespace {

namespace fs = std::filesystem;

/// A temporary folder of files.
class Folder {
  public:
    Folder() : path_{fs::temp_directory_path() / "bursar_load_document_test"} {
        fs::remove_all(path_);
        fs::create_directories(path_ / "sub");
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path_); }

    void write(const std::string& name, std::string_view text) const {
        std::ofstream{path_ / name} << text;
    }
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return (path_ / name).string();
    }

  private:
    fs::path path_;
};

std::vector<std::string> problems(const Findings& findings) {
    std::vector<std::string> texts;
    for (const Finding& finding : findings.sorted())
        texts.push_back(finding.problem);
    return texts;
}

} // namespace

SCENARIO("a file is laid over the files it includes") {
    const Folder folder;
    GIVEN("a base in another folder, and a file that changes some of it") {
        folder.write("sub/base.yaml",
                     "policy: {queue: fifo, head: block}\nfleet: [{pool: a}, {pool: b}]\n"
                     "trace: jobs.csv\n");
        folder.write("sub/later.yaml", "policy: {head: skip}\n");
        folder.write("main.yaml",
                     "include: [sub/base.yaml, sub/later.yaml]\npolicy: {queue: sjf}\n"
                     "fleet: [{pool: c}]\n");
        Findings findings;
        const Node root = DocumentLoader{findings}.load_file(folder / "main.yaml");
        CHECK(findings.empty());
        THEN("mappings merge key by key, later files win, the including file wins over all") {
            CHECK(root.find("policy")->find("queue")->text == "sjf");
            CHECK(root.find("policy")->find("head")->text == "skip");
        }
        THEN("lists are replaced as a whole, and the include is gone") {
            CHECK(root.find("fleet")->items.size() == 1);
            CHECK(root.find("include") == nullptr);
        }
        THEN("values remember the file they were written in") {
            const Node* trace = root.find("trace");
            CHECK(trace->place().file == (folder / "sub/base.yaml"));
            CHECK(resolved_path(trace->text, *trace->source) == (folder / "sub/jobs.csv"));
            CHECK(resolved_path("/else/jobs.csv", *trace->source) == "/else/jobs.csv");
        }
    }
    GIVEN("files that include each other") {
        folder.write("a.yaml", "include: sub/../b.yaml\n");
        folder.write("b.yaml", "include: a.yaml\n");
        Findings findings;
        DocumentLoader{findings}.load_file(folder / "a.yaml");
        THEN("the circle is a mistake at the include that closes it") {
            REQUIRE(problems(findings) == std::vector<std::string>{"\"a.yaml\" includes itself"});
            CHECK(findings.sorted()[0].place.line == 1);
        }
    }
    GIVEN("includes that cannot be read") {
        folder.write("main.yaml", "include: [none.yaml, sub, {a: 1}, bad.yaml, list.yaml]\nx: 1\n");
        folder.write("bad.yaml", "a: [\n");
        folder.write("list.yaml", "- 1\n");
        Findings findings;
        const Node root = DocumentLoader{findings}.load_file(folder / "main.yaml");
        THEN("each is a mistake, and the rest is read") {
            CHECK(findings.size() == 5);
            CHECK(root.find("x") != nullptr);
        }
    }
    GIVEN("a missing file") {
        Findings findings;
        DocumentLoader{findings}.load_file(folder / "none.yaml");
        CHECK(findings.sorted().at(0).text() ==
              (folder / "none.yaml") + ": cannot read the file (No such file or directory)");
    }
    GIVEN("a folder") {
        Findings findings;
        DocumentLoader{findings}.load_file(folder / "sub");
        CHECK(findings.sorted().at(0).text() ==
              (folder / "sub") + ": cannot read the file (Is a directory)");
    }
    GIVEN("two files that each include the next twice, thirty deep") {
        for (int i = 0; i < 30; ++i) {
            const std::string next = std::to_string(i + 1) + ".yaml";
            folder.write(std::to_string(i) + ".yaml", fmt::format("include: [{0}, {0}]\n", next));
        }
        folder.write("30.yaml", "a: 1\n");
        Findings findings;
        const Node root = DocumentLoader{findings}.load_file(folder / "0.yaml");
        THEN("each is read once") {
            CHECK(findings.empty());
            CHECK(root.find("a")->text == "1");
            CHECK(findings.files().size() == 61);
        }
    }
    GIVEN("a file that includes more than a thousand others") {
        std::string names;
        for (int i = 0; i < 1001; ++i) {
            folder.write(fmt::format("sub/{}.yaml", i), "a: 1\n");
            names += fmt::format("sub/{}.yaml, ", i);
        }
        folder.write("main.yaml", fmt::format("include: [{}]\n", names));
        Findings findings;
        DocumentLoader{findings}.load_file(folder / "main.yaml");
        THEN("the number of files is the mistake") {
            CHECK(problems(findings).at(0) == "too many files");
        }
    }
    GIVEN("large files that together are more than a document may have") {
        const std::string large = "# " + std::string(14 << 20, 'x') + "\na: 1\n";
        folder.write("a.yaml", large);
        folder.write("b.yaml", large);
        THEN("one that is included sixty times counts once, and is parsed once") {
            std::string names;
            for (int i = 0; i < 60; ++i)
                names += "a.yaml, ";
            folder.write("main.yaml", fmt::format("include: [{}]\n", names));
            Findings findings;
            const Node root = DocumentLoader{findings}.load_file(folder / "main.yaml");
            CHECK(findings.empty());
            CHECK(root.find("a")->text == "1");
        }
        THEN("another one is refused at its include's file") {
            folder.write("main.yaml", "include: [a.yaml, b.yaml]\n");
            Findings findings;
            DocumentLoader{findings}.load_file(folder / "main.yaml");
            REQUIRE(findings.size() == 1);
            CHECK(findings.sorted()[0].text() ==
                  (folder / "b.yaml") + ": the document is too large (at most 16 MiB with all that "
                                        "it includes)");
        }
    }
}

TEST_CASE("the canonical hash depends on the content of a document, not on its layout") {
    const auto hash = [](std::string_view text) {
        Findings findings;
        return canonical_hash(DocumentLoader{findings}.load_text(text, "a.yaml"));
    };
    const std::uint64_t base = hash("a: 1\nb: [x, y]\n");
    CHECK(hash("# comment\nb: ['x',\n  y]\na: 1") == base);
    CHECK(hash("a: 1\nb: [y, x]\n") != base);
    CHECK(hash("a: 1\nb: [xy]\n") != base);
    CHECK(hash("a: 1\nb: [x, y, ~]\n") != base);
    CHECK(hash("a: 1\nb: [[x, y]]\n") != base);
}

} // namespace bursar::load_document_test
