import assert from "node:assert/strict";
import { isOffline } from "../../../../config/sources/offline.ts";

describe("KUBECAMP_OFFLINE", () => {
  it("takes KUBECAMP_OFFLINE as 1 or true, or not set", () => {
    for (const [value, meant] of Object.entries({
      "1": true,
      true: true,
      TRUE: true,
      "0": false,
      false: false,
      "": false,
    })) {
      assert.equal(isOffline({ KUBECAMP_OFFLINE: value }, { isPreview: true }), meant, value);
    }
    assert.equal(isOffline({}, { isPreview: true }), false);
    for (const value of ["yes", "constructor"]) {
      assert.throws(
        () => isOffline({ KUBECAMP_OFFLINE: value }, { isPreview: true }),
        new RegExp(`is '${value}', which means nothing: set it to 1 `),
      );
    }
  });

  it("takes KUBECAMP_OFFLINE for previews, and refuses whatever else", () => {
    assert.equal(isOffline({}, { isPreview: false }), false);
    assert.equal(isOffline({ KUBECAMP_OFFLINE: "0" }, { isPreview: false }), false);
    assert.throws(
      () => isOffline({ KUBECAMP_OFFLINE: "1" }, { isPreview: false }),
      /is no preview.*Nothing was changed\.\nRun 'unset /,
    );
  });
});
