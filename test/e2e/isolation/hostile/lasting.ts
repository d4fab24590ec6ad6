import type { V1Pod } from "@kubernetes/client-node";
import { until } from "../../program/workloads.ts";
import {
  type Ask,
  afterwards,
  change,
  claimSpec,
  cronJob,
  deploy,
  evict,
  type Group,
  home,
  image,
  labels,
  made,
  make,
  many,
  named,
  patch,
  pod,
  podSpec,
  policy,
  refused,
  remove,
  statefulSet,
  template,
  workload,
} from "./attempt.ts";

const finalizers = ["mallory.example.org/never"];
const endless = (name: string) => ({ metadata: { name, finalizers } });
const stuck = (kind: string, name: string) =>
  policy("finalizers", `${kind} '${name}' has the finalizer 'mallory.example.org/never'`);

const uid = "6f1d0c4e-0000-4000-8000-000000000000";
const rights = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", name: "kubecamp-edit", uid };
const itself = { apiVersion: "v1", kind: "ConfigMap", name: "here", uid };
const victims = { apiVersion: "v1", kind: "Namespace", name: "vic", uid };
/** A foreground deletion of the owners waits for this object. */
const hanging = (...owners: readonly object[]) => ({
  ownerReferences: owners.map((owner) => ({ ...owner, blockOwnerDeletion: true })),
});
const waitedFor = (kind: string, name: string, owner: string) =>
  policy("finalizers", `${kind} '${name}' would keep its owner, ${owner}, from being gone`);

const longBusy = (kind: string) =>
  policy(
    "finalizers",
    `${kind} '[a-z]+' has 10000 finalizers, owners and claim templates, which the API server would be`,
  );

const tenYears = { gracePeriodSeconds: 315360000 };
/**
 * Makes a pod, and ends it once a node has it. Kubernetes ends a pod at once that no node has, whatever it is told, and tries
 * again without a grace period if a node gets it meanwhile.
 */
const ends = (name: string, end: Ask): Ask =>
  made("pods", pod(name), async (caller, sandbox) => {
    await until(async () => (await sandbox.get<V1Pod>("pod", name, "mallory")).spec?.nodeName !== undefined);
    return end(caller, sandbox);
  });

/** Makes a Job, and gives its pod another controller, or that another kind, once there is one; no node has it. */
const takePodOfJob = (name: string, adopted: (pod: V1Pod) => object): Ask => {
  const job = named(name, { spec: { template: template({ restartPolicy: "Never", nodeSelector: { no: "where" } }) } });
  const take: Ask = async (caller, sandbox) => {
    let pods: readonly string[] = [];
    await until(async () => {
      pods = await sandbox.names("pod", { namespace: "mallory", labelSelector: `job-name=${name}` });
      return pods.length > 0;
    });
    const { body } = await caller.ask("GET", home(`pods/${pods[0]}`));
    const ownerReferences = [{ ...adopted(body as V1Pod), controller: true }];
    return change(`pods/${pods[0]}`, { metadata: { ownerReferences } })(caller, sandbox);
  };
  return made("jobs", job, afterwards(take, remove(home(`jobs/${name}?propagationPolicy=Background`))));
};

const claim = claimSpec();
/** More than the API server could compare pair by pair. */
const manyWords = many(50_000, (index) => `word-${index}`);

