import assert from "node:assert/strict";
import { refusalTexts, warningsOf } from "../../../../plan/words/catalogue.ts";
import type { Finding } from "../../../../plan/words/finding.ts";
import { textsOf } from "../planned.ts";

describe("a warning", () => {
  it("makes one warning of each matter, in the order in which the matters come first", () => {
    const findings: Finding[] = [
      { code: "expires", member: "bob", facts: { lastDay: "2026-06-15", days: 0 } },
      { code: "unserved", facts: { gateway: "a/b", state: "absent" } },
      { code: "expires", member: "eve", facts: { lastDay: "2026-06-16", days: 1 } },
      { code: "transfers", member: "eve", facts: { from: "camp-0", to: "camp-1", family: "camp" } },
    ];
    // Another shard finds the same.
    assert.deepEqual(warningsOf([...findings, ...findings]), [
      { code: "expires", text: "Expires soon: bob on 2026-06-15 (today), eve on 2026-06-16 (in 1 day)" },
      {
        code: "unserved",
        text: "Gateway 'a/b' (route.gateway) does not exist: no member's path can be reached until there is one (docs/run/gateway.md)",
      },
      {
        code: "transfers",
        text:
          "1 member is still in the stack from before kubecamp:shards was changed, until " +
          "'kubecamp up --stack camp' transfers them: eve (camp-0 to camp-1)",
      },
    ]);
    assert.deepEqual(warningsOf([]), []);
  });

  it("names the first few of a whole class", () => {
    const all = Array.from(
      { length: 60 },
      (_, index): Finding => ({
        code: "podsStop",
        member: `s${index}`,
        facts: { pods: 1 },
      }),
    );
    const [text = ""] = textsOf(all);
    assert.match(text, /stops their pods: s0 \(1 pod\), .*, s19 \(1 pod\) and 40 more$/);
  });

  it("lists what it is about, with a text where there is one", () => {
    const facts = { isRebound: false, isAggregated: false, added: undefined };
    const added = { labels: ["kubecamp.dev/protected"], annotations: [] };
    assert.deepEqual(
      textsOf([
        { code: "changedByHand", object: "Role a/zoe", facts },
        { code: "changedByHand", object: "Ingress a/b", facts: { ...facts, added } },
        { code: "closing", member: "bob", facts: { reason: "it is gone" } },
      ]),
      [
        "Changed by hand; 'pulumi up' restores it:\n" +
          "  Role a/zoe\n  Ingress a/b: removes what nobody declares: label kubecamp.dev/protected",
        "Routes that were open, and that 'pulumi up' closes:\n  bob: it is gone",
      ],
    );
  });
});

describe("the command that words name as the way out", () => {
  const facts = { policies: ["ClusterRole x"], stack: "camp" };

  it("names as the way out the command that the run was made by", () => {
    const missing: Finding[] = [{ code: "missing", object: "Role a/b", facts: {} }];
    assert.match(warningsOf(missing)[0]?.text ?? "", /'pulumi up --refresh' creates it again/);
    assert.match(warningsOf(missing, "kubecamp up")[0]?.text ?? "", /'kubecamp up --refresh' creates it again/);
    const refusal = { code: "unguarded", member: "bob", facts } as const;
    assert.match(refusalTexts([refusal]).join(), /first: pulumi up --stack camp --refresh$/);
    assert.match(refusalTexts([refusal], "kubecamp up").join(), /first: kubecamp up --stack camp --refresh$/);
  });
});

describe("a refusal", () => {
  it("makes each refusal a paragraph of its own, with whom that is about", () => {
    const foreign = { code: "foreign", object: "namespace 'bob'", facts: { adopts: false } } as const;
    assert.deepEqual(
      refusalTexts([
        { ...foreign, member: "bob", facts: { adopts: true, stack: "prod" } },
        { code: "namespaceEnding", member: "eve", facts: {} },
        foreign,
      ]),
      [
        "member 'bob': namespace 'bob' belongs to stack 'prod', which would delete it one day: adopt can't take it over; " +
          "a member can be in one stack only: choose another name, or remove the member from that stack first",
        "member 'eve': namespace 'eve' is still being deleted; wait until it is gone, then run again",
        "namespace 'bob' exists already and is not kubecamp's; delete it if nobody needs it",
      ],
    );
  });
});
