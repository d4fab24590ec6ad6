import assert from "node:assert/strict";
import { mutatesAsLast } from "../../../../../plan/decisions/unread/fillIns.ts";

const offline = (...last: string[]) => ({ offline: true, kinds: new Map(), last: new Set(last) });

describe("whether the API server fills in what pods leave out", () => {
  it("is what it says itself, where it was asked", () => {
    assert.equal(mutatesAsLast({ mutates: false }, undefined), false);
    assert.equal(mutatesAsLast({ mutates: true }, { offline: false, kinds: new Map() }), true);
    assert.equal(mutatesAsLast({}, undefined), undefined);
  });

  it("is taken to be so offline, unless the last run found otherwise", () => {
    assert.equal(mutatesAsLast({}, { offline: true, kinds: new Map() }), true);
    assert.equal(mutatesAsLast({}, offline("access/admission/pods")), true);
    assert.equal(mutatesAsLast({}, offline("access/admission/runtimes")), false);
    assert.equal(mutatesAsLast({}, offline("access/admission/runtimes", "access/admission/mutating/fill-in")), true);
  });
});
