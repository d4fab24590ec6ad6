import assert from "node:assert/strict";
import { joinerText } from "../../../../commands/report/print/sections.ts";
import { storage } from "../../samples.ts";
import { reportOfEdit } from "./previews.ts";

/** Lines about bob, who joins. */
async function joining(entry: object, settings: object = {}): Promise<string[]> {
  const { joining } = await reportOfEdit({
    before: { ...settings, members: [] },
    after: { ...settings, members: [{ member: "bob", type: "user", ...entry }] },
  });
  const [bob] = joining;
  assert.ok(bob);
  return joinerText(bob).split("; ").slice(2);
}

describe("who joins, in a report", () => {
  for (const [what, entry, notes] of [
    ["nothing beyond the type", {}, []],
    ["images", { images: ["nginx", "caddy:2.*"] }, ["images nginx, caddy:2.*"]],
    ["no devices and no storage", { devices: {}, storage: {} }, ["no devices", "no storage of any class"]],
    [
      "where and how their pods run",
      {
        runtimeClasses: { allowed: ["gvisor", "kata"] },
        pool: { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated", value: "gpu" }] },
        userNamespaces: "required",
      },
      ["RuntimeClasses gvisor, kata", "pool pool=gpu dedicated=gpu", "user namespaces required"],
    ],
    [
      "exceptions of the network",
      { network: { egress: [{ cidr: "10.1.2.0/24", ports: [22] }], ingress: [{ namespace: "monitoring" }] } },
      ["network, in: namespace monitoring", "network, out: 10.1.2.0/24, port 22/TCP"],
    ],
  ] as const) {
    it(`reports who joins with ${what}`, async () => {
      assert.deepEqual(await joining(entry), notes);
    });
  }

  it("reports who joins with what a type of the stack's own has", async () => {
    const memberTypes = { lab: { home: "view", others: "view", quota: true, podSecurity: "restricted" } };
    assert.deepEqual(await joining({ type: "lab" }, { memberTypes }), [
      "role at home view",
      "role elsewhere view",
      "Pod Security restricted",
    ]);
  });

  it("reports who joins with everybody whom their buckets let in, by name", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"].map((letter) => `data-${letter}`);
    const buckets = names.map((name) => ({ name, ...(name === "data-g" ? { acl: "public-read" } : {}) }));
    assert.deepEqual(await joining({ buckets }, { storage }), [
      `with buckets ${names.map((name) => `bob-${name}`).join(", ")}`,
      "bucket bob-data-g: ACL public-read",
    ]);
  });
});
