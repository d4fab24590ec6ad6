import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { readStack } from "../../commands/common/stackFile.ts";
import { checkFiles } from "../../commands/members/checks.ts";
import { repository } from "../../scaffold/sandbox/paths.ts";

describe("Pulumi.prod.yaml, the example of a real cluster", () => {
  it("has no mistakes, and nothing to warn of", () => {
    const checks = checkFiles(["Pulumi.prod.yaml"], repository, "2026-11-21");
    assert.deepEqual(
      checks.map(({ file, stack, members, mistakes, warnings }) => ({ file, stack, members, mistakes, warnings })),
      [{ file: "members.prod.yaml", stack: "prod", members: 3, mistakes: [], warnings: [] }],
    );
  });

  it("shows what a real cluster should not be without", () => {
    const { settings, members } = readStack("prod", repository).configuration;
    assert.equal(settings.oidc.issuerUrl, "https://id.example.org");
    assert.equal(settings.cluster.context, "prod");
    assert.deepEqual(settings.route.tls, { secretName: "apps-example-org" });
    assert.equal(settings.offboarding.maxRemovals, 3);
    assert.deepEqual(
      members.map(({ name, protect }) => [name, protect]),
      [
        ["ada", true],
        ["grace", true],
        ["linus", false],
      ],
    );
  });

  it("says in comments where the state and its secrets may be kept, and holds no key of a backend itself", () => {
    const text = readFileSync(join(repository, "Pulumi.prod.yaml"), "utf8");
    assert.match(text, /^# .*PULUMI_BACKEND_URL='s3:\/\//m);
    assert.match(text, /^# .*--secrets-provider 'awskms:\/\//m);
    assert.deepEqual(Object.keys(parse(text)), ["config"]);
  });
});
