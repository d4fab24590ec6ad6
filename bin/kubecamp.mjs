#!/usr/bin/env node
// Plain JavaScript on purpose: an older Node can't read TypeScript at all, and should say so in words.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `kubecamp: this is Node ${process.versions.node}, and Node 22.18 or later is needed.\n` +
      "Node 24 comes with the project's packages: run 'npm ci', then 'npm run kubecamp -- …', which uses it.",
  );
  process.exit(1);
}
await import("../commands/main.ts");
