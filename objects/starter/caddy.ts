import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { caddyFiles } from "./names.ts";

/** Directory of the pages in the container, and of the two files below if it runs Caddy. */
export const pagesMount = "/pages";

/**
 * Caddy's configuration for the pages: `/` and `/x` show `index.md` and `x.md`, with or without the member's prefix before
 * them. Of a route's `rewrite`s, Caddy executes only the first that matches. It executes only kubecamp's own file as a
 * template; that reads the pages.
 * @see https://caddyserver.com/docs/caddyfile
 */
export function caddyfile(member: Pick<Member, "route">, { starter }: Pick<Settings, "starter">): string {
  const prefix = prefixOf(member);
  return `{
	admin off
	auto_https off
	persist_config off
}

:${starter.port} {
	root * ${pagesMount}
	route {
		@first path ${prefix === "" ? "/" : `/ ${prefix} ${prefix}/`}
		rewrite @first /index
${prefix === "" ? "" : withoutPrefix(prefix)}		uri strip_suffix .md
		@page file {path}.md
		handle @page {
			vars page {http.matchers.file.relative}
			rewrite * /${caddyFiles.template}
			templates
			file_server
		}
		respond "There is no such page." 404
	}
}
`;
}

/** Strips whole segments only: another page's name may begin with the member's. */
const withoutPrefix = (prefix: string) => `\t\t@prefixed path ${prefix}/*
\t\turi @prefixed strip_prefix ${prefix}
`;

/** Template with which Caddy shows a page. Links in pages are relative to the member's path, wherever one is shown. */
export function pageTemplate(member: Pick<Member, "name" | "route">): string {
  return `{{- $page := placeholder "http.vars.page" | readFile | splitFrontMatter -}}
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${prefixOf(member)}/">
<title>${member.name}</title>
<style>
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
pre { overflow-x: auto; padding: .8rem; background: #f4f4f4; color: #222; }
table { border-collapse: collapse; }
th, td { border: 1px solid #bbb; padding: .2rem .7rem; text-align: left; }
</style>
</head>
<body>
{{ markdown $page.Body }}
</body>
</html>
`;
}

/** Prefix of all paths of the member: `/bob`, or empty on a host of their own. */
const prefixOf = ({ route }: Pick<Member, "route">) => (route?.path ?? "/").replace(/\/+$/, "");
