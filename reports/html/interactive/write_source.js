// write_source.js BUNDLE SOURCE: the bundled script as the C++ source that defines page_script().
import { readFileSync, writeFileSync } from "node:fs";

const [bundle, source] = process.argv.slice(2);
// What would end a script in a page, or a literal in C++.
const script = readFileSync(bundle, "utf8").replaceAll("</script", "<\\/script");
if (script.includes(')js~"'))
  throw new Error("the script holds what ends its literal");
const pieces = script.match(/[^]{1,10000}/g).map((piece) => `R"js~(${piece})js~"`);
writeFileSync(source, `#include "reports/html/page.hpp"

namespace bursar::inline reports {

std::string_view page_script() {
    return
${pieces.join("\n")};
}

} // namespace bursar::inline reports
`);
