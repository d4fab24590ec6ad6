import assert from "node:assert/strict";
import { policyWithout, principalsIn } from "../../../../../config/rules/buckets/policyWithout.ts";

const rest = { Action: "s3:GetObject", Resource: "arn:aws:s3:::data/*" };
const allow = (Principal: unknown) => ({ Effect: "Allow", Principal, ...rest });
const deny = (who: object) => ({ Effect: "Deny", ...who, ...rest });
const without = (...statements: readonly object[]) => {
  const policy = JSON.stringify({ Version: "2012-10-17", Statement: statements });
  const left = policyWithout(policy, new Set(["KC", "arn:aws:iam::1:user/alice"]));
  return left === undefined ? undefined : (JSON.parse(left) as { Statement: unknown }).Statement;
};

describe("a policy without some principals", () => {
  it("removes closed keys from Allow, and statements for nobody else", () => {
    assert.deepEqual(without(allow("KC"), allow({ AWS: ["KC", "KD"] }), allow({ AWS: "KC", CanonicalUser: "1" })), [
      allow({ AWS: ["KD"] }),
      allow({ CanonicalUser: "1" }),
    ]);
    assert.deepEqual(without(allow(["KC", "KD"])), [allow(["KD"])]);
    assert.equal(without(allow("KC"), allow({ AWS: ["arn:aws:iam::1:user/alice"] })), undefined);
  });

  it("keeps closed keys in Deny, and removes exceptions for them", () => {
    assert.deepEqual(without(deny({ Principal: "KC" })), [deny({ Principal: "KC" })]);
    assert.deepEqual(without(deny({ NotPrincipal: { AWS: ["KC", "KD"] } }), deny({ NotPrincipal: { AWS: "KC" } })), [
      deny({ NotPrincipal: { AWS: ["KD"] } }),
      deny({ Principal: "*" }),
    ]);
    const others = { Effect: "Allow", NotPrincipal: { AWS: "KC" }, ...rest };
    assert.deepEqual(without(others), [others]);
  });

  it("returns a policy unchanged that names no closed key", () => {
    for (const text of [
      '{ "Statement": [ {"Effect": "Allow", "Principal": "*"} ] }',
      '{"Statement":{}}',
      "{",
      "[]",
      "{}",
    ]) {
      assert.equal(policyWithout(text, new Set(["KC"])), text);
    }
  });
});

describe("whom a policy lets in", () => {
  it("finds the principals that a policy lets in by name", () => {
    const named = (...statements: readonly object[]) => [...principalsIn(JSON.stringify({ Statement: statements }))];
    const allow = (Principal: unknown) => ({ Effect: "Allow", Principal });
    assert.deepEqual(named(allow({ AWS: "KC" }), allow({ AWS: ["A", "*"], CanonicalUser: "B" })), ["KC", "A", "B"]);
    assert.deepEqual(named(allow("*"), { Effect: "Deny", Principal: { AWS: "KC" } }), []);
    for (const text of ["no JSON", "[]", "{}"]) assert.deepEqual([...principalsIn(text)], []);
  });
});
