import assert from "node:assert/strict";
import { type ManagedKind, type ManagedObject, objectKey } from "../../../../cluster/read/snapshot/snapshot.ts";
import { Drift } from "../../../../plan/compare/drift.ts";
import { namespace } from "../../../../plan/objects/namespace.ts";
import { networkPolicy } from "../../../../plan/objects/networkPolicy.ts";
import { clusterRole } from "../../../../plan/objects/rbac/clusterRole.ts";
import { role } from "../../../../plan/objects/rbac/role.ts";
import { roleBinding } from "../../../../plan/objects/rbac/roleBinding.ts";
import { resourceQuota } from "../../../../plan/objects/resourceQuota.ts";
import { ingress } from "../../../../plan/objects/route/ingress.ts";
import { ingressNginx } from "../../../../plan/routes/drivers/ingressNginx.ts";
import { liveService } from "../../cluster/liveService.ts";
import { bob, labelsOf, routeAt, settings } from "../../samples.ts";
import { compared, planOf, textOf } from "../planned.ts";

const binding = roleBinding(bob, settings);
const policy = networkPolicy(bob, settings);
const quota = resourceQuota(bob, settings);
const home = namespace(bob, settings);

interface Declared {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
}

/** Mark of what was declared and has not been written over since. */
const digestOf = (declared: Declared) => markOf("Namespace", declared, new Drift({ managedObjects: new Map() })) ?? "";
/** An object on the API server, with a change by hand. */
const live = (declared: Declared, change: Partial<ManagedObject> = {}): ManagedObject => {
  const { metadata, ...content } = declared;
  return {
    labels: metadata.labels,
    annotations: metadata.annotations ?? {},
    resourceVersion: "1001",
    applied: digestOf(declared),
    content: JSON.parse(JSON.stringify(content)),
    ...change,
  };
};
const driftOf = (kind: ManagedKind, { metadata }: Declared, managedObject: ManagedObject) =>
  new Drift({ managedObjects: new Map([[objectKey(kind, metadata.name, metadata.namespace), managedObject]]) });
