#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";

// Plain JavaScript on purpose: an older Node can't read TypeScript at all, and should say so in words.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `kubecamp: this is Node ${process.versions.node}, and Node 22.18 or later is needed.\n` +
      "Node 24 comes with the project's packages: run 'npm ci', then 'npm run kubecamp -- …', which uses it.",
  );
  process.exit(1);
}
// What Node has compiled once takes a third off each start: of this command, and of the programs that it has Pulumi run.
// Beside the packages, since in a folder that everybody may write to others could put code of theirs.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../node_modules/.cache/node");
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
// A checkout has `kubecamp sandbox` too; an image has the product alone.
const scaffold = new URL("../scaffold/main.ts", import.meta.url);
await (existsSync(scaffold) ? import(scaffold.href) : import("../commands/main.ts"));
