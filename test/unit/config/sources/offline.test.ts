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
      assert.equal(isOffline({ KUBECAMP_OFFLINE: value }, true), meant, value);
    }
    assert.equal(isOffline({}, true), false);
    for (const value of ["yes", "constructor"]) {
      assert.throws(
        () => isOffline({ KUBECAMP_OFFLINE: value }, true),
        new RegExp(`is '${value}', which means nothing: set it to 1 `),
      );
    }
  });

  it("takes KUBECAMP_OFFLINE for previews, and refuses whatever else", () => {
    assert.equal(isOffline({}, false), false);
    assert.equal(isOffline({ KUBECAMP_OFFLINE: "0" }, false), false);
    assert.throws(
      () => isOffline({ KUBECAMP_OFFLINE: "1" }, false),
      /is no preview.*Nothing was changed\.\nRun 'unset /,
    );
  });
});