const wholeMarkOf = (kind: ManagedKind, declared: Declared, drift: Drift) => {
  const { metadata } = drift.marked(compared(kind, declared));
  return (metadata as { annotations?: Record<string, string> }).annotations?.["kubecamp.dev/applied"];
};
/** Without the trace of the changes. */
const markOf = (...args: Parameters<typeof wholeMarkOf>) =>
  wholeMarkOf(...args)
    ?.split(".")
    .slice(0, 2)
    .join(".");
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
      const drift = driftOf("RoleBinding", binding, live(binding, { applied }));
      assert.equal(markOf("RoleBinding", binding, drift), applied);
      assert.equal(textOf(drift.findings), undefined);
    }
  });

  it("marks a drifted object with the resourceVersion to write over, again and again", () => {
    for (const applied of [digestOf(binding), `${digestOf(binding)}.77`, undefined]) {
      const drift = driftOf("RoleBinding", binding, live(binding, { ...opened, applied }));
      assert.equal(markOf("RoleBinding", binding, drift), `${digestOf(binding)}.1001`);
      const text = textOf(drift.findings);
      assert.equal(text, "Changed by hand; 'pulumi up' restores it:\n  RoleBinding bob/kubecamp-edit");
    }
  });

  it("finds no drift in what the configuration changed: the mark changes, and nobody is warned", () => {
    const larger = resourceQuota({ ...bob, limits: { ...bob.limits, maxCpuMillicores: 4000 } }, settings);
    const drift = driftOf("ResourceQuota", larger, live(quota));
    assert.equal(markOf("ResourceQuota", larger, drift), `${digestOf(larger)}.1001`);
    assert.equal(textOf(drift.findings), undefined);
  });

  it("finds drift in annotations that are declared, and in no others", () => {
    const verified = { ...home, metadata: { ...home.metadata, annotations: { verify: "on" } } };
    const warningOf = (annotations: Record<string, string>) => {
      const drift = driftOf("Namespace", verified, live(verified, { annotations }));
      markOf("Namespace", verified, drift);
      return textOf(drift.findings);
    };
    assert.equal(warningOf({ verify: "on", other: "x" }), undefined);
    for (const annotations of [{ verify: "off" }, {}]) {
      assert.equal(warningOf(annotations), "Changed by hand; 'pulumi up' restores it:\n  Namespace bob");
    }
  });

  describe("that the last run restored", () => {
    const enforce = "pod-security.kubernetes.io/enforce";
    const by = (value: string | undefined): Partial<ManagedObject> => {
      const { [enforce]: _, ...others } = home.metadata.labels;
      return { labels: value === undefined ? others : { ...others, [enforce]: value } };
    };
    const marks = (change: Partial<ManagedObject>) =>
      wholeMarkOf("Namespace", home, driftOf("Namespace", home, live(home, change)));
    const told = (change: Partial<ManagedObject>) => {
      const drift = driftOf("Namespace", home, live(home, change));
      assert.match(wholeMarkOf("Namespace", home, drift) ?? "", /\.1002\./);
      return textOf(drift.findings);
    };
    const title =
      "Restored by the last run, and did not stay: a webhook, a policy or another program sets it again. Find and stop that:\n";

    it("tells with field and value what the last run restored in vain, and tries again", () => {
      const next = (value: string | undefined) => ({
        ...by(value),
        applied: marks(by(value)),
        resourceVersion: "1002",
      });
      assert.equal(
        told(next("privileged")),
        `${title}  Namespace bob: label ${enforce} is "privileged", declared "baseline"`,
      );
      assert.equal(told(next(undefined)), `${title}  Namespace bob: label ${enforce} is gone, declared "baseline"`);
      const added = { labels: { ...home.metadata.labels, "kubecamp.dev/protected": "true" } };
      const text = told({ ...added, applied: marks(added), resourceVersion: "1002" });
      assert.equal(text, `${title}  Namespace bob: label kubecamp.dev/protected is "true", which nobody declares`);
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
      const other = "Changed by hand; 'pulumi up' restores it:\n  Namespace bob";
      const next = { ...by("privileged"), resourceVersion: "1002" };
      assert.equal(told({ ...next, applied: marks(by("restricted")) }), other);
      assert.equal(told({ ...next, applied: digestOf(home) }), other);
    });
  });

  it("puts back without a word a binding that a failed run has left without anybody", () => {
    const drift = driftOf("RoleBinding", binding, live(binding, { content: { ...binding, subjects: [] } }));
    assert.match(markOf("RoleBinding", binding, drift) ?? "", /\.1001$/);
    assert.equal(textOf(drift.findings), undefined);
  });

  it("tells what else to do about drift where applying an object again is not enough", () => {
    const roleRef = { ...binding.roleRef, kind: "ClusterRole", name: "admin" };
    const bound = driftOf("RoleBinding", binding, live(binding, { content: { ...binding, roleRef } }));
    bound.marked(compared("RoleBinding", binding));
    assert.match(
      textOf(bound.findings) ?? "",
      /RoleBinding bob\/kubecamp-edit: it is bound to another role, .* --refresh/,
    );
    const view = clusterRole("view", settings);
    const aggregated = driftOf("ClusterRole", view, live(view, { content: { rules: [], aggregationRule: {} } }));
    aggregated.marked(compared("ClusterRole", view));
    assert.match(
      textOf(aggregated.findings) ?? "",
      /ClusterRole kubecamp:dev:view: it has an aggregationRule; .* 'kubectl edit'/,
    );
  });

  describe("is seen where", () => {
    const rights = role(bob, settings);
    const [first] = rights.rules;
    const seen: Record<string, [ManagedKind, Declared, Partial<ManagedObject>]> = {
      "a rule was appended": ["Role", rights, { content: { rules: [...rights.rules, first] } }],
      "everybody was let in": ["NetworkPolicy", policy, spec({ ingress: [...policy.spec.ingress, {}] })],
      "a direction was left out": ["NetworkPolicy", policy, spec({ policyTypes: ["Ingress"] })],
      "another role is bound": [
        "RoleBinding",
        binding,
        { content: { ...binding, roleRef: { ...binding.roleRef, kind: "ClusterRole", name: "admin" } } },
      ],
      "a limit was raised": ["ResourceQuota", quota, hard({ "limits.cpu": "64" })],
      "a namespace's Pod Security was lifted": [
        "Namespace",
        home,
        { labels: { ...home.metadata.labels, "pod-security.kubernetes.io/enforce": "privileged" } },
      ],
    };
    for (const [what, [kind, declared, change]] of Object.entries(seen)) {
      it(`finds drift where ${what}`, () => {
        const drift = driftOf(kind, declared, live(declared, change));
        assert.equal(markOf(kind, declared, drift), `${digestOf(declared)}.1001`);
      });
    }
  });

  describe("is what somebody has put beside the declared, where kubecamp or an ingress controller goes by it", () => {
    const door = ingress(bob, routeAt("camp.example.org", "/bob"), settings, ingressNginx);
    const nginx = "nginx.ingress.kubernetes.io";
    const taken = "removes what nobody declares:";
    const withMarks = (declared: Declared, labels: object, annotations: object) =>
      live(declared, {
        labels: { ...declared.metadata.labels, ...labels },
        annotations: { ...declared.metadata.annotations, "kubecamp.dev/applied": digestOf(declared), ...annotations },
      });

    it("finds each added label and annotation, by name, and none that is nobody's business", () => {
      const others = { "cert-manager.io/issuer": "x", "field.cattle.io/publicEndpoints": "[]", note: "x" };
      const snippet = { [`${nginx}/configuration-snippet`]: "return 200;", [`${nginx}/rewrite-target`]: "/$2" };
      const drift = driftOf(
        "Ingress",
        door,
        withMarks(door, { "kubecamp.dev/type": "admin" }, { ...snippet, ...others }),
      );
      assert.equal(markOf("Ingress", door, drift), `${digestOf(door)}.1001`);
      const keys = `label kubecamp.dev/type, annotation ${nginx}/configuration-snippet, annotation ${nginx}/rewrite-target`;
      const text = textOf(drift.findings);
      assert.equal(text, `Changed by hand; 'pulumi up' restores it:\n  Ingress ingress-nginx/bob: ${taken} ${keys}`);
      assert.deepEqual(drift.of(compared("Ingress", door)).difference.added, {
        labels: ["kubecamp.dev/type"],
        annotations: [`${nginx}/configuration-snippet`, `${nginx}/rewrite-target`],
      });
      const left = driftOf("Ingress", door, withMarks(door, { team: "a" }, others));
      assert.equal(markOf("Ingress", door, left), digestOf(door));
      assert.equal(left.of(compared("Ingress", door)).difference.added, undefined);
    });

    it("finds any controller's added annotations, and on a namespace kubecamp's own labels alone", () => {
      for (const key of ["traefik.ingress.kubernetes.io/router.tls", "haproxy.org/auth-type", "projectcontour.io/x"]) {
        const drift = driftOf("Ingress", door, withMarks(door, {}, { [key]: "x" }));
        assert.deepEqual(drift.of(compared("Ingress", door)).difference.added, { labels: [], annotations: [key] });
      }
      const slept = {
        "kubecamp.dev/slept": "2026-11-26T19:00:00Z",
        "kubecamp.dev/adopt": "dev",
        "kubecamp.dev/awake-until": "2026-11-26T22:00:00Z",
      };
      const handed = {
        "kubecamp.dev/former-stacks": "prod",
        "kubecamp.dev/notices": "[]",
        ...slept,
        [`${nginx}/rewrite-target`]: "/",
      };
      const drift = driftOf("Namespace", home, withMarks(home, { "kubecamp.dev/protected": "true" }, handed));
      assert.deepEqual(drift.of(compared("Namespace", home)).difference.added, {
        labels: ["kubecamp.dev/protected"],
        annotations: [],
      });
    });

    it("finds nothing added by an earlier run, nor a controller's on what is still taken over", () => {
      const key = `${nginx}/rewrite-target`;
      const before = {
        ...door,
        metadata: { ...door.metadata, annotations: { ...door.metadata.annotations, [key]: "/$2" } },
      };
      const earlier = driftOf("Ingress", door, live(before, { applied: digestOf(before) }));
      assert.equal(earlier.of(compared("Ingress", door)).difference.added, undefined);
      const managedObjects = new Map([
        ["Ingress ingress-nginx/bob", withMarks(door, { "kubecamp.dev/type": "x" }, { [key]: "/$2" })],
      ]);
      const services = new Map([["bob/bob-svc", liveService()]]);
      const plan = planOf([{ ...bob, adopt: true }], settings, { managedObjects, services });
      const adopting = new Drift(plan.snapshot, plan.members);
      assert.deepEqual(adopting.of(compared("Ingress", door)).difference.added, {
        labels: ["kubecamp.dev/type"],
        annotations: [],
      });
    });
  });

  it("finds no drift in what server-side apply leaves to others: labels, a quota's resources", () => {
    const labelled = driftOf("RoleBinding", binding, live(binding, { labels: { ...labelsOf("bob"), team: "a" } }));
    assert.equal(markOf("RoleBinding", binding, labelled), digestOf(binding));
    const narrowed = driftOf("ResourceQuota", quota, live(quota, hard({ "requests.ephemeral-storage": "3" })));
    assert.equal(markOf("ResourceQuota", quota, narrowed), digestOf(quota));
  });
});

function spec(change: object): Partial<ManagedObject> {
  return { content: { spec: { ...policy.spec, ...change } } };
}

function hard(change: object): Partial<ManagedObject> {
  return { content: { spec: { hard: { ...quota.spec.hard, ...change } } } };
}
