import assert from "node:assert/strict";
import { sharedObjects } from "../../../../../plan/rows/manifest.ts";
import { configuration, settings } from "../../../samples.ts";

const runtimeClasses = { allowed: ["gvisor"], default: "gvisor" };
const stack = configuration({ members: [], memberTypes: { safe: { runtimeClasses } } }).settings;

// test/e2e/isolation/admission/pools.ts tries it on the API server.
describe("the policy that fills in what pods leave out", () => {
  it("fills in what pods leave out where the API server can, and a type has something", () => {
    const isThere = (of: typeof stack, mutates?: boolean) =>
      sharedObjects(of, { mutates }).some(({ kind }) => kind === "MutatingAdmissionPolicy");
    assert.deepEqual([isThere(stack, true), isThere(stack, false), isThere(stack)], [true, false, false]);
    assert.equal(isThere(settings, true), false);
  });
});
