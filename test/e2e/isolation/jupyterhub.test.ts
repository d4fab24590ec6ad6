import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1RoleBinding } from "@kubernetes/client-node";
import { repository } from "../../../sandbox/paths.ts";
import { useStack } from "../program/stack.ts";
import { makeNamespace, until } from "../program/workloads.ts";
import { installMiddlewares } from "../support/definitions/traefik.ts";
import { assertFine, assertRefused, type Caller, callerWith } from "../support/signIn/signedIn.ts";
import { inside } from "./hostile/attempt.ts";

const examples = join(repository, "docs/examples");
const labels = {
  app: "jupyterhub",
  component: "singleuser-server",
  heritage: "jupyterhub",
  "hub.jupyter.org/username": "amara",
  "hub.jupyter.org/network-access-hub": "true",
};
const claim = {
  metadata: { name: "claim-amara", labels: { ...labels, component: "singleuser-storage" } },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } },
};

/** A pod as KubeSpawner makes it with the values of docs/run/jupyterhub.md. */
const notebook = (name: string, container: object = {}, spec: object = {}) => ({
  metadata: { name, labels },
  spec: {
    automountServiceAccountToken: false,
    restartPolicy: "OnFailure",
    enableServiceLinks: false,
    schedulerName: "hub-user-scheduler",
    securityContext: { fsGroup: 100 },
    tolerations: ["hub.jupyter.org/dedicated", "hub.jupyter.org_dedicated"].map((key) => ({
      ...{ key, operator: "Equal", value: "user", effect: "NoSchedule" },
    })),
    containers: [
      {
        name: "notebook",
        image: "quay.io/jupyter/minimal-notebook:2026-11-02",
        args: ["jupyterhub-singleuser"],
        env: [{ name: "JUPYTERHUB_API_URL", value: "http://hub.hub:8081/hub/api" }],
        ports: [{ name: "notebook-port", containerPort: 8888 }],
        resources: { limits: { cpu: "1", memory: "2Gi" }, requests: { cpu: "100m", memory: "512Mi" } },
        securityContext: { runAsUser: 1000, allowPrivilegeEscalation: false },
        volumeMounts: [{ name: "volume-amara", mountPath: "/home/jovyan" }],
        ...container,
      },
    ],
    volumes: [{ name: "volume-amara", persistentVolumeClaim: { claimName: "claim-amara" } }],
    ...spec,
  },
});

interface Peer {
  readonly namespaceSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
}
interface Port {
  readonly port: number;
}
/** The part of a NetworkPolicy that these tests read, as the API server sends it. */
interface Isolation {
  readonly spec: {
    readonly ingress: readonly { readonly from?: readonly Peer[]; readonly ports?: readonly Port[] }[];
    readonly egress: readonly { readonly to?: readonly Peer[]; readonly ports?: readonly Port[] }[];
  };
}
const portOf = ({ port }: Port) => port;

