import assert from "node:assert/strict";
import { engineSource } from "../../../../config/sources/load.ts";
import { parseSources, stackSource } from "../../../../config/sources/sources.ts";
import { mistakeLines } from "../../../../config/values/mistakes.ts";
import { route, today } from "../../samples.ts";

/** Output of a run that gets these values from the engine. */
function lines(config: Readonly<Record<string, unknown>>, text?: string, secretKeys: readonly string[] = []): string[] {
  const values = Object.entries(config).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const file = text === undefined ? undefined : stackSource("Pulumi.dev.yaml", text);
  const parsed = parseSources("dev", { stack: engineSource(Object.fromEntries(values), secretKeys, file) }, today);
  return "mistakes" in parsed ? mistakeLines(parsed.mistakes) : [];
}

const bob = { member: "bob", type: "user", expires: "2026-12-31 00:00:00 +0000 UTC", maxCPUm: 16 };
const file = `config:
  kubecamp:route:
    host: camp.example.org
    controller: ingress-nginx
  kubecamp:members:
    - member: bob
      type: user
      expires: 2026-12-31
      maxCPUm: 0x10
`;

describe("what the engine hands over", () => {
  it("hands the engine's configuration over as plain text and as JSON", () => {
    const source = engineSource(
      { "kubecamp:membersFile": "members.yaml", "kubecamp:route": '{"host":"a.b"}', "aws:region": "x" },
      [],
      undefined,
    );
    assert.deepEqual(source.raw, { membersFile: "members.yaml", route: { host: "a.b" } });
  });

  it("finds the lines of the engine's configuration in a stack's file that says as much", () => {
    assert.deepEqual(lines({ "kubecamp:route": route, "kubecamp:members": [bob] }, file), [
      "Pulumi.dev.yaml:9: members[0].maxCPUm: 0x10 is below defaultCPUm (100), so that no container would fit (member 'bob')",
    ]);
  });

  it("tells mistakes in the engine's configuration without lines where no file says as much", () => {
    const config = { "kubecamp:route": { controller: "traefik" }, "kubecamp:members": [{ ...bob, suspended: 5 }] };
    const reported = [
      "route.host: is missing: must be a text",
      "members[0].maxCPUm: 16 is below defaultCPUm (100), so that no container would fit (member 'bob')",
      "members[0].suspended: 5 must be true or false (member 'bob')",
    ];
    assert.deepEqual(lines(config, file), reported);
    assert.deepEqual(lines(config), reported);
    assert.deepEqual(lines({ ...config, "kubecamp:route": { controller: "traefik", hots: "x" } }, file).length, 4);
  });

  it("takes the engine's configuration without what is beside the file's config", () => {
    const outside =
      "config:\n  kubecamp:members: []\nkubecamp:route: { host: camp.example.org, controller: ingress-nginx }\n";
    assert.deepEqual(lines({ "kubecamp:members": [] }, outside), [
      "Pulumi.dev.yaml:1: route: is missing: must be a map with at least 'host'",
      "Pulumi.dev.yaml:3: kubecamp:route: is not below 'config:', where Pulumi reads it: move it there",
    ]);
    assert.deepEqual(lines({ "kubecamp:members": [bob] }, outside).length, 2);
    assert.deepEqual(lines({ "kubecamp:members": [], "kubecamp:route": route }, outside), []);
  });

  it("refuses an engine's configuration that chooses a cluster for the default provider", () => {
    const config = { "kubecamp:route": route, "kubecamp:members": [], "kubernetes:context": "prod" };
    const reported = "kubernetes:context: has no effect here; the cluster is chosen by context in kubecamp:cluster";
    assert.deepEqual(lines(config), [reported]);
    assert.deepEqual(lines(config, `${file}  kubernetes:context: prod\n`), [`Pulumi.dev.yaml:10: ${reported}`]);
  });

  it("shows nothing encrypted of the engine's configuration, and all that stands beside it", () => {
    const secret = { ...bob, maxCPUm: 500, subject: "top\nsecret", home: "edti" };
    const encrypted = `config:
  kubecamp:route: { host: camp.example.org, controller: ingress-nginx }
  kubecamp:members:
    - member: bob
      type: user
      expires: 2026-12-31
      maxCPUm: 500
      subject: { secure: v1:abc }
      home: edti
`;
    const config = { "kubecamp:route": route, "kubecamp:members": [secret] };
    assert.deepEqual(lines(config, encrypted, ["kubecamp:members"]), [
      "Pulumi.dev.yaml:8: members[0].subject: [secret] must be one line without control and format characters, and without blanks at either end (member 'bob')",
      "Pulumi.dev.yaml:9: members[0].home: \"edti\" must be one of edit, view; did you mean 'edit'? (member 'bob')",
    ]);
    assert.deepEqual(lines(config, undefined, ["kubecamp:members"]), [
      "members[0].subject: [secret] must be one line without control and format characters, and without blanks at either end",
      "members[0].home: [secret] must be one of edit, view; did you mean 'edit'?",
    ]);
  });
});
