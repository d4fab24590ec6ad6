import assert from "node:assert/strict";
import { objectKey } from "../../../../cluster/kinds/objectName.ts";
import type { ManagedKind, ManagedObject } from "../../../../cluster/read/snapshot.ts";
import type { Declared } from "../../../../objects/declared.ts";
import { namespace } from "../../../../objects/namespace.ts";
import { networkPolicy } from "../../../../objects/networkPolicy.ts";
import { roleBinding } from "../../../../objects/rbac/bindings.ts";
import { clusterRole } from "../../../../objects/rbac/clusterRole.ts";
import { role } from "../../../../objects/rbac/role.ts";
import { resourceQuota } from "../../../../objects/resourceQuota.ts";
import { waysOf } from "../../../../objects/route/drivers/drivers.ts";
import { ingress } from "../../../../objects/route/ingress.ts";
import { Drift } from "../../../../plan/live/drift.ts";
import { liveService } from "../../cluster/liveService.ts";
import { bob, labelsOf, routeAt, settings } from "../../samples.ts";
import { applied, compared, planOf, textOf } from "../planned.ts";

const binding = roleBinding(bob, settings);
const policy = networkPolicy(bob, settings);
const quota = resourceQuota(bob, settings);
const home = namespace(bob, settings);

/** An object on the API server, with a change by hand. */
const live = (declared: Declared, change: Partial<ManagedObject> = {}) =>
  applied("Namespace", declared, { resourceVersion: "1001", ...change });
/** Mark of what was declared and has not been written over since. */
const digestOf = (declared: Declared) => live(declared).applied ?? "";
const restored = (declared: Declared) => `${digestOf(declared)}.1001`;
const driftOf = (kind: ManagedKind, { metadata }: Declared, managedObject: ManagedObject) =>
  new Drift({ managedObjects: new Map([[objectKey(kind, metadata.name, metadata.namespace), managedObject]]) });
const markOf = (kind: ManagedKind, declared: Declared, drift: Drift) =>
  drift.marked(compared(kind, declared)).metadata.annotations?.["kubecamp.dev/applied"];
/** The mark that a run leaves on a changed object, without the trace of the changes, and its warning. */
const seen = (kind: ManagedKind, declared: Declared, change: Partial<ManagedObject> = {}, before = declared) => {
  const drift = driftOf(kind, declared, live(before, change));
  return [markOf(kind, declared, drift)?.split(".").slice(0, 2).join("."), textOf(drift.findings)];
};
const byHand = (what: string) => `Changed by hand; 'pulumi up' restores it:\n  ${what}`;
const anybody = { kind: "Group", name: "system:authenticated", apiGroup: "rbac.authorization.k8s.io" };
const opened = { content: { ...binding, subjects: [...binding.subjects, anybody] } };

