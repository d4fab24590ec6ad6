import assert from "node:assert/strict";
import { reportOf } from "../../../../../commands/report/build.ts";
import { alarmsIn } from "../../../../../commands/report/print/summary.ts";
import { differenceText } from "../../../../../commands/report/print/words.ts";
import { mergedDigest } from "../../../../../commands/up/mergedPreview.ts";
import { preview, type SampleStep, urn } from "../previews.ts";

const bindingType = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding";
const quotaType = "kubernetes:core/v1:ResourceQuota";
const homeType = "kubernetes:core/v1:Namespace";
const component = "kubecamp:index:MemberEnvironment";
const user = { kind: "User", name: "oidc:alice" };

/** Objects of alice's, as a stack declares them. */
const of = (stack: string) => {
  const labels = { "kubecamp.dev/member": "alice", "kubecamp.dev/stack": stack };
  return {
    component: { urn: urn(component, "alice"), inputs: {} },
    home: { urn: urn(homeType, "alice/namespace"), inputs: { kind: "Namespace", metadata: { name: "alice", labels } } },
    quota: (cpu: string) => ({
      urn: urn(quotaType, "alice/quota"),
      inputs: {
        kind: "ResourceQuota",
        metadata: { name: "quota", namespace: "alice", labels },
        spec: { hard: { "limits.cpu": cpu } },
      },
    }),
    view: (...subjects: readonly object[]) => ({
      urn: urn(bindingType, "alice/others/view"),
      inputs: {
        kind: "ClusterRoleBinding",
        metadata: { name: `kubecamp:${stack}:alice:view`, labels },
        roleRef: { kind: "ClusterRole", name: `kubecamp:${stack}:view` },
        subjects,
      },
    }),
  };
};
type Declared = ReturnType<ReturnType<typeof of>["view"]> | { readonly urn: string; readonly inputs: object };

const made = ({ urn, inputs }: Declared): SampleStep => ({ op: "create", urn, newState: { inputs } });
const gone = ({ urn, inputs }: Declared): SampleStep => ({ op: "delete", urn, oldState: { inputs } });
const same = ({ urn, inputs }: Declared): SampleStep => ({
  op: "same",
  urn,
  oldState: { inputs },
  newState: { inputs },
});
const edited = (before: Declared, after: Declared): SampleStep => ({
  op: "update",
  urn: after.urn,
  oldState: { inputs: before.inputs },
  newState: { inputs: after.inputs },
});

/** One report of two stacks of a family. */
function reported(first: readonly SampleStep[], second: readonly SampleStep[]) {
  const previews = [first, second].map((steps, at) => {
    const stack = `prod-${at}`;
    const own = steps.map((step) => ({ ...step, urn: step.urn.replace(":dev:", `:${stack}:`) }));
    return { stack, digest: preview(own), failure: undefined };
  });
  return reportOf(mergedDigest(previews), { stack: "prod", isOfShards: true });
}
const [one, two] = [of("prod-0"), of("prod-1")];
const lines = ({ changing }: ReturnType<typeof reported>) =>
  changing.flatMap(({ member, differences }) => differences.map((each) => `${member}: ${differenceText(each)}`));

describe("who has moved to another shard, in a report", () => {
  it("does not leave: what the new stack has is no deletion, and all else of theirs is told", () => {
    const report = reported(
      [gone(one.view(user)), gone(one.component)],
      [same(two.component), edited(one.home, two.home), edited(one.quota("1"), two.quota("2")), made(two.view(user))],
    );
    assert.deepEqual([report.leaving, report.joining], [[], []]);
    assert.deepEqual(lines(report), [
      "alice: stack prod-0 → prod-1",
      "alice: view of others none → view",
      "alice: CPU 1 → 2",
    ]);
    assert.deepEqual(report.access, [{ member: "alice", where: ["view of others view"], who: ["oidc:alice"] }]);
    assert.deepEqual(alarmsIn(report), []);
  });

  it("ends what the new stack does not have", () => {
    const rest = [gone(one.view(user)), gone(one.component)];
    assert.deepEqual(lines(reported(rest, [same(two.component), same(two.home)])), [
      "alice: stack prod-0 → prod-1",
      "alice: view of others view → none",
    ]);
  });

  it("leaves all the same where no other stack has anything of theirs", () => {
    const { leaving, changing } = reported([gone(one.home), gone(one.component)], []);
    assert.deepEqual([leaving.map(({ member }) => member), changing], [["alice"], []]);
  });
});
