import { deepEqual, equal } from "node:assert/strict";
import type { Props } from "../../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../../naming/pulumiMarks.ts";
import { fakeApi } from "./support/fakeApi.ts";
import { unreachableKubeconfig } from "./support/kubeconfigs.ts";
import { configMap, deployment, quota, service } from "./support/objects.ts";
import type { Plugin } from "./support/plugin.ts";
import { urn, useStage } from "./support/stage.ts";

const none = { changes: "NONE", replaces: [], deleteBeforeReplace: false, detailedDiff: {} };

/** The state of an object that the server has added its own fields to. */
function stateOf(inputs: Props): Props {
  return { ...inputs, metadata: { ...(inputs.metadata as Props), uid: "1" }, status: {}, __inputs: inputs };
}

function typeOf(inputs: Props): string {
  const apiVersion = String(inputs.apiVersion);
  return urn(`${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${inputs.kind}`, "object");
}

describe("the stand-in compares objects", () => {
  const stage = useStage("diff");
  // Comparing needs no API server, so there is none.
  const variables = { kubeconfig: unreachableKubeconfig };
  let plugin: Plugin;
  beforeEach(async () => {
    plugin = stage().spare;
    await plugin.configure(variables);
  });

  it("without a call to the API server", async () => {
    const api = await fakeApi();
    await plugin.configure({ kubeconfig: api.kubeconfig });
    const before = api.requests.length;
    const inputs = configMap("a", "b");
    deepEqual(await plugin.diff(typeOf(inputs), stateOf(inputs), inputs), none);
    await plugin.diff(typeOf(inputs), stateOf(inputs), configMap("a", "b", { x: "y" }));
    equal(api.requests.length, before);
    api.close();
  });

  const secretOf = (data: Props, more: Props = {}): Props => ({
    ...{ apiVersion: "v1", kind: "Secret", metadata: { namespace: "a", name: "b" } },
    ...{ data, ...more },
  });
  const binding = (name: string, subjects: Props[] = []): Props => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { namespace: "a", name: "b" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    subjects,
  });
  const scoped = (scopes?: string[]): Props => {
    const plain = quota("a", "b", { pods: "1" });
    return scopes ? { ...plain, spec: { ...(plain.spec as Props), scopes } } : plain;
  };
  const user: Props = { kind: "User", name: "u" };
  const inPlace: [title: string, from: Props, to: Props, detailedDiff: Record<string, string>][] = [
    [
      "a quota's number",
      quota("a", "b", { pods: "1" }),
      quota("a", "b", { pods: "2" }),
      { "spec.hard.pods": "UPDATE" },
    ],
    [
      "a Deployment's image",
      deployment("a", "b", "x"),
      deployment("a", "b", "y"),
      {
        "spec.template.spec.containers[0].image": "UPDATE",
      },
    ],
    ["a subject more", binding("r"), binding("r", [user]), { "subjects[0]": "ADD" }],
    ["a subject less", binding("r", [user]), binding("r"), { "subjects[0]": "DELETE input" }],
    [
      "a key that is gone",
      quota("a", "b", { pods: "1", secrets: "1" }),
      quota("a", "b", { pods: "1" }),
      {
        "spec.hard.secrets": "DELETE input",
      },
    ],
    [
      "a value that only the update will know",
      quota("a", "b", { pods: "1" }),
      quota("a", "b", { pods: unknown }),
      {
        "spec.hard.pods": "UPDATE",
      },
    ],
  ];
  for (const [title, from, to, detailedDiff] of inPlace) {
    it(`and updates ${title} in place`, async () => {
      const verdict = await plugin.diff(typeOf(from), stateOf(from), to);
      deepEqual(verdict, { changes: "SOME", replaces: [], deleteBeforeReplace: false, detailedDiff });
    });
  }

  const headless = service("a", "b", { clusterIP: "None" });
  const replacing: [title: string, from: Props, to: Props, path: string, kind: string][] = [
    ["a name", configMap("a", "b"), configMap("a", "c"), "metadata.name", "UPDATE"],
    ["a namespace", configMap("a", "b"), configMap("c", "b"), "metadata.namespace", "UPDATE"],
    ["a roleRef", binding("r"), binding("s"), "roleRef.name", "UPDATE"],
    ["a quota's new scopes", scoped(), scoped(["Terminating"]), "spec.scopes", "ADD"],
    ["a quota's other scopes", scoped(["Terminating"]), scoped(["BestEffort"]), "spec.scopes[0]", "UPDATE"],
    ["a quota's old scopes", scoped(["Terminating"]), scoped(), "spec.scopes", "DELETE"],
    ["a Service's clusterIP", service("a", "b", {}), headless, "spec.clusterIP", "ADD"],
    [
      "a ConfigMap's data",
      configMap("a", "b", { "a.md": "1" }),
      configMap("a", "b", { "a.md": "2" }),
      'data["a.md"]',
      "UPDATE",
    ],
    ["a Secret's data", secretOf({ a: "YQ==" }), secretOf({ a: "Yg==" }), "data.a", "UPDATE"],
    ["a Secret's type", secretOf({}, { type: "a/b" }), secretOf({}, { type: "a/c" }), "type", "UPDATE"],
  ];
  for (const [title, from, to, path, kind] of replacing) {
    it(`and replaces for ${title}`, async () => {
      const moved = path === "metadata.name" || path === "metadata.namespace";
      const mark = kind === "DELETE" ? "DELETE_REPLACE input" : `${kind}_REPLACE`;
      deepEqual(await plugin.diff(typeOf(from), stateOf(from), to), {
        changes: "SOME",
        replaces: [path],
        // The same name in the same place: the old one must go first.
        deleteBeforeReplace: !moved,
        detailedDiff: { [path]: mark },
      });
    });
  }

  it("and replaces for another selector of a Deployment", async () => {
    const from = deployment("a", "b");
    const to = { ...from, spec: { ...(from.spec as Props), selector: { matchLabels: { app: "other" } } } };
    deepEqual((await plugin.diff(typeOf(from), stateOf(from), to)).replaces, ["spec.selector.matchLabels.app"]);
  });

  it("and updates data in place with enableConfigMapMutable and enableSecretMutable, unless immutable", async () => {
    await plugin.configure({ ...variables, enableConfigMapMutable: "true", enableSecretMutable: "true" });
    const [from, to] = [configMap("a", "b", { a: "1" }), configMap("a", "b", { a: "2" })];
    deepEqual((await plugin.diff(typeOf(from), stateOf(from), to)).replaces, []);
    const [secretFrom, secretTo] = [secretOf({ a: "YQ==" }), secretOf({ a: "Yg==" })];
    deepEqual((await plugin.diff(typeOf(secretFrom), stateOf(secretFrom), secretTo)).replaces, []);
    const fixed = { ...to, immutable: true };
    deepEqual((await plugin.diff(typeOf(from), stateOf({ ...from, immutable: true }), fixed)).replaces, ["data.a"]);
  });

  it("and sees no change in what means the same", async () => {
    const from = quota("a", "b", { "limits.cpu": "1", "limits.memory": "1Gi" });
    const same = quota("a", "b", { "limits.cpu": "1000m", "limits.memory": "1024Mi" });
    deepEqual(await plugin.diff(typeOf(from), stateOf(from), same), none);
    const policy = {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { namespace: "a", name: "b" },
    };
    const live = { ...policy, spec: { podSelector: {} } };
    deepEqual(
      await plugin.diff(typeOf(live), stateOf(live), { ...policy, spec: { podSelector: {}, ingress: [] } }),
      none,
    );
  });

  it("and sees no change in fields that the server added", async () => {
    const inputs = service("a", "b", { ports: [{ port: 80 }] });
    const live = service("a", "b", { ports: [{ port: 80, protocol: "TCP", targetPort: 80 }], clusterIP: "10.0.0.1" });
    deepEqual(await plugin.diff(typeOf(inputs), { ...live, __inputs: inputs }, inputs), none);
  });

  it("and passes over ignored changes", async () => {
    const [from, to] = [deployment("a", "b", "x"), deployment("a", "b", "y")];
    const ignored = ["spec.template.spec.containers[0].image"];
    deepEqual(await plugin.diff(typeOf(from), stateOf(from), to, ignored), none);
    deepEqual(await plugin.diff(typeOf(from), stateOf(from), to, ["spec.template"]), none);
  });
});
