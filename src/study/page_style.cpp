/// The style sheet of study.html. User document: docs/guide/studies.md.
#include "page_parts.hpp"

namespace filum::study {

std::string_view page_style() {
  // The page and the charts on it share their background, #fff and #15181d.
  return R"css(
:root{color-scheme:light dark;--ink:#22262c;--soft:#5b636d;--page:#f3f5f7;--card:#fff;--rule:#d4d8dd;--accent:#095cac;
--good:#14683a;--bad:#a1260d;--warn-ink:#5c3d00;--warn:#fff4d6;--warn-rule:#d9a520;--stripe:#f7f8fa}
@media (prefers-color-scheme:dark){:root{--ink:#e2e5e9;--soft:#a3abb5;--page:#0e1014;--card:#15181d;--rule:#343b44;
--accent:#7cbcf5;--good:#6fd39a;--bad:#ff9d87;--warn-ink:#f5dfae;--warn:#2d240d;--warn-rule:#8a6a14;--stripe:#1a1e24}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,'Helvetica Neue',Arial,sans-serif}
header,main{max-width:1320px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
main{padding-bottom:48px}
h1{font-size:1.7rem;line-height:1.2;margin:0;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:32px 0 12px}
h3{font-size:1rem;margin:0 0 8px}
p{margin:6px 0}
.subtitle{color:var(--soft);font-size:1.05rem;max-width:80ch}
.soft{color:var(--soft)}
dl{display:flex;flex-wrap:wrap;gap:10px 32px;margin:18px 0 0}
dl div{min-width:0}
dt{color:var(--soft);font-size:.8rem}
dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.alarm{margin:14px 0 0;padding:12px 16px;border:1px solid var(--bad);border-left-width:4px;border-radius:4px;
color:var(--bad);background:var(--card);font-weight:600;overflow-wrap:anywhere}
.warnings{margin:20px 0 0;padding:12px 16px 12px 36px;background:var(--warn);color:var(--warn-ink);
border-left:4px solid var(--warn-rule);border-radius:4px;overflow-wrap:anywhere}
.warnings-head{font-weight:600;margin:0 0 4px -20px;list-style:none}
.card,figure{background:var(--card);border:1px solid var(--rule);border-radius:6px}
.scroll{overflow-x:auto;max-width:100%}
.card{margin:0 0 18px}
.card>h3,.card>.note,summary{padding:10px 14px;margin:0}
.card>.note{padding-top:0;color:var(--soft)}
summary{cursor:pointer;font-weight:600}
table{border-collapse:collapse;width:100%;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:6px 14px;border-bottom:1px solid var(--rule);vertical-align:top;white-space:nowrap}
.checks td{white-space:normal;min-width:9ch}
tbody tr:last-child td{border-bottom:0}
tbody tr:nth-child(even){background:var(--stripe)}
th{font-weight:600;border-bottom-width:2px;vertical-align:bottom}
.number{text-align:right}
th button{all:unset;cursor:pointer}
th button:focus-visible,.tools button:focus-visible,summary:focus-visible,.entry:focus-visible{outline:2px solid var(--accent);
outline-offset:2px}
th button::after{content:"\2195";opacity:.35;padding-left:.4em;font-weight:400}
th[aria-sort=ascending] button::after{content:"\2191";opacity:1}
th[aria-sort=descending] button::after{content:"\2193";opacity:1}
.mark{font-weight:700;white-space:nowrap}
.holds{color:var(--good)}
.fails{color:var(--bad)}
.plots{display:grid;gap:18px;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));align-items:start}
figure{margin:0;overflow:hidden;min-width:0}
figure svg{display:block;margin:0 auto;width:100%;height:auto;min-width:500px;max-width:860px}
.narrow{display:none}
figcaption{display:flex;flex-wrap:wrap;align-items:center;gap:6px 12px;padding:8px 14px;border-top:1px solid var(--rule)}
figcaption .name{flex:1 1 8rem;color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}
.tools{display:flex;gap:6px}
.tools button{font:inherit;font-size:.8rem;color:var(--accent);background:none;border:1px solid var(--rule);
border-radius:4px;padding:2px 10px;cursor:pointer}
.tools button:hover{border-color:var(--accent)}
.entry.interactive{cursor:pointer}
.entry.off{opacity:.35}
pre{margin:0;padding:12px 14px;overflow-x:auto;font:13px/1.5 ui-monospace,'DejaVu Sans Mono',monospace;
border-top:1px solid var(--rule)}
@media (max-width:600px){header,main{padding-left:10px;padding-right:10px}th,td{padding:5px 9px}h1{font-size:1.35rem}
.wide{display:none}.narrow{display:block}.narrow svg{min-width:0}}
@media print{body{background:#fff}.tools,th button::after{display:none}figure,.card{break-inside:avoid}
.plots{grid-template-columns:1fr}figure svg{min-width:0}}
)css";
}

}  // namespace filum::study
