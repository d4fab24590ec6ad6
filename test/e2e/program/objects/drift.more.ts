import assert from "node:assert/strict";
import { assertSays, warningsOf } from "../inProcess.ts";
import { everything, type LiveObject, nameOf } from "../inventory.ts";
import { type Entry, useStack } from "../stack.ts";
import { served, until } from "../workloads.ts";

/** fay's objects are deleted or get additions, gia's are edited, and hal's namespace is deleted. */
const members = ["fay", "gia", "hal"].map((member): Entry => ({ member, type: "user" }));
const anybody = { kind: "Group", name: "system:authenticated", apiGroup: "rbac.authorization.k8s.io" };
const anything = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };

/** Additions by hand, object by object; the official plugin's refresh would not see them. */
const additions = {
  // With this condition the policy would judge nothing.
  "ValidatingAdmissionPolicy kubecamp-services-drift": [
    add("/spec/matchConditions", [{ name: "never", expression: "false" }]),
    add("/spec/matchConstraints/excludeResourceRules", [
      { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] },
    ]),
    add("/spec/validations/0/expression", "true"),
  ],
  "ValidatingAdmissionPolicyBinding kubecamp-services-drift": [
    add("/spec/validationActions/0", "Audit"),
    { op: "remove", path: "/spec/validationActions/1" },
    add("/spec/matchResources/namespaceSelector/matchLabels", { none: "such" }),
  ],
  "ClusterRole kubecamp:drift:view": [add("/rules/-", anything)],
  "ClusterRoleBinding kubecamp:drift:fay:view": [add("/subjects/-", anybody)],
  "Ingress ingress-nginx/fay": [add("/spec/rules/-", { host: "elsewhere.example.org" })],
  "LimitRange fay/default-limits": [add("/spec/limits/-", { type: "Pod", max: { cpu: "64" } })],
  "NetworkPolicy fay/isolation": [
    add("/spec/ingress/-", {}),
    add("/spec/ingress/0/from/0/namespaceSelector", {}),
    add("/spec/egress/0/to/-", { ipBlock: { cidr: "10.0.0.0/8" } }),
    add("/spec/podSelector/matchLabels", { app: "none" }),
  ],
  "Role fay/kubecamp-edit": [add("/rules/-", anything), add("/rules/0/resources/-", "nodes")],
  "RoleBinding fay/kubecamp-edit": [
    add("/subjects/-", anybody),
    { op: "remove", path: "/metadata/labels/kubecamp.dev~1stack" },
  ],
};

const nginx = "nginx.ingress.kubernetes.io";

/** Marks that somebody sets beside what is declared; one of them is not kubecamp's, and stays. */
const marks: Record<string, { readonly labels?: object; readonly annotations?: object }> = {
  "Ingress ingress-nginx/gia": { annotations: { [`${nginx}/rewrite-target`]: "/$2", note: "theirs" } },
  "Service ingress-nginx/gia-svc": { annotations: { [`${nginx}/service-upstream`]: "true" } },
  "Namespace gia": { labels: { "kubecamp.dev/protected": "true" } },
  "ValidatingAdmissionPolicy kubecamp-images-drift": { annotations: { "kubecamp.dev/starter": "once" } },
};

function add(path: string, value: unknown) {
  return { op: "add", path, value };
}

