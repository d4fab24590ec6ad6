import assert from "node:assert/strict";
import { markdownOf } from "../../../../commands/report/print/markdown.ts";
import { jsonOf, textOf } from "../../../../commands/report/show.ts";
import { reportOn, urn } from "./previews.ts";

/** Every secret of the sample has this in it. */
const word = "hunter2";

const secretUrn = urn("kubernetes:core/v1:Secret", "access/backend-ca");
const secret = (value: string, metadata: object = {}) => ({
  inputs: {
    kind: "Secret",
    type: "Opaque",
    metadata: { name: "backend-ca", namespace: "ingress-nginx", ...metadata },
    data: { "ca.crt": value },
    stringData: { plain: value },
  },
});
const role = (rules: unknown, more: object = {}) => ({
  inputs: { kind: "ClusterRole", metadata: { name: "kubecamp:dev:view", annotations: { ...more } }, rules },
});
/** A secret as Pulumi serialises one where it does not merely write `[secret]`. */
const wrapped = (value: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});
const copy = "kubectl.kubernetes.io/last-applied-configuration";

const steps = [
  { op: "update", urn: secretUrn, old: secret(`${word}-a`), new: secret(`${word}-b`) },
  {
    op: "update",
    urn: urn("kubernetes:rbac.authorization.k8s.io/v1:ClusterRole", "access/view"),
    old: role([wrapped(`${word}-a`)], { [copy]: `{"data":"${word}"}`, one: wrapped(word) }),
    new: role([{ verbs: wrapped(`${word}-b`) }], { one: `[secret]${word}` }),
  },
  {
    op: "update",
    urn: urn("pulumi:providers:kubernetes", "cluster"),
    old: { inputs: { kubeconfig: `${word}-a`, context: "a" } },
    new: { inputs: { kubeconfig: `${word}-b`, context: "b" } },
  },
  { op: "create", urn: urn("kubernetes:core/v1:Secret", "access/other"), new: secret(word) },
  {
    op: "replace",
    urn: urn("kubernetes:core/v1:Secret", "access/third"),
    old: secret(word),
    new: secret(`${word}-b`, { labels: { one: wrapped(word) } }),
  },
];

describe("secrets", () => {
  const report = reportOn(steps);
  const outputs = { text: textOf(report, 80), markdown: markdownOf(report), json: JSON.stringify(jsonOf(report)) };

  for (const [form, output] of Object.entries(outputs)) {
    it(`leaves secrets out of the ${form}, which tells that these change`, () => {
      assert.ok(!output.includes(word), output);
      assert.match(output, /ca\.crt/);
      assert.match(output, /\(secret\)/);
    });
  }

  it("tells that a secret changes also where Pulumi shows equal values on both sides", () => {
    const both = secret("[secret]");
    const step = {
      op: "update",
      urn: secretUrn,
      old: both,
      new: both,
      detailedDiff: { "data.ca": { kind: "update" } },
    };
    assert.match(textOf(reportOn([step]), 80), /backend-ca +changed\n +Secret data\.ca changes, which is not shown/);
  });
});
