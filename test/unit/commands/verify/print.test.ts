import assert from "node:assert/strict";
import { verificationJson, verificationMarkdown, verificationText } from "../../../../commands/verify/print.ts";
import { broken, held, type Outcome, proofsOf, unproven } from "../../../../verify/outcome.ts";

const trial = (promise: string, by: string, outcome: Outcome) => ({
  promise,
  page: "docs/security/network.md#limits",
  by,
  outcome,
});
const nothingRan = unproven("no container ran");
const verification = {
  stack: "prod",
  server: "https://k8s.example.org:6443",
  kubernetes: "v1.36.1",
  kubecamp: "1.0.0",
  at: "2026-11-30T12:00:00.000Z",
  settings: "0123456789ab",
  proofs: [
    ...proofsOf("admission", [
      trial("Services lead to own pods", "a user", broken("made an ExternalName", "it was accepted")),
      trial("Services lead to own pods", "a guest", broken("made an ExternalName", "it was accepted")),
      trial("Services lead to own pods", "a user", held),
      trial("Pods run as they should", "a user", held),
      trial("Pods run as they should", "ClusterRoleBinding x", { is: "held", accepted: "everybody may y (a reason)" }),
    ]),
    ...proofsOf("network", [
      trial("Pods reach each other", "a user", nothingRan),
      trial("Pods reach no | other", "a user", nothingRan),
    ]),
  ],
};

describe("what kubecamp verify prints", () => {
  it("is a table, then what is broken, then what is not proven by reason", () => {
    assert.equal(
      verificationText(verification, 80),
      `\
Stack prod: 1 held, 1 broken, 2 not proven
2026-11-30T12:00:00.000Z, https://k8s.example.org:6443 (Kubernetes v1.36.1),
kubecamp 1.0.0, settings 0123456789ab

PART       RESULT      PROMISE
admission  BROKEN      Services lead to own pods
admission  held        Pods run as they should
network    not proven  Pods reach each other
network    not proven  Pods reach no | other

BROKEN: Services lead to own pods
  a user, a guest: made an ExternalName: it was accepted
  What to do: docs/security/network.md#limits

not proven, by a user: no container ran
  Pods reach each other (docs/security/network.md#limits)
  Pods reach no | other (docs/security/network.md#limits)

accepted: Pods run as they should
  ClusterRoleBinding x: everybody may y (a reason)`,
    );
  });

  it("is a table of Markdown for a ticket", () => {
    const text = verificationMarkdown(verification);
    assert.match(text, /^### Stack prod: 1 held, 1 broken, 2 not proven\n/);
    assert.match(text, /^\| admission \| \*\*broken\*\* \| Services lead to own pods \|$/m);
    assert.match(text, /^\| network \| not proven \| Pods reach no \\\| other \|$/m);
    assert.match(text, /^\*\*accepted: Pods run as they should\*\*\n\n- ClusterRoleBinding x: everybody may y/m);
    assert.match(text, /^\*\*BROKEN: Services lead to own pods\*\*\n\n- a user, a guest: made an ExternalName/m);
  });

  it("has in JSON the trials of each promise, and what came", () => {
    assert.deepEqual(verificationJson(verification).proofs[0], {
      part: "admission",
      promise: "Services lead to own pods",
      page: "docs/security/network.md#limits",
      result: "broken",
      trials: 3,
      details: ["a user", "a guest"].map((by) => ({
        by,
        is: "broken",
        tried: "made an ExternalName",
        came: "it was accepted",
      })),
    });
    assert.deepEqual(verificationJson(verification).proofs[1]?.details, [
      { by: "ClusterRoleBinding x", is: "held", accepted: "everybody may y (a reason)" },
    ]);
  });
});
