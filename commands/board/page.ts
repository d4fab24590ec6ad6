import { hash } from "node:crypto";
import { html, type SafeHtml } from "@remix-run/html-template";
import { style } from "./style.ts";

/** A page loads nothing and runs nothing, whatever is in it; also for the header of a server. */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'`;

/**
 * A self-contained page. Values in templates are text, unless a template made them.
 * @param language of the text, such as `en`; undefined if it is not known
 */
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
