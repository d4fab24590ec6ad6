#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

// Plain JavaScript: a Node too old to read TypeScript must still print this error.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `kubecamp: this is Node ${process.versions.node}, and Node 22.18 or later is needed.\n` +
      "In a clone of kubecamp's repository, 'npm ci' brings Node 24: put node_modules/.bin first on the PATH.\n" +
      "Elsewhere, install it: https://nodejs.org/",
  );
  process.exit(1);
}
// Node's compile cache saves a third of each start.
// It lies beside the packages: in a folder that everybody may write to, others could plant code.
const root = join(import.meta.dirname, "..");
const packages = basename(join(root, "..")) === "node_modules" ? join(root, "..") : join(root, "node_modules");
process.env.NODE_COMPILE_CACHE ??= join(packages, ".cache/node");
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
// A clone and a package, which is JavaScript, also have `kubecamp sandbox`; an image has the product alone.
const withSandbox = ["sandbox/main.ts", "dist/tools/packaged/main.js"]
  .map((path) => join(root, path))
  .find((path) => existsSync(path));
if (withSandbox === undefined) {
  const { kubecampCommand } = await import("../kubecamp.ts");
  await kubecampCommand().parseAsync();
} else {
  await import(pathToFileURL(withSandbox).href);
}
