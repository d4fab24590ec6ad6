import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Links of a site's pages to files or anchors that it does not have, each with its page. */
export function deadLinks(site: string): string[] {
  const pages = globSync("**/*.html", { cwd: site }).map((page) => join(site, page));
  const texts = new Map(pages.map((page) => [page, readFileSync(page, "utf8")]));
  const anchors = new Map([...texts].map(([page, text]) => [page, new Set(attributes(text, "id"))]));
  return [...texts].flatMap(([page, text]) =>
    [...attributes(text, "href"), ...attributes(text, "src")]
      .filter((link) => {
        const [path = "", anchor] = link.split("#");
        if (/^[a-z]+:/.test(path)) return false;
        const target = path === "" ? page : join(dirname(page), decodeURI(path));
        return !existsSync(target) || (anchor !== undefined && !anchors.get(target)?.has(decodeURIComponent(anchor)));
      })
      .map((link) => `${relative(site, page)}: ${link}`),
  );
}

const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<[^>]*? ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value);
