import MarkdownIt, { type Token } from "markdown-it";

/** HTML in the Markdown is text. Links lead only where markdown-it takes them to be safe: never to `javascript:`. */
const markdownIt = new MarkdownIt({ html: false });

/** The page loads nothing and runs nothing, whatever is in it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** Readable in light and dark, on paper, and on a phone, where wide code and tables scroll by themselves. */
const style = `
:root { color-scheme: light dark; --text: #1f2328; --ground: #fff; --code: #f6f8fa; --line: #d1d9e0; --link: #0969da }
@media (prefers-color-scheme: dark) {
  :root { --text: #f0f6fc; --ground: #0d1117; --code: #151b23; --line: #3d444d; --link: #4493f8 }
}
body { margin: 0 auto; padding: 1rem 1.25rem 3rem; max-width: 48rem; color: var(--text); background: var(--ground);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; overflow-wrap: break-word }
h1, h2 { line-height: 1.25; padding-bottom: .2em; border-bottom: 1px solid var(--line) }
h2 { margin-top: 2rem }
a { color: var(--link) }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  background: var(--code); border-radius: 6px }
code { padding: .15em .35em }
pre { padding: .9rem; overflow: auto; max-height: 28rem }
pre code { padding: 0; font-size: 1em }
.table { overflow: auto }
table { border-collapse: collapse }
th, td { padding: .35rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
td:last-child { overflow-wrap: anywhere }
thead:not(:has(th:not(:empty))) { display: none }
blockquote { margin: 1rem 0; padding: .1rem 1rem; border-left: 4px solid #bf8700; background: var(--code) }
@media print { pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere } }
`;

/**
 * A self-contained page from Markdown.
 * @param language of the text, as `en`. Default: not stated
 */
export function htmlPage(markdown: string, language?: string): string {
  const tokens = markdownIt.parse(markdown, {});
  const heading = tokens.findIndex(({ type }) => type === "heading_open");
  const title = tokens[heading + 1]?.children?.map(({ content }) => content).join("") ?? "Invitation";
  const body = rendered(tokens)
    .replaceAll("<table>", '<div class="table"><table>')
    .replaceAll("</table>", "</table></div>");
  return `<!doctype html>
<html${language === undefined ? "" : ` lang="${language}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${markdownIt.utils.escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}</body>
</html>
`;
}

/**
 * The same as a part of another page.
 * @param deeper levels by which its headings are lower
 */
export function htmlPart(markdown: string, deeper: number): string {
  const tokens = markdownIt.parse(markdown, {});
  for (const token of tokens.filter(({ type }) => type.startsWith("heading_"))) {
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + deeper)}`;
  }
  return rendered(tokens);
}

const rendered = (tokens: Token[]) => markdownIt.renderer.render(tokens, markdownIt.options, {});