/** Objects that would remain after the member. */
export const lasting: Group = {
  on: "what would outlast them",
  attempts: [
    ...refused(stuck("(ConfigMap|Pod|Deployment|CronJob|StatefulSet)", "stuck"), {
      "makes a ConfigMap that is never gone, nor is the namespace then": make("configmaps", endless("stuck")),
      "makes a pod that is never gone": make("pods", { ...endless("stuck"), spec: podSpec() }),
      "has a Deployment make pods that are never gone": deploy("stuck", {}, {}, { finalizers }),
      "has a CronJob make pods that are never gone": make("cronjobs", cronJob("stuck", {}, {}, { finalizers })),
      "has a StatefulSet make claims that are never gone": make(
        "statefulsets",
        statefulSet("stuck", { metadata: { name: "data", finalizers }, spec: claim }),
      ),
    }),
    ...refused(stuck("ConfigMap", "(here|child)"), {
      "puts a finalizer on an existing ConfigMap": change("configmaps/here", { metadata: { finalizers } }),
      "makes a child with a finalizer for the victim's namespace": make("configmaps", {
        metadata: { name: "child", finalizers, ...hanging(victims) },
      }),
    }),
    [
      "has the API server look for bad ones among 10,000 harmless finalizers",
      make("configmaps", { metadata: { name: "many", finalizers: Array(10_000).fill("orphan") } }),
      longBusy("ConfigMap"),
    ],
    [
      "has the API server look through 10,000 owners of an object",
      change("configmaps/here", {
        metadata: { ownerReferences: many(10_000, (index) => ({ ...itself, uid: `${index}` })) },
      }),
      // By the one or the other, whichever the API server names.
      new RegExp(
        `${longBusy("ConfigMap").source}|${policy("amounts", "has a text of more than 10000 characters").source}`,
      ),
    ],
    ...refused(longBusy("Eviction"), {
      "has the API server look through 10,000 finalizers of an eviction": make("pods/web/eviction", {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "web", finalizers: Array(10_000).fill("orphan") },
      }),
    }),
    ...refused(
      policy("finalizers", "PersistentVolumeClaim 'in-use' would lose the finalizer 'kubernetes.io/pvc-protection'"),
      {
        "takes a claim out of the quota while a pod goes on with its volume": made(
          "persistentvolumeclaims",
          named("in-use", { spec: claim }),
          afterwards(
            change("persistentvolumeclaims/in-use", { metadata: { finalizers: null } }),
            remove(home("persistentvolumeclaims/in-use")),
          ),
        ),
      },
    ),
    ...refused(policy("finalizers", "Pod 'hold-.*' would have another controller than the Job that tracks it"), {
      "takes a pod from the Job that tracks it, so that it is never gone": takePodOfJob("hold", () => itself),
      "has a pod of a Job say that its owner is of another kind": takePodOfJob("hold-on", ({ metadata }) => ({
        ...metadata?.ownerReferences?.[0],
        ...{ apiVersion: "apps/v1", kind: "ReplicaSet" },
      })),
    }),
    [
      "puts a finalizer on a ConfigMap that Kubernetes takes off other kinds",
      change("configmaps/here", { metadata: { finalizers: ["kubernetes.io/pvc-protection"] } }),
      policy("finalizers", "ConfigMap 'here' has the finalizer 'kubernetes.io/pvc-protection'"),
    ],
    ...refused(waitedFor("Pod", "hanging", "RoleBinding 'kubecamp-edit'"), {
      "has the deletion of their own RoleBinding wait for a pod": make("pods", {
        metadata: { name: "hanging", ...hanging(rights) },
        spec: podSpec(),
      }),
    }),
    [
      "has the deletion of their RoleBinding wait for a ConfigMap",
      change("configmaps/here", { metadata: hanging(rights, itself) }),
      waitedFor("ConfigMap", "here", "RoleBinding 'kubecamp-edit'"),
    ],
    ...refused(waitedFor("ConfigMap", "(here|owned)", "ConfigMap 'here'"), {
      "has the deletion of a ConfigMap wait for itself": change("configmaps/here", { metadata: hanging(itself) }),
      "has a deletion wait by a reference that did not": change("configmaps/owned", { metadata: hanging(itself) }),
    }),
    ...refused(waitedFor("(ConfigMap|StatefulSet)", "waits", "Namespace 'vic'"), {
      "has the deletion of the victim's namespace wait for a ConfigMap": make("configmaps", {
        metadata: { name: "waits", ...hanging(victims) },
      }),
      "has the deletion of the victim's namespace wait for a StatefulSet's claims": make(
        "statefulsets",
        statefulSet("waits", { metadata: { name: "data", ...hanging(victims) }, spec: claim }),
      ),
    }),
    ...refused(policy("finalizers", "Pod '[-a-z0-9]+' would be given 315360000 seconds to end"), {
      "deletes a pod, and gives it ten years to end": ({ ask }) => ask("DELETE", home("pods/web"), tenYears),
      "deletes a pod, and gives it ten years to end by the query": remove(
        home("pods/web?gracePeriodSeconds=315360000"),
      ),
      "evicts a pod, and gives it ten years to end": evict("web", tenYears),
      "deletes all pods, and gives them ten years to end": ({ ask }) =>
        ask("DELETE", home("pods?labelSelector=app%3Dmallory"), tenYears),
    }),
    ...refused(policy("routes", "Secret 'token': Kubernetes would fill it with a token that never ends"), {
      "has a Secret filled with a controller's token that never ends": make("secrets", {
        metadata: { name: "token", annotations: { "kubernetes.io/service-account.name": "namespace-controller" } },
        type: "kubernetes.io/service-account-token",
      }),
    }),
  ],
  controls: {
    "makes a ConfigMap without finalizers": make("configmaps", named("here")),
    "deletes a claim that nobody uses, which takes its protection": made(
      "persistentvolumeclaims",
      named("unused", { spec: claim }),
      async (caller, sandbox) => {
        const path = home("persistentvolumeclaims/unused");
        const deleted = await remove(path)(caller, sandbox);
        await until(async () => (await caller.ask("GET", path)).status === 404);
        return deleted;
      },
    ),
    "makes a ConfigMap that goes with another, which does not wait": async (caller, sandbox) => {
      const { body } = await caller.ask("GET", home("configmaps/here"));
      const { metadata } = body as { metadata: { uid: string } };
      const ownerReferences = [{ ...itself, uid: metadata.uid }];
      return make("configmaps", { metadata: { name: "owned", ownerReferences } })(caller, sandbox);
    },
    "deletes a pod, and gives it five minutes": ends("ends-slowly", ({ ask }) =>
      ask("DELETE", home("pods/ends-slowly"), { gracePeriodSeconds: 300 }),
    ),
    "deletes all pods that a field selector selects": ends(
      "ends",
      remove(home("pods?fieldSelector=metadata.name%3Dends")),
    ),
    "evicts a pod": ends("is-evicted", evict("is-evicted")),
    "changes a Deployment with 50,000 arguments": async (caller, sandbox) => {
      const path = home("deployments/large");
      const large = workload("large", {}, { args: manyWords });
      const made = await make("deployments", { ...large, spec: { ...large.spec, replicas: 0 } })(caller, sandbox);
      const labelled = made.status === 201 ? await patch(path, { metadata: { labels } })(caller, sandbox) : made;
      const podsOf = {
        spec: { template: { spec: { containers: [{ name: "web", image, args: [...manyWords, "more"] }] } } },
      };
      return labelled.status === 200 ? patch(path, podsOf)(caller, sandbox) : labelled;
    },
    "deletes a Deployment once its pods are gone (Foreground)": async (caller, sandbox) => {
      const path = home("deployments/here");
      const made = await deploy("here")(caller, sandbox);
      return made.status === 201 ? caller.ask("DELETE", path, { propagationPolicy: "Foreground" }) : made;
    },
  },
};
