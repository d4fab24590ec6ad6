import assert from "node:assert/strict";
import { codeIn, type Finding, findingsIn, textsOf, warningTitles } from "../../../../plan/messages/catalogue.ts";

describe("what a warning says", () => {
  const byObject = ["changedByHand", "offline", "unchecked", "serviceMended"];
  const codes = Object.keys(warningTitles) as (keyof typeof warningTitles)[];

  for (const code of codes) {
    it(`is read again as it was found (${code})`, () => {
      const named = (name: string) => (byObject.includes(code) ? { object: name } : { member: name });
      const findings: Finding[] = [
        { code, ...named("bob"), text: "no Service 'bob-svc': none at all" },
        { code, ...named("carol"), text: "two of them (1 Gi); and a route" },
        { code, ...named("Role/zoe"), text: "" },
      ];
      for (const some of [findings, findings.slice(0, 1)]) {
        const [text = "", ...others] = textsOf(some);
        assert.deepEqual(others, []);
        assert.equal(codeIn(text), code);
        assert.deepEqual(findingsIn(text), some);
      }
    });
  }

  it("is read again of many of whom one line tells, without what explains it", () => {
    const names = Array.from({ length: 300 }, (_, index) => `m${index}`);
    const findings: Finding[] = [
      { code: "leaving", member: "bob", text: "route https://camp.example.org/bob; access (1 binding)" },
      { code: "leaving", members: names, text: "with 3 unfinished pods and no PersistentVolumeClaims" },
    ];
    const [text = ""] = textsOf([...findings, { code: "leaving", text: "Nothing moves over." }]);
    assert.match(text, /^Nothing moves over\.$/m);
    assert.deepEqual(findingsIn(text), findings);
  });

  it("is one text for each matter, and its code alone where nothing below it is read", () => {
    const findings: Finding[] = [
      { code: "expires", member: "bob", text: "on 2026-06-15 (today)" },
      { code: "unserved", text: "Gateway 'a/b' does not exist" },
      { code: "expires", member: "eve", text: "on 2026-06-16 (in 1 day)" },
      { code: "moves", text: "1 member is still where they were before kubecamp:shards was changed, and so on" },
    ];
    const texts = textsOf(findings);
    assert.deepEqual(texts.slice(0, 2), [
      "Expires soon: bob on 2026-06-15 (today), eve on 2026-06-16 (in 1 day)",
      "Gateway 'a/b' does not exist",
    ]);
    assert.deepEqual(texts.map(codeIn), [undefined, undefined, "moves"]);
    assert.deepEqual(texts.flatMap(findingsIn), []);
  });
});