describe("drift", () => {
  const stack = useStack("drift");
  let whole: Map<string, unknown>;
  /** The declared content of each object, as it is live. */
  const live = async () => {
    const ours = (it: LiveObject) => it.metadata.labels?.["kubecamp.dev/stack"] === "drift";
    const content = ({ metadata, spec, rules, subjects, roleRef }: LiveObject) => ({
      labels: metadata.labels,
      spec,
      rules,
      subjects,
      roleRef,
    });
    return new Map((await everything(stack.sandbox)).filter(ours).map((it) => [nameOf(it), content(it)]));
  };
  /** Edits as a console does: the plugin counts fields managed by `kubectl` among its own. */
  const patch = (object: string, change: object) => {
    const [kind = "", path = ""] = object.split(" ");
    const [name = "", namespace] = path.split("/").reverse();
    return stack.sandbox.patch(kind.toLowerCase(), name, namespace, change, "console");
  };
  const addByHand = () => Promise.all(Object.entries(additions).map(([object, change]) => patch(object, change)));

  before(async () => {
    await stack.configure(members);
    for (const { member } of members) {
      await served(stack, member);
    }
    await stack.upFine();
    whole = await live();
  });

  it("restores by a plain up what somebody has added to an object, as the preview says", async () => {
    await addByHand();
    const labels = { "pod-security.kubernetes.io/enforce": "privileged" };
    await stack.sandbox.patch("namespace", "fay", undefined, { metadata: { labels } });
    for (const [object, metadata] of Object.entries(marks)) {
      await patch(object, { metadata });
    }
    const changed = ["Namespace fay", ...Object.keys(additions)];
    const taken = [
      `Ingress ingress-nginx/gia: removes what nobody declares: annotation ${nginx}/rewrite-target`,
      `Service ingress-nginx/gia-svc: removes what nobody declares: annotation ${nginx}/service-upstream`,
      "Namespace gia: removes what nobody declares: label kubecamp.dev/protected",
      "ValidatingAdmissionPolicy kubecamp-images-drift: removes what nobody declares: annotation kubecamp.dev/starter",
    ];
    const preview = await stack.preview();
    assert.equal(preview.exitCode, 0, preview.output);
    const steps = changed.length + taken.length;
    assert.match(preview.output, new RegExp(`${steps} to update`));
    const [, named = ""] = /Changed by hand; 'pulumi up' restores it:\n((?: {6}\S.*\n)+)/.exec(preview.output) ?? [];
    assert.deepEqual(named.match(/\S.*/g)?.sort(), [...changed, ...taken].sort());
    assert.notDeepEqual(await live(), whole);
    assert.equal((await stack.upFine()).steps.length, steps);
    assert.deepEqual(await live(), whole);
    const left = (await everything(stack.sandbox)).filter((it) => Object.keys(marks).includes(nameOf(it)));
    assert.equal(left.length, 4);
    for (const { metadata } of left) {
      const keys = Object.keys({ ...metadata.annotations });
      assert.deepEqual(
        keys.filter((key) => key.startsWith(nginx) || key === "kubecamp.dev/starter"),
        [],
      );
    }
    const [note] = left.flatMap(({ metadata }) => Object(metadata.annotations).note ?? []);
    assert.equal(note, "theirs");
  });

  it("restores by an up with --refresh what somebody has added again", async () => {
    await addByHand();
    const { steps } = await stack.upFine("--refresh");
    assert.equal(steps.length, Object.keys(additions).length, steps.join("\n"));
    assert.deepEqual(await live(), whole);
  });

  it("names each missing object, and of a missing namespace only the namespace", async () => {
    await stack.delete("networkpolicy", "isolation", "fay");
    await stack.delete("ingress", "fay", "ingress-nginx");
    await stack.delete("clusterrolebinding", "kubecamp:drift:fay:view");
    await stack.delete("resourcequota", "quota", "fay");
    await stack.delete("validatingadmissionpolicybinding", "kubecamp-images-drift");
    await stack.delete("namespace", "hal");
    await patch("ResourceQuota gia/quota", { spec: { hard: { "limits.cpu": "64" } } });
    await patch("Role gia/kubecamp-edit", { rules: [anything] });
    await patch("NetworkPolicy gia/isolation", { spec: { ingress: [{}] } });
    const elsewhere = { spec: { externalName: "elsewhere.example.org" } };
    // It takes a moment until the policy that was just put back judges members' namespaces alone.
    await until(() =>
      patch("Service ingress-nginx/gia-svc", elsewhere).then(
        () => true,
        () => false,
      ),
    );
    assertSays(await warningsOf(stack), [
      /'pulumi up --refresh' creates it again:\n +ValidatingAdmissionPolicyBinding kubecamp-images-drift\n +NetworkPolicy fay\/isolation\n +ResourceQuota fay\/quota\n +ClusterRoleBinding kubecamp:drift:fay:view\n +Ingress ingress-nginx\/fay\n +Namespace hal\n(?! +\w+ \S*hal)/,
    ]);
  });

  it("restores by an up with --refresh what was edited or deleted, and finds no more then", async () => {
    const { preview, up } = await stack.previewedUp("--refresh");
    assert.match(preview, /4 to update/);
    assert.equal(up.exitCode, 0, up.output);
    // The member's Service went with the namespace, so their route is pending again.
    const back = [...whole].filter(([name]) => !/ingress-nginx\/hal/.test(name));
    assert.deepEqual(await live(), new Map(back));
    const again = await stack.preview("--expect-no-changes");
    assert.equal(again.exitCode, 0, again.output);
    assert.doesNotMatch(again.output, /Deleted by hand|Changed by hand/);
  });
});
