import assert from "node:assert/strict";
import { upCommand } from "../../../../config/sources/engine/upCommand.ts";
import { loggedText, refusalTexts, warningsOf } from "../../../../plan/messages/catalogue.ts";
import type { Finding, WarningCode } from "../../../../plan/messages/finding.ts";
import { linesOf, warningIn } from "../../../../plan/messages/reading.ts";
import { warningWords } from "../../../../plan/messages/warningWords.ts";
import { environmentOf } from "../../../../runs/selectedStack.ts";
import { loggedOf } from "../planned.ts";

const linesIn = (findings: readonly Finding[]) => linesOf(warningIn(loggedOf(findings)));

const reason = "no Service 'bob-svc': none at all";

describe("a warning", () => {
  it("knows a warning by the code before its words in the log, whatever these are", () => {
    for (const code of Object.keys(warningWords) as WarningCode[]) {
      const warning = { code, text: "Other words than today's:\n  bob: [pending] and so on" };
      assert.deepEqual(warningIn(loggedText(warning)), warning);
    }
    assert.equal(
      loggedOf([{ code: "closing", member: "bob", facts: { reason } }]),
      `[closing] Routes that were open, and that 'pulumi up' closes:\n  bob: ${reason}`,
    );
  });

  it("makes one warning of each matter, in the order in which the matters come first", () => {
    const findings: Finding[] = [
      { code: "expires", member: "bob", facts: { lastDay: "2026-06-15", days: 0 } },
      { code: "unserved", facts: { gateway: "a/b", state: "absent" } },
      { code: "expires", member: "eve", facts: { lastDay: "2026-06-16", days: 1 } },
      { code: "moves", member: "eve", facts: { from: "camp-0", to: "camp-1", family: "camp" } },
    ];
    assert.deepEqual(warningsOf(findings), [
      { code: "expires", text: "Expires soon: bob on 2026-06-15 (today), eve on 2026-06-16 (in 1 day)" },
      {
        code: "unserved",
        text: "Gateway 'a/b' (route.gateway) does not exist: no member's path can be reached until there is one (docs/run/gateway.md)",
      },
      {
        code: "moves",
        text:
          "1 member is still in the stack from before kubecamp:shards was changed, until " +
          "'kubecamp up --stack camp' transfers them: eve (camp-0 to camp-1)",
      },
    ]);
    assert.deepEqual(warningsOf([]), []);
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

  it("knows from the program's environment which command made the run", () => {
    assert.deepEqual([upCommand({}), upCommand(environmentOf({ folder: "." }, {}))], ["pulumi up", "kubecamp up"]);
  });
});

describe("the lines of a warning", () => {
  it("reads a warning's lines again by name, with what is said of each", () => {
    assert.deepEqual(
      linesIn([
        { code: "pending", member: "bob", facts: { reason } },
        { code: "pending", member: "carol", facts: { reason: "two of them (1 Gi); and a route\nthat goes on" } },
      ]),
      [
        { name: "bob", text: reason },
        { name: "carol", text: "two of them (1 Gi); and a route" },
      ],
    );
    const added = { labels: ["kubecamp.dev/protected"], annotations: [] };
    assert.deepEqual(
      linesIn([
        {
          code: "changedByHand",
          object: "Role/zoe",
          facts: { isRebound: false, isAggregated: false, added: undefined },
        },
        { code: "changedByHand", object: "Ingress a/b", facts: { isRebound: false, isAggregated: false, added } },
      ]),
      [
        { name: "Role/zoe", text: "" },
        { name: "Ingress a/b", text: "removes what nobody declares: label kubecamp.dev/protected" },
      ],
    );
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
