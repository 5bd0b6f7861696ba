"""How a report looks as a page of HTML: light, dark, narrow and on paper."""

from __future__ import annotations

from typing import Final

__all__ = ["STYLE"]

STYLE: Final = """
:root { color-scheme: light dark;
  --page: #fff; --text: #1d2127; --muted: #5a636e; --line: #e1e4e9; --soft: #f5f6f8;
  --accent: #2f5fd0; --error: #b3261e; --warning: #9a5b00; --info: #5a636e;
  --warm: #b45309; --cool: #2f5fd0; --green: #0b7a5e; --violet: #a02c93; --grey: #5a636e;
  --plain: #9aa5b4;
  --sans: system-ui, "Segoe UI", "Noto Sans", Roboto, Helvetica, Arial, sans-serif;
  --mono: ui-monospace, "JetBrains Mono", "Noto Sans Mono", Menlo, Consolas, "DejaVu Sans Mono",
    monospace; }
@media (prefers-color-scheme: dark) { :root {
  --page: #17191c; --text: #dfe3e8; --muted: #98a1ac; --line: #2e3339; --soft: #1f2226;
  --accent: #7fa4ff; --error: #ff8a80; --warning: #e9b44c; --info: #98a1ac;
  --warm: #f0a35c; --cool: #7fa4ff; --green: #52c7a2; --violet: #e58fda; --grey: #98a1ac;
  --plain: #6b7684; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.55 var(--sans); }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 24px; }
header { padding-top: 40px; }
footer { padding-top: 24px; padding-bottom: 48px; color: var(--muted); font-size: 13px; }
h1 { margin: 0; font-size: 30px; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em;
  overflow-wrap: anywhere; }
h2 { margin: 56px 0 12px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 21px;
  line-height: 1.3; font-weight: 650; }
h3 { margin: 36px 0 6px; font-size: 16px; line-height: 1.4; font-weight: 650; }
main > section:first-child > h2 { margin-top: 32px; }
p { margin: 8px 0; max-width: 46rem; overflow-wrap: anywhere; }
.sub { color: var(--muted); }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: 3px; }
a:hover { text-decoration-color: currentColor; }
a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
nav ul, .keys { list-style: none; margin: 16px 0 0; padding: 0; display: flex; flex-wrap: wrap;
  gap: 4px 20px; font-size: 14px; }
nav a { color: var(--accent); text-decoration: none; }
nav a:hover { text-decoration: underline; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 12px;
  margin: 16px 0 20px; padding: 0; }
.figures div { display: flex; flex-direction: column-reverse; justify-content: flex-end;
  padding: 12px 16px; background: var(--soft); border-radius: 8px; }
.figures dd { margin: 0; font-size: 26px; line-height: 1.25; font-weight: 600;
  font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.figures dt { color: var(--muted); font-size: 13px; line-height: 1.4; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 24px;
  margin: 12px 0 20px; font-size: 14px; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; margin: 12px 0 4px; }
.tall { max-height: 36rem; overflow-y: auto; border-bottom: 1px solid var(--line); }
.tall th { position: sticky; top: 0; background: var(--page);
  box-shadow: inset 0 -1px var(--line); }
table { border-collapse: collapse; font-size: 14px; line-height: 1.45; }
table.wide { width: 100%; }
th, td { padding: 6px 16px 6px 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 500; font-size: 13px; vertical-align: bottom; }
th:last-child, td:last-child { padding-right: 0; }
tbody tr:hover { background: var(--soft); }
caption { padding-bottom: 4px; text-align: left; font-weight: 600; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.w { min-width: 15rem; }
td.t { min-width: 7rem; max-width: 22rem; overflow-wrap: anywhere; }
td.e { min-width: 20rem; width: 99%; }
.wide td.t:last-child { width: 60%; min-width: 18rem; max-width: none; }
th.n { white-space: normal; overflow-wrap: break-word; }
.mono { font-family: var(--mono); font-size: 13px; white-space: pre-wrap; }
.said { display: block; }
.where, .more { display: block; color: var(--muted); font-size: 13px; overflow-wrap: anywhere; }
.around { display: block; margin-top: 2px; color: var(--muted); overflow-wrap: anywhere; }
mark { background: none; color: var(--text); font-weight: 600;
  border-bottom: 2px solid var(--warm); }
.kind { white-space: nowrap; font-weight: 500; }
.kind::before { display: inline-block; width: 1.25em; font-size: 12px; }
.kind.error::before { content: "\\25A0"; color: var(--error); }
.kind.warning::before { content: "\\25B2"; color: var(--warning); }
.kind.info::before { content: "\\25CB"; color: var(--info); }
h3 .kind { font-weight: inherit; }
p.error, p.warning { padding-left: 12px; border-left: 3px solid; }
p.error { border-color: var(--error); }
p.warning { border-color: var(--warning); }
figure { margin: 24px 0; }
figcaption { max-width: 46rem; color: var(--muted); font-size: 14px; }
h4 { margin: 28px 0 8px; font-size: 14px; font-weight: 600; }
.plot { display: block; width: 100%; min-width: 34rem; max-width: 52rem; height: auto;
  font-family: var(--sans); }
.plot text { fill: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.plot .name { fill: var(--text); }
.plot .grid { stroke: var(--line); stroke-width: 1; }
.bar.error { fill: var(--error); }
.bar.warning { fill: var(--warning); }
.bar.info { fill: var(--plain); }
.bar.cool { fill: var(--cool); }
.bar.warm { fill: var(--warm); }
.bar.green { fill: var(--green); }
.bar.violet { fill: var(--violet); }
.bar.grey { fill: var(--grey); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.line.cool { stroke: var(--cool); }
.line.warm { stroke: var(--warm); stroke-dasharray: 7 4; }
.line.green { stroke: var(--green); stroke-dasharray: 2 4; }
.line.violet { stroke: var(--violet); stroke-dasharray: 10 3 2 3; }
.line.grey { stroke: var(--grey); }
.guide { stroke: var(--muted); stroke-width: 1; stroke-dasharray: 4 4; }
.crowd { fill: none; stroke: var(--plain); stroke-width: 3; stroke-linecap: round;
  stroke-opacity: 0.7; }
.crowd.warm { stroke: var(--warm); }
.crowd.cool { stroke: var(--cool); }
.mark { fill: none; stroke-width: 1.5; }
.mark.warm { fill: var(--warm); stroke: var(--warm); fill-opacity: 0.35; }
.mark.cool { stroke: var(--cool); }
.mark.green { stroke: var(--green); }
.mark.violet { fill: var(--violet); stroke: var(--violet); fill-opacity: 0.35; }
.mark.grey { stroke: var(--grey); }
.keys { margin-top: 8px; color: var(--muted); }
.key { width: 14px; height: 14px; vertical-align: -2px; }
@media (max-width: 56rem) {
  .wide td.t:last-child, td.w, td.t, td.e { width: auto; min-width: 0; }
  .wide .kind { white-space: normal; }
  th, td { padding-right: 10px; overflow-wrap: break-word; } }
@media (max-width: 40rem) {
  .tall { max-height: 70vh; }
  header, main, footer { padding-left: 16px; padding-right: 16px; }
  header { padding-top: 24px; }
  h1 { font-size: 24px; }
  h2 { margin-top: 40px; font-size: 19px; }
  .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; }
  .figures div { padding: 10px 12px; }
  .figures dd { font-size: 21px; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-bottom: 8px; } }
@media print {
  :root { color-scheme: light; --page: #fff; --text: #000; --muted: #444; --line: #ccc;
    --soft: #fff; }
  body { font-size: 9.5pt; }
  header, main, footer { max-width: none; padding: 0; }
  table { font-size: 8.5pt; }
  .scroll { overflow: visible; max-height: none; border: 0; }
  .tall th { position: static; }
  nav { display: none; }
  thead { display: table-header-group; }
  tr, figure, .figures div { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .plot { min-width: 0; }
  .figures div { border: 1px solid var(--line); } }
"""
