import assert from "node:assert/strict";
import { policyMistakes, policyWithout, principalsIn, samePolicy } from "../../../../config/storage/bucketPolicy.ts";

const statement = {
  ...{ Effect: "Allow", Principal: { AWS: ["KCALICE"] } },
  ...{ Action: ["s3:GetObject"], Resource: ["arn:aws:s3:::data/*"] },
};
const policyOf = (...statements: object[]) => JSON.stringify({ Version: "2012-10-17", Statement: statements });
const mistakesOf = (policy: string | object) =>
  policyMistakes(typeof policy === "string" ? policy : JSON.stringify(policy), "data");

describe("a bucket's policy", () => {
  it("takes every bucket policy that S3 takes", () => {
    const allowed = { Action: "s3:GetObject", Resource: "arn:aws:s3:::data/x" };
    const public_ = { Sid: "all", Effect: "Allow", Principal: "*", ...allowed };
    const except = {
      Effect: "Deny",
      NotPrincipal: "KCBOB",
      NotAction: "s3:*",
      NotResource: "arn:aws-cn:s3:::data",
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    };
    assert.deepEqual(mistakesOf(policyOf(statement, public_, except)), []);
    assert.deepEqual(mistakesOf({ Statement: statement }), []);
  });

  const changed = (more: object) => ({ Statement: [{ ...statement, ...more }] });
  const lists: [string, string | object, string[]][] = [
    ["no JSON", "{", ["is no JSON ("]],
    ["no statement", { Version: "2012-10-17" }, ["has no 'Statement'"]],
    [
      "a statement that says nothing",
      { Statement: [statement, {}] },
      [
        'Statement[1] needs the Effect "Allow" or "Deny"',
        ...["Principal", "Action", "Resource"].map((key) => `Statement[1] needs one of '${key}' and 'Not${key}'`),
      ],
    ],
    ["both of two", changed({ NotAction: "s3:GetObject" }), ["Statement[0] needs one of 'Action'"]],
    ["a key that is misspelt", changed({ Conditions: {} }), ["Statement[0] has the unknown key"]],
    ["somebody else's action", changed({ Action: "iam:*" }), ['Statement[0] has the Action "iam:*"']],
    [
      "another bucket",
      changed({ Resource: ["arn:aws:s3:::data/*", "arn:aws:s3:::data2/*", "*"] }),
      ['Statement[0] has the Resource "arn:aws:s3:::data2/*"', 'Statement[0] has the Resource "*"'],
    ],
  ];
  for (const [what, policy, starts] of lists) {
    it(`refuses ${what} in a policy, and names each mistake`, () => {
      const mistakes = mistakesOf(policy);
      assert.equal(mistakes.length, starts.length, mistakes.join("\n"));
      for (const [index, start] of starts.entries()) {
        assert.ok(mistakes[index]?.startsWith(start), mistakes[index]);
      }
    });
  }

  it("refuses exceptions in a policy on a versitygw, which ignores them", () => {
    const keys = ["Principal", "Action", "Resource"];
    const statements = keys.map((key) => {
      const { [key as "Action"]: value, ...rest } = statement;
      return { ...rest, [`Not${key}`]: value };
    });
    const text = policyOf(statement, ...statements);
    assert.deepEqual(policyMistakes(text, "data"), []);
    const lines = keys.map(
      (key, index) =>
        `Statement[${index + 1}] has 'Not${key}', which versitygw ignores: the statement would give ` +
        `access to too many; name with '${key}' what the statement is for`,
    );
    assert.deepEqual(policyMistakes(text, "data", "versitygw"), lines);
    assert.deepEqual(policyMistakes(policyOf(statement), "data", "versitygw"), []);
  });

  it("compares bucket policies by their meaning", () => {
    const Action = ["s3:GetObject", "s3:PutObject"];
    const asked = policyOf({ ...statement, Action });
    const { Effect, Resource } = statement;
    const lone = { Resource: Resource[0], Principal: { AWS: "KCALICE" }, Effect, Action: Action.toReversed() };
    assert.equal(samePolicy(asked, JSON.stringify({ Statement: lone, Version: "2012-10-17" })), true);
    for (const other of [
      policyOf({ ...statement, Action, Effect: "Deny" }),
      policyOf({ ...statement, Action, Principal: "*" }),
      policyOf({ ...statement, Action }, statement),
      undefined,
      "no json",
    ]) {
      assert.equal(samePolicy(asked, other), false, other);
    }
    assert.equal(samePolicy(undefined, undefined), true);
    assert.equal(samePolicy("no json", "no json either"), false);
  });
});

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
    for (const text of ["no JSON", "[]", "{}"]) {
      assert.deepEqual([...principalsIn(text)], []);
    }
  });
});
