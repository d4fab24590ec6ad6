import { hash } from "node:crypto";
import { html, type SafeHtml } from "@remix-run/html-template";

/** Readable in light and dark, on a phone and on paper, in a browser's own colours, and without a mouse. */
export const style = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --ground: #fff; --raised: #f6f8fa; --line: #d1d9e0; --link: #0969da;
  --bar: #0969da; --near: #9a6700; --full: #cf222e;
  --ready: #116329; --ready-on: #dafbe1; --pending: #7d4e00; --pending-on: #fff8c5; --asleep: #4a3aa8; --asleep-on: #ece8ff;
  --suspended: #424a53; --suspended-on: #eaeef2; --expired: #8a3800; --expired-on: #fff1e5; --leaving: #a40e26; --leaving-on: #ffebe9 }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #f0f6fc; --quiet: #9198a1; --ground: #0d1117; --raised: #151b23; --line: #3d444d; --link: #4493f8;
    --bar: #4493f8; --near: #d29922; --full: #f85149;
    --ready: #7ee787; --ready-on: #12261e; --pending: #e3b341; --pending-on: #272115; --asleep: #c0b4ff; --asleep-on: #1e1b3a;
    --suspended: #b1bac4; --suspended-on: #22272e; --expired: #ffa657; --expired-on: #2a1c10; --leaving: #ff9492; --leaving-on: #2d1517 }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem 1.25rem 3rem; max-width: 76rem; color: var(--text); background: var(--ground); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Open Sans", Helvetica, Arial, "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP", "Yu Gothic UI", Meiryo, sans-serif }
h1, h2, h3 { line-height: 1.25 }
h1 { margin: 0 0 .25rem; font-size: 1.6rem }
h2 { margin: 1.5rem 0 .4rem; font-size: 1.2rem; padding-bottom: .2em; border-bottom: 1px solid var(--line) }
h3 { margin: 1.25rem 0 .4rem; font-size: 1rem }
p { margin: .25rem 0 .75rem }
a { color: var(--link) }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
code { background: var(--raised); border-radius: 4px; padding: .1em .3em }
.quiet { color: var(--quiet); font-weight: normal }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px }
.skip { position: absolute; left: -99rem }
.skip:focus { position: static }
ul, ol { margin: 0; padding: 0; list-style: none }
.tiles { display: flex; flex-wrap: wrap; gap: .5rem }
.tiles a { display: block; padding: .35rem .8rem; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); text-decoration: none }
.tiles b { font-size: 1.25rem; margin-right: .25rem }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: .6rem }
.badge { display: inline-block; padding: 0 .55em; border: 1px solid currentColor; border-radius: 1em; font-size: .85rem; font-weight: 600; line-height: 1.5; white-space: nowrap }
.ready { color: var(--ready); background: var(--ready-on) }
.pending, .differs { color: var(--pending); background: var(--pending-on) }
.asleep { color: var(--asleep); background: var(--asleep-on) }
.suspended { color: var(--suspended); background: var(--suspended-on) }
.expired { color: var(--expired); background: var(--expired-on) }
.leaving { color: var(--leaving); background: var(--leaving-on) }
h1 .badge { font-size: 1rem; vertical-align: middle }
.failed { color: var(--leaving) }
details > summary { cursor: pointer; padding: .4rem .25rem .4rem 1.4rem; position: relative; list-style: none }
summary::-webkit-details-marker { display: none }
summary::before { content: ""; position: absolute; left: .35rem; top: .85rem; border: solid var(--quiet); border-width: 0 2px 2px 0; padding: 2.5px; rotate: -45deg }
details[open] > summary::before { rotate: 45deg }
.inside { padding: .25rem .25rem 1rem 1.4rem }
.members { border-top: 1px solid var(--line) }
.members > li { border-bottom: 1px solid var(--line); break-inside: avoid }
.members summary { display: grid; grid-template-columns: minmax(7rem, 1.4fr) 6.75rem minmax(8rem, 1fr) minmax(10rem, 1fr) minmax(7rem, 1.3fr) 9rem; gap: .25rem 1rem; align-items: center }
.members summary:hover { background: var(--raised) }
.label { font-size: .8rem; color: var(--quiet) }
.expires { white-space: nowrap }
.meter { display: block; font-variant-numeric: tabular-nums }
.bar { display: block; width: 100%; max-width: 14rem; height: 7px; margin-top: 2px; border: 1px solid var(--line); border-radius: 3px; background: var(--raised) }
.bar rect { fill: var(--bar) }
.near rect { fill: var(--near) }
.full rect { fill: var(--full) }
dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .25rem 1rem; margin: .25rem 0 .75rem }
dt { color: var(--quiet) }
dd { margin: 0 }
main.invitation { margin: 0 auto }
table { border-collapse: collapse; width: 100%; max-width: 48rem }
th, td { padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th[scope=row] { font-weight: normal }
thead th { color: var(--quiet); font-weight: normal; font-size: .85rem }
.figure { text-align: right; font-variant-numeric: tabular-nums }
.meters td:last-child, .meters th:last-child { width: 45%; padding-left: .6rem }
.sums table { max-width: none; margin: 0 0 .75rem 1.4rem; width: calc(100% - 1.4rem) }
.sums .label { display: none }
.ups > li { border-bottom: 1px solid var(--line) }
.reason { white-space: pre-wrap }
.invitation { max-width: 48rem }
.invitation ul { list-style: disc; padding-left: 1.25rem }
.invitation pre { padding: .75rem; background: var(--raised); border-radius: 6px; white-space: pre-wrap }
.invitation pre code { padding: 0; background: none; font-size: 1em }
.invitation thead:not(:has(th:not(:empty))) { display: none }
.invitation blockquote { margin: 1rem 0; padding: .1rem 1rem; border-left: 4px solid var(--near); background: var(--raised) }
footer dl { font-size: .9rem }
@media (max-width: 56rem) {
  body { padding: .75rem .75rem 2rem }
  .members summary { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); padding-left: 1.5rem }
  .members .state { justify-self: end; text-align: right }
  .inside { padding-left: .25rem }
  .sums table, .sums tbody, .sums tr, .sums td, .sums th { display: block; margin-left: 0; width: 100% }
}
@media print {
  :root { color-scheme: light }
  body { max-width: none; padding: 0; font-size: 9pt }
  .skip, summary::before { display: none }
  a { color: inherit }
  h2, h3 { break-after: avoid }
}
@media (forced-colors: active) { .bar rect { fill: Highlight } .bar { forced-color-adjust: none } }
`;

/** A page loads nothing and runs nothing, whatever is in it; also for the header of a server. */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'`;

/** A self-contained page. Values in templates are text, unless a template made them. */
export const page = (title: string, language: string | undefined, body: SafeHtml): string =>
  `<!doctype html>\n${html`<html${language === undefined ? "" : html` lang="${language}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${html.raw`${style}`}</style>
</head>
<body>
${body}
</body>
</html>
`}`;
