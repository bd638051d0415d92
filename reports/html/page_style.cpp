#include "reports/html/page_style.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::string_view style = R"(
:root{color-scheme:light;--page:#fff;--ink:#1b2430;--quiet:#4d5966;--line:#dde2e8;--axis:#6b7785;
--panel:#f6f8fa;--link:#0b57b0;
--productive:#007a5a;--stalled:#2b86c5;--lost:#c04a00;--overhead:#9a6a00;--idle:#7c8590;--unavailable:#8e4a86;
--allocated:#2c4f8f;--paid:#37424e;--other:#5b6672;--waiting:#b9a76a;
--s0:#2c4f8f;--s1:#b5483a;--s2:#6a4c93;--s3:#00707a;--s4:#7a6a00;--s5:#37424e;
--h0:#eef3f8;--h1:#c9dcee;--h2:#94bcdf;--h3:#5b95c8;--h4:#2f6aa6;--h5:#173f6f}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--page:#12171d;--ink:#e7ebf0;
--quiet:#aab5c1;--line:#2d3742;--axis:#8b97a5;--panel:#1a2129;--link:#8ab8ff;
--productive:#2dbe92;--stalled:#6cb9ee;--lost:#f2854a;--overhead:#dcae3c;--idle:#8d98a4;--unavailable:#d796cd;
--allocated:#8aaef0;--paid:#c3ccd6;--other:#9aa6b3;--waiting:#6f6746;
--s0:#8aaef0;--s1:#f08a7c;--s2:#bfa0ec;--s3:#4cc6cf;--s4:#d2c250;--s5:#c3ccd6;
--h0:#1c2630;--h1:#22405f;--h2:#2c5f8f;--h3:#4285bd;--h4:#77b0e0;--h5:#bfe0fb}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1280px;padding:8px 24px 48px;background:var(--page);color:var(--ink);
font:16px/1.5 "Helvetica Neue",Arial,"Liberation Sans",sans-serif}
h1{font-size:1.7em;line-height:1.25;margin:.6em 0 .2em;overflow-wrap:anywhere}
h2{font-size:1.3em;margin:1.8em 0 .6em;border-bottom:1px solid var(--line);padding-bottom:.2em}
h3{font-size:1.05em;line-height:1.35;margin:0 0 .2em}
p{margin:.3em 0;overflow-wrap:anywhere}
a{color:var(--link)}
.about,.note,figcaption p{color:var(--quiet)}
.headline{font-size:1.5em;font-weight:700;line-height:1.3;font-variant-numeric:tabular-nums}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15em 1em;margin:1em 0}
.facts dt{color:var(--quiet)}
.facts dd{margin:0;overflow-wrap:anywhere;min-width:0}
.charts{columns:2;column-gap:40px}
figure{margin:0 0 28px;padding:0;break-inside:avoid}
figure svg{display:block;width:100%;height:auto;max-width:560px;margin-top:.5em}
figcaption p{margin:0;font-size:.95em}
.note{font-size:.88em}
.live{display:none}
@media screen{.is-live .live{display:block;margin-top:.5em;max-width:560px}.is-live{position:relative}
.is-live svg{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
.scroll{overflow-x:auto;max-width:100%;background:linear-gradient(90deg,var(--page) 40%,transparent) 0 0/36px 100%,
linear-gradient(270deg,var(--page) 40%,transparent) 100% 0/36px 100%,
linear-gradient(90deg,var(--axis),transparent) 0 0/10px 100%,linear-gradient(270deg,var(--axis),transparent) 100% 0/10px 100%;
background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}
.scroll td:first-child,.scroll th:first-child{position:sticky;left:0;background:var(--page)}
.scroll::-webkit-scrollbar{height:9px}
.scroll::-webkit-scrollbar-thumb{background:var(--axis);border-radius:5px}
.scroll::-webkit-scrollbar-track{background:var(--panel)}
.scroll:focus-visible,summary:focus-visible,a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
table{border-collapse:collapse;font-size:.92em;font-variant-numeric:tabular-nums;margin:.5em 0}
th,td{padding:.22em .6em .22em 0;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--quiet)}
td{white-space:nowrap}
.l{white-space:normal;min-width:11em}
.w{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:8em}
th.w{overflow-wrap:break-word}
.tables{display:flex;flex-wrap:wrap;gap:1em 40px;margin-top:1em}.tables section{max-width:100%}
.tables h2{font-size:1.05em;border:0;padding:0;margin:.6em 0 .2em}
.tables .w,.charts .w{min-width:6em}.charts section{break-inside:avoid;margin-bottom:28px}
tr.sum td{font-weight:700;border-top:2px solid var(--axis)}
tr.under td:first-child{padding-left:1.2em}
tr.under td{color:var(--quiet)}
details{margin:.4em 0}
summary{cursor:pointer;color:var(--link);font-size:.92em}
.small{columns:auto;display:grid;grid-template-columns:repeat(auto-fill,minmax(262px,1fr));gap:22px 30px}
.small figure{margin:0}.small h3{font-size:1em}
text{font:12px "Helvetica Neue",Arial,"Liberation Sans",sans-serif;fill:var(--ink);unicode-bidi:isolate}
.quiet{fill:var(--quiet)}
.over{paint-order:stroke;stroke:var(--page);stroke-width:3px;stroke-linejoin:round}
.grid{stroke:var(--line);stroke-width:1}
.axis{stroke:var(--axis);stroke-width:1}
.fill{fill:var(--c)}rect.fill,.cells{shape-rendering:crispEdges}
.edged{stroke:var(--page);stroke-width:1;paint-order:stroke}
.stroke{stroke:var(--c);stroke-width:1.8;fill:none;stroke-linejoin:round}
.goal{stroke:var(--s1);stroke-width:1.5;stroke-dasharray:6 4}
.flow{fill:var(--c);opacity:.3}
.dots{stroke:var(--c);fill:none;stroke-linecap:round}.d1{stroke-width:3px}.d2{stroke-width:5px}.d3{stroke-width:7px}
.d4{stroke-width:9px}
.productive{--c:var(--productive)}.stalled{--c:var(--stalled)}.lost{--c:var(--lost)}
.overhead{--c:var(--overhead)}.idle{--c:var(--idle)}.unavailable{--c:var(--unavailable)}
.allocated{--c:var(--allocated)}.paid{--c:var(--paid)}.other{--c:var(--other)}.waiting{--c:var(--waiting)}
.better{--c:var(--s3)}.worse{--c:var(--s1)}.unclear{--c:var(--idle)}.thin{stroke-width:1.1}.faint{opacity:.35}.fainter{opacity:.13}
.s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}.s4{--c:var(--s4)}.s5{--c:var(--s5)}
.stroke.s1{stroke-dasharray:7 3}.stroke.s2{stroke-dasharray:2 2}.stroke.s3{stroke-dasharray:9 3 2 3}
.stroke.s4{stroke-dasharray:4 2}.stroke.s5{stroke-dasharray:1 3}
.h0{--c:var(--h0)}.h1{--c:var(--h1)}.h2{--c:var(--h2)}.h3{--c:var(--h3)}.h4{--c:var(--h4)}.h5{--c:var(--h5)}
@media screen and (max-width:800px){body{padding:4px 8px 32px;font-size:15px}.charts{columns:1}
.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.4em}.headline{font-size:1.3em}
th,td{padding-right:.6em}.w{min-width:6.8em}.tables table{font-size:.82em}.tables .w{min-width:7.4em}}
@media print{body{max-width:none;padding:0;font-size:10pt;line-height:1.4}details{display:none}
.scroll{overflow:visible;background:none}
table{font-size:.8em}td{white-space:normal}th.w{overflow-wrap:anywhere}.w,.l{min-width:5.6em}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.flow-on{columns:2;column-gap:24px}.charts,.tables{display:block;columns:auto;orphans:1;widows:1}
figure,.tables section{margin:0;padding-bottom:12px;break-inside:avoid}
.small figure{display:inline-block;vertical-align:top;width:31.3%;margin:0 1.5% 0 0}
.tables section{display:block;width:auto;margin:0}
h1,h2,h3,.headline,.lead{break-after:avoid}.note{break-before:avoid}.facts,tr{break-inside:avoid}h2{margin-top:1em}
table:not(:has(tbody tr:nth-child(19))){break-inside:avoid}
tbody tr:nth-child(-n+4):not(:last-child){break-after:avoid}
tbody tr:nth-last-child(-n+4):not(:first-child){break-before:avoid}
@page{margin:14mm}}
)";

} // namespace

std::string_view page_style() {
    return style;
}

}} // namespace bursar::reports
