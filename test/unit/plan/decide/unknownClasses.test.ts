import assert from "node:assert/strict";
import type { LiveClasses } from "../../../../cluster/read/snapshot.ts";
import { obstacles, unknownClasses } from "../../../../plan/decide/obstacles.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { inhabitedBy } from "../../cluster/leaving.ts";
import { configuration } from "../../samples.ts";
import { planOf } from "../planned.ts";

const { members, settings } = configuration({
  memberTypes: {
    gpu: { storage: { fast: "20Gi", bulk: 0 }, runtimeClasses: { allowed: ["gvsor"], default: "gvsor" } },
  },
  members: ["ann", "bob", "cyd", "dan"].map((member) => ({ member, type: "gpu" })),
});
const found = (classes: LiveClasses | undefined) =>
  refusalTexts(unknownClasses(planOf(members, settings, { classes })));
const names = (...all: string[]) => new Set(all);

describe("classes that members may use", () => {
  it("reads classes that members may use from the cluster, with and without storage in them", () => {
    assert.deepEqual(found({ RuntimeClass: names("gvsor"), StorageClass: names("bulk", "fast", "slow") }), []);
    assert.deepEqual(found({ RuntimeClass: names("gvisor", "kata"), StorageClass: names("fast") }), [
      "the cluster has no RuntimeClass 'gvsor', which ann, bob, cyd and 1 more may use; did you mean 'gvisor'? Make it, or take it out of runtimeClasses (the cluster has gvisor, kata)",
      "the cluster has no StorageClass 'bulk', which ann, bob, cyd and 1 more may use; make it, or take it out of storage (the cluster has fast)",
    ]);
    assert.deepEqual(found({ RuntimeClass: names() }), [
      "the cluster has no RuntimeClass 'gvsor', which ann, bob, cyd and 1 more may use; make it, or take it out of runtimeClasses (the cluster has none)",
    ]);
  });

  it("checks no classes where nobody could read them", () => {
    assert.deepEqual(found({}), []);
    assert.deepEqual(found(undefined), []);
  });

  it("stops a run at unknown classes before it touches anything", () => {
    const snapshot = { ...inhabitedBy("ingress-nginx"), classes: { StorageClass: names("bulk") } };
    const codes = obstacles(planOf(members, settings, snapshot)).map(({ code }) => code);
    assert.deepEqual(codes, ["unknownClass"]);
  });
});