describe("JupyterHub in members' namespaces", () => {
  const stack = useStack("jupyterhub");
  let forgetMiddlewares: () => Promise<void>;
  let hub: Caller;
  const tokenOf = async (account: string) =>
    callerWith(stack.sandbox, (await stack.sandbox.kubectl(["create", "token", account, "-n", "hub"])).stdout);

  before(async () => {
    forgetMiddlewares = await installMiddlewares(stack.sandbox);
    await makeNamespace(stack, "traefik");
    await makeNamespace(stack, "hub");
    await stack.sandbox.apply(
      ...["hub", "other"].map((name) => ({
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name, namespace: "hub" },
      })),
    );
    await stack.makeProject();
    await copyFile(join(examples, "members.jupyterhub.yaml"), join(stack.folder, "members.jupyterhub.yaml"));
    await stack.write(await readFile(join(examples, "Pulumi.jupyterhub.yaml"), "utf8"));
    const run = await stack.run(["up", "--yes", "--skip-preview"], {}, stack.folder);
    assert.equal(run.exitCode, 0, run.output.slice(-3000));
    hub = await tokenOf("hub");
    // The API server takes a second to put policies in force.
    const other = notebook("probe", { image: "quay.io/other/x:1" });
    await until(async () => (await hub.ask("POST", `${inside("amara", "pods")}?dryRun=All`, other)).status === 403);
  });
  after(async () => {
    await forgetMiddlewares();
    await stack.delete("namespace", "traefik");
    await stack.delete("namespace", "hub");
  });

  it("binds the hub in students' namespaces alone", async () => {
    const bindings = await stack.sandbox.list<V1RoleBinding>("rolebinding");
    const bound = bindings.filter(({ subjects = [] }) => subjects.some(({ name }) => name.includes("hub:hub")));
    assert.deepEqual(bound.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`).sort(), [
      "amara/kubecamp:staff-spawn",
      "boris/kubecamp:staff-spawn",
      "chen/kubecamp:staff-spawn",
    ]);
  });

  it("lets the hub start a notebook, look at it and stop it, as KubeSpawner does", async () => {
    const pods = inside("amara", "pods");
    const ours = "labelSelector=component%3Dsingleuser-server";
    assertFine(await hub.ask("GET", `${pods}?${ours}`));
    for (const resource of ["pods", "events"]) {
      assert.equal(await stack.sandbox.may("system:serviceaccount:hub:hub", "watch", resource, "amara"), true);
    }
    assertFine(await hub.ask("GET", `${inside("amara", "events")}?fieldSelector=involvedObject.kind%3DPod`));
    assertFine(await hub.ask("POST", inside("amara", "persistentvolumeclaims"), claim));
    assertFine(await hub.ask("GET", inside("amara", "persistentvolumeclaims/claim-amara")));
    assertFine(await hub.ask("POST", pods, notebook("jupyter-amara")));
    assertFine(await hub.ask("DELETE", `${pods}/jupyter-amara?gracePeriodSeconds=0`));
  });

  it("holds the hub to the member's quota, images and Pod Security", async () => {
    const privileged = { securityContext: { privileged: true } };
    const huge = { resources: { limits: { cpu: "2", memory: "2Gi" } } };
    for (const [pod, refusal] of [
      [notebook("x", { image: "docker.io/library/nginx:1" }), /nginx:1.*not|not.*nginx:1|image/],
      [notebook("x", privileged), /violates PodSecurity "baseline/],
      [notebook("x", huge), /exceeded quota: quota/],
      // z2jh's default asks for 1G and states no limit.
      [notebook("x", { resources: { requests: { memory: "1G" } } }), /must be less than or equal to memory limit/],
    ] as const) {
      assertRefused(await hub.ask("POST", inside("amara", "pods"), pod), refusal);
    }
    const big = { ...claim, spec: { ...claim.spec, resources: { requests: { storage: "11Gi" } } } };
    assertRefused(await hub.ask("POST", inside("boris", "persistentvolumeclaims"), big), /maximum storage usage per/);
  });

  it("refuses the hub all else at a student's, and everything elsewhere", async () => {
    const refusal = /cannot \w+ resource/;
    for (const [method, path] of [
      ["GET", inside("amara", "secrets")],
      ["POST", inside("amara", "secrets")],
      ["POST", inside("amara", "services")],
      ["POST", inside("amara", "pods/jupyter-amara/exec?command=id")],
      ["PATCH", inside("amara", "pods/jupyter-amara")],
      ["DELETE", inside("amara", "persistentvolumeclaims/claim-amara")],
      ["POST", inside("amara", "deployments")],
      ["POST", inside("amara", "rolebindings")],
      ["GET", inside("ines", "pods")],
      ["POST", inside("ines", "pods")],
      ["POST", inside("kube-system", "pods")],
      // What KubeSpawner asks for with enable_user_namespaces.
      ["POST", "/api/v1/namespaces"],
      ["GET", "/api/v1/pods"],
      ["GET", "/api/v1/events"],
    ] as const) {
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      assertRefused(await hub.ask(method, path, body, method === "PATCH" ? patchType : undefined), refusal);
    }
  });

  it("gives another ServiceAccount of the hub's namespace nothing, and students nothing of each other", async () => {
    assertRefused(await (await tokenOf("other")).ask("GET", inside("amara", "pods")), /cannot list resource/);
    assert.equal(await stack.sandbox.may("oidc:amara", "create", "pods", "boris"), false);
    assert.equal(await stack.sandbox.may("oidc:amara", "update", "rolebindings", "amara"), false);
  });

  it("opens students' networks for the hub both ways, each on its port, and the teacher's not", async () => {
    const { spec } = await stack.sandbox.get<Isolation>("networkpolicy", "isolation", "amara");
    const hubs = (peers: readonly Peer[] = []) =>
      peers.flatMap(({ namespaceSelector, podSelector }) =>
        namespaceSelector?.matchLabels?.["kubernetes.io/metadata.name"] === "hub" ? [podSelector?.matchLabels] : [],
      );
    const ofHub = (peers: readonly Peer[] | undefined, ports: readonly Port[] = []) =>
      hubs(peers).map((labels) => ({ labels, ports: ports.map(portOf) }));
    assert.deepEqual(
      spec.ingress.flatMap(({ from, ports }) => ofHub(from, ports)),
      [{ labels: { "hub.jupyter.org/network-access-singleuser": "true" }, ports: [8888] }],
    );
    assert.deepEqual(
      spec.egress.flatMap(({ to, ports }) => ofHub(to, ports)),
      [{ labels: { app: "jupyterhub", component: "hub" }, ports: [8081] }],
    );
    const { spec: teachers } = await stack.sandbox.get<Isolation>("networkpolicy", "isolation", "ines");
    assert.equal(JSON.stringify(teachers).includes("hub"), false);
  });
});

const patchType = "application/merge-patch+json";
