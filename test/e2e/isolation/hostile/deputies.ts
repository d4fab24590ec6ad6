import { until } from "../../program/workloads.ts";
import {
  type Ask,
  afterwards,
  asController,
  type Group,
  home,
  made,
  make,
  named,
  policy,
  refused,
  remove,
  template,
} from "./attempt.ts";

const uid = "6f1d0c4e-0000-4000-8000-000000000000";
const merge = "application/merge-patch+json";
const nowhere = { restartPolicy: "Never", nodeSelector: { no: "where" } };
const job = (name: string, labels: object) =>
  named(name, { spec: { parallelism: 5, completions: 5, template: { ...template(nowhere), metadata: { labels } } } });
const replicas = (name: string, labels: object) =>
  named(name, {
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { ...template(), metadata: { labels } } },
  });

/** Waits until there are pods of a Job. @returns the name of one */
const podOf: (name: string, ...question: Parameters<Ask>) => Promise<string> = async (name, _, sandbox) => {
  let pods: readonly string[] = [];
  await until(async () => {
    pods = await sandbox.names("pod", { namespace: "mallory", labelSelector: `job-name=${name}` });
    return pods.length === 5;
  });
  return pods[0] ?? "";
};

/** Has a controller give a pod that a Job tracks to another owner, as it does with orphans that match a selector. */
const adopts = (kind: string, apiVersion: string, controller: string): Ask => {
  const name = `for-${kind.toLowerCase()}`;
  const ownerReferences = [{ apiVersion, kind, name: "taker", uid, controller: true, blockOwnerDeletion: true }];
  return made(
    "jobs",
    job(name, { app: name }),
    afterwards(
      async (...question) =>
        asController(
          controller,
          "PATCH",
          home(`pods/${await podOf(name, ...question)}`),
          { metadata: { ownerReferences } },
          merge,
        )(...question),
      remove(home(`jobs/${name}?propagationPolicy=Background`)),
    ),
  );
};
const taken = policy("finalizers", "Pod 'for-[-a-z0-9]+' would have another controller than the Job that tracks it");

const claimed = (annotations: object, spec: object = {}) => ({
  metadata: { name: "web-data", annotations },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } }, ...spec },
});
const boundClaim = claimed(
  { "pv.kubernetes.io/bind-completed": "yes" },
  { storageClassName: "slow", volumeName: "fast" },
);
const bound = policy(
  "storage",
  "PersistentVolumeClaim 'web-data' claims a volume with the annotation 'pv.kubernetes.io/bind-completed'",
);

/** What a member's objects have controllers do, with their own rights. */
export const deputies: Group = {
  on: "controllers that would do it for them",
  attempts: [
    ...refused(taken, {
      "has a ReplicaSet take a pod that a Job tracks, which is never gone then": adopts(
        "ReplicaSet",
        "apps/v1",
        "replicaset-controller",
      ),
      "has a StatefulSet take a pod that a Job tracks": adopts("StatefulSet", "apps/v1", "statefulset-controller"),
      "has a DaemonSet take a pod that a Job tracks": adopts("DaemonSet", "apps/v1", "daemon-set-controller"),
      "has a Job of another API group take a pod that a Job tracks": adopts(
        "Job",
        "batch.example.org/v1",
        "job-controller",
      ),
    }),
    [
      "has the controller of ephemeral volumes make a claim that is bound",
      asController("ephemeral-volume-controller", "POST", home("persistentvolumeclaims"), boundClaim),
      bound,
    ],
    [
      "has the controller of StatefulSets make a claim that is bound",
      asController("statefulset-controller", "POST", home("persistentvolumeclaims"), boundClaim),
      bound,
    ],
  ],
  controls: {
    "has a ReplicaSet select the pods of a deleted Job, which are gone then": async (caller, sandbox) => {
      const labels = { app: "let-go" };
      const made = [
        await make("replicasets", replicas("taker", labels))(caller, sandbox),
        await make("jobs", job("let-go", labels))(caller, sandbox),
      ];
      await podOf("let-go", caller, sandbox);
      const deleted = await remove(home("jobs/let-go?propagationPolicy=Orphan"))(caller, sandbox);
      await until(
        async () => (await sandbox.names("pod", { namespace: "mallory", labelSelector: "app=let-go" })).length === 0,
      );
      return made.find(({ status }) => status >= 400) ?? deleted;
    },
  },
};
