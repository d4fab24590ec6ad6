import assert from "node:assert/strict";
import { readSnapshot, refuse } from "../../../components/inspect.ts";
import { stackLabel } from "../../../config/names/labels.ts";
import { clusterRoleBinding, roleBinding } from "../../../objects/rbac/bindings.ts";
import { planFrom, runFor as planRun } from "../../../plan/decide/run.ts";
import { type Target, targetsOf } from "../../../plan/decisions/target.ts";
import { type KnownState, knownState } from "../../../plan/live/knownState.ts";
import { unguarded } from "../../../plan/members/missing.ts";
import { policyObjectsOf, sharedObjects } from "../../../plan/rows/manifest.ts";
import { refusalTexts } from "../../../plan/words/catalogue.ts";
import { json, kubeSystem, metadataList, useApiServer } from "../cluster/fakeApiServer.ts";
import { inhabitedBy } from "../cluster/leaving.ts";
import { planOf } from "../plan/planned.ts";
import { alice, bob, labelsOf, settings } from "../samples.ts";

describe("a run with a target", () => {
  const server = useApiServer();
  const list = [alice, bob];
  const namespace = (name: string, labels: object = labelsOf(name)) => ({ metadata: { name, uid: name, labels } });
  const controllers = namespace(settings.route.namespace, {});
  let state: KnownState | undefined;
  const runFor = async (target: Partial<Target>, ...namespaces: object[]) => {
    const items = [kubeSystem, controllers, ...namespaces];
    // The whole objects are read where one of them is being deleted.
    server.answers("namespaces", json(metadataList(...items)), json({ kind: "NamespaceList", items }));
    const now = new Date();
    const configuration = { settings, members: list };
    const plan = planFrom(configuration, await readSnapshot(configuration, "up", {}, now), state, now);
    const run = planRun(plan, { members: [], isWhole: false, removedMembers: [], waits: false, ...target }, state);
    refuse(run);
    return run;
  };
  const inForce = (kind: string, isThere: (name: string) => boolean = () => true) => {
    const items = policyObjectsOf({ shared: sharedObjects(settings) }).flatMap((object) =>
      object.kind === kind && isThere(object.args.metadata.name) ? [object.args] : [],
    );
    server.answers(`${kind.toLowerCase().replace(/y$/, "ie")}s`, json({ kind: `${kind}List`, items }));
  };
  beforeEach(() => {
    inForce("ValidatingAdmissionPolicy");
    inForce("ValidatingAdmissionPolicyBinding");
  });
  const four = ["eva", "fay", "gus", "hal"];
  const living = four.map((name) => namespace(name));

  it("removes nobody where more leave in all than a run may remove, however few a run targets", async () => {
    await assert.rejects(
      runFor({ removedMembers: ["eva"] }, ...living),
      /4 members are no longer in the list; a run may/,
    );
    const { target } = await runFor({ removedMembers: ["eva"] }, ...living.slice(0, 3));
    assert.deepEqual(target.removedMembers, ["eva"]);
  });

  it("gives nobody access while a policy or binding is missing that guards members", async () => {
    const refused =
      /member 'bob' gets no access while .* \(ValidatingAdmissionPolicy(Binding)? kubecamp-pods-dev\); .*: pulumi up --stack dev --refresh/;
    for (const kind of ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"]) {
      inForce(kind, (name) => name !== "kubecamp-pods-dev");
      await assert.rejects(runFor({ members: [bob] }), refused);
      inForce(kind);
    }
  });

  it("serves members with access, and those who are to have none, whatever policy is missing", async () => {
    const bindings = bob.type.others === "none" ? [] : [clusterRoleBinding(bob, bob.type.others, settings)];
    const missing = () => {
      inForce("ValidatingAdmissionPolicy", (name) => name !== "kubecamp-pods-dev");
      server.answers("rolebindings", json({ kind: "RoleBindingList", items: [roleBinding(bob, settings)] }));
      server.answers("clusterrolebindings", json({ kind: "ClusterRoleBindingList", items: bindings }));
    };
    missing();
    assert.deepEqual((await runFor({ members: [bob] }, namespace("bob"))).target.members, [bob]);
    const resting = { ...bob, standing: "suspended" as const };
    assert.deepEqual(refusalTexts(unguarded(planOf([resting], settings, inhabitedBy("bob")))), []);
  });

  it("keeps targets for the engine where it registers nothing of a member whose namespace is ending", async () => {
    state = knownState({ deployment: { resources: [] } });
    const metadata = { ...namespace("bob").metadata, deletionTimestamp: "2026-01-01T00:00:00Z" };
    const { target, asked } = await runFor({ members: [bob] }, { metadata });
    state = undefined;
    assert.deepEqual([target.members, targetsOf(asked)?.length], [[], 2]);
  });

  it("removes nobody in a targeted run who is protected, somebody else's by now, or nobody's", async () => {
    const labelled = (labels: object) => runFor({ removedMembers: ["eva"] }, namespace("eva", labels));
    await assert.rejects(labelled({ ...labelsOf("eva"), "kubecamp.dev/protected": "true" }), /protected member/);
    await assert.rejects(
      labelled({ ...labelsOf("eva"), [stackLabel]: "prod" }),
      /'eva' is no longer in the list.*it has the label kubecamp.dev\/stack: prod\.\n.*kubectl label namespace eva kubecamp.dev\/stack=dev/,
    );
    await assert.rejects(labelled({}), /has lost the label kubecamp.dev\/stack/);
    // A refusal does not keep an object that is being deleted.
    const gone = { metadata: { ...namespace("eva", {}).metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    assert.deepEqual((await runFor({ removedMembers: ["eva"] }, gone)).target.removedMembers, ["eva"]);
  });
});
