import { globSync } from "node:fs";
import { buildSite } from "./build.ts";

/** `npm run site`, into `_site` or the folder that it is given. In a workflow of GitHub's, files that are no pages are linked in the repository. */
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
const [site = "_site"] = process.argv.slice(2);
await buildSite(site, server && repository ? `${server}/${repository}/blob/main` : undefined);
console.log(`${globSync(`${site}/**/*.html`).length} pages in ${site}; start at ${site}/index.html`);
