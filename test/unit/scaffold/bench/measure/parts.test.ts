import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { partOf } from "../../../../../scaffold/bench/measure/parts.ts";

const commands: readonly (readonly [string, string])[] = [
  ["cli", "pulumi up --yes --stack bench"],
  ["cli", "/opt/pulumi/bin/pulumi preview"],
  ["program", "node /p/node_modules/@pulumi/pulumi/cmd/run/index.js --monitor 127.0.0.1:1 --stack bench ."],
  ["program", "node /p/node_modules/@pulumi/pulumi/cmd/run --monitor 127.0.0.1:1 ."],
  ["plugin", "/home/me/.pulumi/plugins/resource-kubernetes-v4.34.2/pulumi-resource-kubernetes 127.0.0.1:1"],
  ["plugin", "/p/node_modules/node/bin/node /p/sandbox/standins/kubernetes/main.ts 127.0.0.1:1"],
  ["host", "/p/node_modules/node/bin/node /p/sandbox/standins/languageHost.ts 127.0.0.1:1"],
  ["host", "/usr/local/bin/pulumi-language-nodejs 127.0.0.1:1"],
  ["kubectl", "kubectl apply --server-side --filename /p/objects.json"],
  ["other", "diff -u -N /tmp/LIVE /tmp/MERGED"],
  ["other", "node --version"],
];

describe("a process of a run", () => {
  for (const [part, command] of commands) {
    it(`is ${part}: ${command.slice(0, 60)}`, () => {
      assert.equal(partOf(command.split(" ")), part);
    });
  }
});
