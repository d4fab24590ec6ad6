import assert from "node:assert/strict";
import { refuseUnfitKinds } from "../../../../../cluster/read/server/objectKinds.ts";
import type { ObjectKind } from "../../../../../config/objects/objectKinds.ts";

const resources = [
  { name: "widgets", kind: "Widget", namespaced: true },
  { name: "widgets/scale", kind: "Scale", namespaced: true },
  { name: "octopi", kind: "Octopus", namespaced: true },
  { name: "fleets", kind: "Fleet", namespaced: false },
];

/** Checks kinds against a cluster with these resources. */
function check(...kinds: readonly ObjectKind["kind"][]): Promise<void> {
  const api = {
    resources: async (version: string) => (version === "example.org/v1" ? resources : undefined),
  };
  return refuseUnfitKinds({ objectKinds: kinds.map((kind) => ({ kind, isEditable: false })) }, api);
}

describe("the custom kinds that settings allow", () => {
  it("stops a run at custom kinds that the cluster lacks or has otherwise, with what to do", async () => {
    await assert.rejects(
      check(
        "Widget.v2.example.org",
        "Scale.v1.example.org",
        "Octopus.v1.example.org",
        "Fleet.v1.example.org",
        "Widget.v1.example.org",
      ),
      {
        message: `These custom kinds are not on the cluster as objectKinds declares them. Nothing was changed:
  Widget (example.org/v2): there is no such kind; install its CustomResourceDefinition, or remove it from objectKinds and objects
  Scale (example.org/v1): there is no such kind; install its CustomResourceDefinition, or remove it from objectKinds and objects
  Octopus (example.org/v1): its resource is 'octopi', not 'octopuses'; set plural: octopi
  Fleet (example.org/v1): is cluster-scoped, and members get objects in their own namespace only; remove it from objectKinds`,
      },
    );
  });

  it("asks the cluster for no custom kinds where none are allowed", async () => {
    await refuseUnfitKinds({}, { resources: () => assert.fail() });
  });
});
