import assert from "node:assert/strict";
import { apiGroup, groupResource } from "../../../../config/names/customKinds.ts";

describe("an API version's group", () => {
  it("takes an API version's group from before the slash, and none for the core group", () => {
    assert.deepEqual(["v1", "apps/v1", "example.org/v1beta1"].map(apiGroup), ["", "apps", "example.org"]);
  });

  it("puts an API version's group behind the resource's name, if there is a group", () => {
    assert.equal(groupResource("configmaps", "v1"), "configmaps");
    assert.equal(groupResource("widgets", "example.org/v1"), "widgets.example.org");
  });
});
