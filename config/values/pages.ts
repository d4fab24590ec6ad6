import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, jsonIn } from "./maps.ts";

const page = /(?<![\w/.-])docs\/[\w/-]+\.md(#[\w-]+)?/g;

/** Names pages of the documentation by URL where the installation has none, as a released package. @param folder for tests */
export function withPages(text: string, folder = import.meta.dirname): string {
  const address = text.includes("docs/") ? addressOfPages(folder) : undefined;
  return address === undefined ? text : text.replaceAll(page, (path) => `${address}/${path}`);
}

/** Undefined for a clone, which has the pages, and for a package that nobody released, which names no repository. */
function addressOfPages(folder: string): string | undefined {
  if (existsSync(join(folder, "../../docs"))) {
    return undefined;
  }
  // The code of a package is below its dist/.
  const file = join(folder, "../../../package.json");
  const content = existsSync(file) ? jsonIn(readFileSync(file, "utf8")) : undefined;
  const { homepage, version } = isMap(content) ? content : {};
  return typeof homepage === "string" ? `${homepage.replace(/#.*$/, "")}/blob/v${version}` : undefined;
}
