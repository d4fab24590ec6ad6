import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Document, isScalar, visit } from "yaml";
import { fillIn } from "../../../../objects/admission/confined/fillIn.ts";
import { fullStack, parsed } from "../../plan/invariants/configurations.ts";
import { policiesOf } from "../../policies.ts";

/** The policies of a stack that has all of them, as `kubectl get -o yaml` shows them: what a change does to them, a diff shows. */
const folder = join(import.meta.dirname, "policies");

const configured = parsed(fullStack("ingress-nginx"));
const { settings } = "configuration" in configured ? configured.configuration : assert.fail();
const apiVersion = "admissionregistration.k8s.io/v1";
const all = [
  ...policiesOf(settings).map(({ name, policy }) => ({
    name,
    policy: { apiVersion, kind: "ValidatingAdmissionPolicy", ...policy },
  })),
  { name: "fill-in", policy: { apiVersion, kind: "MutatingAdmissionPolicy", ...fillIn(settings) } },
];

/** Short lists are on one line, as there are many. */
function textOf(policy: object): string {
  const document = new Document(policy, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, list) => {
      list.flow = list.items.every((item) => isScalar(item));
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

describe("the text of admission policies", () => {
  for (const { name, policy } of all) {
    it(`of ${name} is as in policies/${name}.yaml, which KUBECAMP_WRITE_POLICIES=1 writes anew`, () => {
      const file = join(folder, `${name}.yaml`);
      const text = textOf(policy);
      if (process.env.KUBECAMP_WRITE_POLICIES === "1") {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, text);
      }
      assert.equal(existsSync(file) ? readFileSync(file, "utf8") : "", text);
    });
  }

  it("is kept of no other policy", () => {
    const kept = globSync("*.yaml", { cwd: folder }).map((file) => basename(file, ".yaml"));
    assert.deepEqual(kept.sort(), all.map(({ name }) => name).sort());
  });
});