describe("drift", () => {
  it("marks an object with a digest of what is declared, and leaves the rest alone", () => {
    const { metadata, ...marked } = new Drift({ managedObjects: new Map() }).marked(compared("RoleBinding", binding));
    assert.deepEqual(marked, { roleRef: binding.roleRef, subjects: binding.subjects });
    const { annotations, ...named } = metadata as typeof metadata & { annotations: Record<string, string> };
    assert.deepEqual(named, { name: "kubecamp-edit", namespace: "bob", labels: labelsOf("bob") });
    const { "kubecamp.dev/applied": mark = "", ...others } = annotations;
    assert.match(mark, /^[0-9a-f]{16}$/);
    assert.deepEqual(others, binding.metadata.annotations);
  });

  it("finds no drift while the live object is as declared, and keeps the mark", () => {
    for (const applied of [digestOf(binding), `${digestOf(binding)}.77`]) {
      assert.deepEqual(seen("RoleBinding", binding, { applied }), [applied, undefined]);
    }
  });

  it("marks a drifted object with the resourceVersion to write over, again and again", () => {
    for (const applied of [digestOf(binding), `${digestOf(binding)}.77`, undefined]) {
      const expected = [restored(binding), byHand("RoleBinding bob/kubecamp-edit")];
      assert.deepEqual(seen("RoleBinding", binding, { ...opened, applied }), expected);
    }
  });

  it("finds no drift in what the configuration changed: the mark changes, and nobody is warned", () => {
    const larger = resourceQuota({ ...bob, limits: { ...bob.limits, maxCpuMillicores: 4000 } }, settings);
    assert.deepEqual(seen("ResourceQuota", larger, {}, quota), [restored(larger), undefined]);
  });

  it("finds drift in annotations that are declared, and in no others", () => {
    const verified = { ...home, metadata: { ...home.metadata, annotations: { verify: "on" } } };
    const warningOf = (annotations: Record<string, string>) => seen("Namespace", verified, { annotations })[1];
    assert.equal(warningOf({ verify: "on", other: "x" }), undefined);
    assert.deepEqual([{ verify: "off" }, {}].map(warningOf), Array(2).fill(byHand("Namespace bob")));
  });

  describe("that the last run restored", () => {
    const enforce = "pod-security.kubernetes.io/enforce";
    const by = (value: string | undefined): Partial<ManagedObject> => {
      const { [enforce]: _, ...others } = home.metadata.labels;
      return { labels: value === undefined ? others : { ...others, [enforce]: value } };
    };
    const marks = (change: Partial<ManagedObject>) =>
      markOf("Namespace", home, driftOf("Namespace", home, live(home, change)));
    /** What is told of a change that a run has restored from another one, under its mark. */
    const told = (change: Partial<ManagedObject>, applied: string | undefined) => {
      const drift = driftOf("Namespace", home, live(home, { ...change, applied, resourceVersion: "1002" }));
      assert.match(markOf("Namespace", home, drift) ?? "", /\.1002\./);
      return textOf(drift.findings);
    };
    const title =
      "Restored by the last run, and did not stay: a webhook, a policy or another program sets it again. Find and stop that:\n";

    it("tells with field and value what the last run restored in vain, and tries again", () => {
      const added = { labels: { ...home.metadata.labels, "kubecamp.dev/protected": "true" } };
      for (const [change, what] of [
        [by("privileged"), `${enforce} is "privileged", declared "baseline"`],
        [by(undefined), `${enforce} is gone, declared "baseline"`],
        [added, 'kubecamp.dev/protected is "true", which nobody declares'],
      ] as const) {
        assert.equal(told(change, marks(change)), `${title}  Namespace bob: label ${what}`);
      }
    });

    it("tells a field that did not stay by its name alone where it is no label", () => {
      const fields = [
        { field: "annotation kubecamp.dev/entry", live: '"hidden"', declared: '"hidden too"' },
        { field: "annotation example.org/x", live: '"hidden"', declared: undefined },
        { field: "data.key", live: undefined, declared: '"hidden"' },
      ];
      assert.equal(
        textOf([{ code: "notKept", object: "Role bob/x", facts: { fields } }]),
        `${title}  Role bob/x: annotation kubecamp.dev/entry is not as declared, ` +
          "annotation example.org/x is set, which nobody declares, data.key is gone",
      );
    });

    it("tells another drift than the one restored last, or of another declaration, as by hand", () => {
      for (const mark of [marks(by("restricted")), digestOf(home)]) {
        assert.equal(told(by("privileged"), mark), byHand("Namespace bob"));
      }
    });
  });

  it("puts back without a word a binding that a failed run has left without anybody", () => {
    const content = { ...binding, subjects: [] };
    assert.deepEqual(seen("RoleBinding", binding, { content }), [restored(binding), undefined]);
  });

  it("tells what else to do about drift where applying an object again is not enough", () => {
    const roleRef = { ...binding.roleRef, kind: "ClusterRole", name: "admin" };
    const bound = seen("RoleBinding", binding, { content: { ...binding, roleRef } });
    assert.match(bound[1] ?? "", /RoleBinding bob\/kubecamp-edit: it is bound to another role, .* --refresh/);
    const content = { rules: [], aggregationRule: {} };
    const aggregated = seen("ClusterRole", clusterRole("view", settings), { content });
    assert.match(aggregated[1] ?? "", /ClusterRole kubecamp:dev:view: it has an aggregationRule; .* 'kubectl edit'/);
  });

  const spec = (change: object) => ({ content: { spec: { ...policy.spec, ...change } } });
  const hard = (change: object) => ({ content: { spec: { hard: { ...quota.spec.hard, ...change } } } });

  it("finds drift in whatever widens what a member may do", () => {
    const rights = role(bob, settings);
    const [first] = rights.rules;
    const roleRef = { ...binding.roleRef, kind: "ClusterRole", name: "admin" };
    const privileged = { ...home.metadata.labels, "pod-security.kubernetes.io/enforce": "privileged" };
    const changes: readonly (readonly [ManagedKind, Declared, Partial<ManagedObject>])[] = [
      ["Role", rights, { content: { rules: [...rights.rules, first] } }],
      ["NetworkPolicy", policy, spec({ ingress: [...policy.spec.ingress, {}] })],
      ["NetworkPolicy", policy, spec({ policyTypes: ["Ingress"] })],
      ["RoleBinding", binding, { content: { ...binding, roleRef } }],
      ["ResourceQuota", quota, hard({ "limits.cpu": "64" })],
      ["Namespace", home, { labels: privileged }],
    ];
    for (const [kind, declared, change] of changes) {
      assert.equal(seen(kind, declared, change)[0], restored(declared), JSON.stringify(change));
    }
  });

  describe("is what somebody has put beside the declared, where kubecamp or an ingress controller goes by it", () => {
    const door = ingress(
      "bob",
      { member: bob, route: routeAt("camp.example.org", "/bob"), settings },
      waysOf("ingress-nginx"),
    );
    const nginx = "nginx.ingress.kubernetes.io";
    const withMarks = (declared: Declared, labels: object, annotations: object) => {
      const made = live(declared);
      return { ...made, labels: { ...made.labels, ...labels }, annotations: { ...made.annotations, ...annotations } };
    };
    const addedTo = (kind: ManagedKind, declared: Declared, drift: Drift) =>
      drift.of(compared(kind, declared)).difference.added;
    const toDoor = (managedObject: ManagedObject) => addedTo("Ingress", door, driftOf("Ingress", door, managedObject));

    it("finds each added label and annotation, by name, and none that is nobody's business", () => {
      const others = { "cert-manager.io/issuer": "x", "field.cattle.io/publicEndpoints": "[]", note: "x" };
      const snippet = { [`${nginx}/configuration-snippet`]: "return 200;", [`${nginx}/rewrite-target`]: "/$2" };
      const changed = withMarks(door, { "kubecamp.dev/type": "admin" }, { ...snippet, ...others });
      const keys = `label kubecamp.dev/type, annotation ${nginx}/configuration-snippet, annotation ${nginx}/rewrite-target`;
      const warning = byHand(`Ingress ingress-nginx/bob: removes what nobody declares: ${keys}`);
      assert.deepEqual(seen("Ingress", door, changed), [restored(door), warning]);
      assert.deepEqual(toDoor(changed), { labels: ["kubecamp.dev/type"], annotations: Object.keys(snippet) });
      const left = withMarks(door, { team: "a" }, others);
      assert.equal(seen("Ingress", door, left)[0], digestOf(door));
      assert.equal(toDoor(left), undefined);
    });

    it("finds any controller's added annotations, and on a namespace kubecamp's own labels alone", () => {
      for (const key of ["traefik.ingress.kubernetes.io/router.tls", "haproxy.org/auth-type", "projectcontour.io/x"]) {
        assert.deepEqual(toDoor(withMarks(door, {}, { [key]: "x" })), { labels: [], annotations: [key] });
      }
      const slept = {
        "kubecamp.dev/slept": "2026-11-26T19:00:00Z",
        "kubecamp.dev/adopt": "dev",
        "kubecamp.dev/awake-until": "2026-11-26T22:00:00Z",
        // Without it, a member could wake again and again.
        "kubecamp.dev/own-wakes": "2026-11-26T20:00:00Z",
      };
      const handed = {
        "kubecamp.dev/former-stacks": "prod",
        "kubecamp.dev/notices": "[]",
        [`${nginx}/rewrite-target`]: "/",
      };
      const changed = withMarks(
        home,
        { "kubecamp.dev/protected": "true", "labels.kubecamp.dev/course": "x" },
        { ...slept, ...handed },
      );
      const added = addedTo("Namespace", home, driftOf("Namespace", home, changed));
      assert.deepEqual(added, { labels: ["kubecamp.dev/protected", "labels.kubecamp.dev/course"], annotations: [] });
    });

    it("finds nothing added by an earlier run, nor a controller's on what is still taken over", () => {
      const target = { [`${nginx}/rewrite-target`]: "/$2" };
      const annotations = { ...door.metadata.annotations, ...target };
      assert.equal(toDoor(live({ ...door, metadata: { ...door.metadata, annotations } })), undefined);
      const managedObjects = new Map([
        ["Ingress ingress-nginx/bob", withMarks(door, { "kubecamp.dev/type": "x" }, target)],
      ]);
      const services = new Map([["bob/bob-svc", liveService()]]);
      const plan = planOf([{ ...bob, adopt: true }], settings, { managedObjects, services });
      const added = addedTo("Ingress", door, new Drift(plan.snapshot, plan.members));
      assert.deepEqual(added, { labels: ["kubecamp.dev/type"], annotations: [] });
    });
  });

  it("finds no drift in what server-side apply leaves to others: labels, a quota's resources", () => {
    const labels = { ...labelsOf("bob"), team: "a" };
    assert.equal(seen("RoleBinding", binding, { labels })[0], digestOf(binding));
    assert.equal(seen("ResourceQuota", quota, hard({ "requests.ephemeral-storage": "3" }))[0], digestOf(quota));
  });
});
