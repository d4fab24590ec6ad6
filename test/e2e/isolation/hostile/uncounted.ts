import { until } from "../../program/workloads.ts";
import type { Caller } from "../../support/signIn/signedIn.ts";
import {
  type Ask,
  type Attempt,
  create,
  evict,
  type Group,
  home,
  labels,
  made,
  named,
  patch,
  pod,
  policy,
  remove,
  template,
  workload,
} from "./attempt.ts";

const atOnce = { gracePeriodSeconds: 0 };
const nowhere = { nodeSelector: { no: "where" } };
const running = policy("finalizers", "Pod 'runs[-a-z]*' would be gone, and its share of the quota free");

/** Makes a pod, and ends it once a node has it. */
const onNode = (name: string, end: Ask): Ask =>
  made("pods", pod(name), async (caller, sandbox) => {
    await until(async () => (await specOf(caller, `pods/${name}`)).nodeName !== undefined);
    return end(caller, sandbox);
  });
const specOf = async ({ ask }: Caller, path: string) =>
  ((await ask("GET", home(path))).body as { spec: { nodeName?: string } }).spec;

/** Deletes a pod, which a finalizer keeps, and then asks for an earlier end. */
const cutShort =
  (name: string, seconds: string): Ask =>
  async (caller, sandbox) => {
    const keep = (finalizers: readonly string[] | null) =>
      sandbox.patch("pod", name, "mallory", { metadata: { finalizers } });
    await keep(["example.org/keep"]);
    await remove(home(`pods/${name}`))(caller, sandbox);
    const answer = await remove(home(`pods/${name}?gracePeriodSeconds=${seconds}`))(caller, sandbox);
    await keep(null);
    return answer;
  };

const claim = (metadata: object, spec: object = {}) => ({
  metadata,
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } }, ...spec },
});
const bindCompleted = { "pv.kubernetes.io/bind-completed": "yes" };
const selectedNode = { "volume.kubernetes.io/selected-node": "node-000000" };
const volumeName = "large-local-volume";
const ofPod = (annotations: object, spec: object = {}) => ({
  volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: claim({ annotations }, spec) } }],
});
const statefulSet = (annotations: object, spec: object = {}) =>
  named("claims", {
    spec: {
      selector: { matchLabels: labels },
      template: template(),
      volumeClaimTemplates: [claim({ name: "data", annotations }, spec)],
    },
  });

const marked = (kind: string, name: string, key = "pv.kubernetes.io/bind-completed") =>
  policy("storage", `${kind} '${name}' claims a volume with the annotation '${key}'`);
const chosen = (kind: string, name: string) =>
  policy("storage", `${kind} '${name}' claims the volume 'large-local-volume' by its name`);

/** What would run on, or be theirs, while the quota counts something else. */
export const uncounted: Group = {
  on: "what the quota would not count",
  attempts: [
    [
      "has a running pod be gone at once, while its kubelet lets it run on",
      onNode("runs", remove(home("pods/runs?gracePeriodSeconds=0"))),
      running,
    ],
    [
      "says so in the request's body",
      onNode("runs-still", ({ ask }) => ask("DELETE", home("pods/runs-still"), atOnce)),
      running,
    ],
    [
      "has all pods be gone at once",
      onNode("runs-too", remove(home("pods?fieldSelector=metadata.name%3Druns-too&gracePeriodSeconds=0"))),
      running,
    ],
    ["evicts one like that", onNode("runs-on", evict("runs-on", atOnce)), running],
    ...["1", "-1"].map(
      (seconds): Attempt => [
        `has a pod that ends be gone sooner (${seconds})`,
        onNode(`runs-last${seconds}`, cutShort(`runs-last${seconds}`, seconds)),
        running,
      ],
    ),
    [
      "makes a claim that says that it is bound, to a larger volume of another class",
      create(
        home("persistentvolumeclaims"),
        claim({ name: "bound", annotations: bindCompleted }, { storageClassName: "slow", volumeName }),
      ),
      marked("PersistentVolumeClaim", "bound"),
    ],
    [
      "has a claim say so that is there",
      patch(home("persistentvolumeclaims/waits"), { metadata: { annotations: bindCompleted } }),
      marked("PersistentVolumeClaim", "waits"),
    ],
    [
      "has it name another sign of the controller's",
      patch(home("persistentvolumeclaims/waits"), {
        metadata: { annotations: { "pv.kubernetes.io/bound-by-controller": "yes" } },
      }),
      marked("PersistentVolumeClaim", "waits", "pv.kubernetes.io/bound-by-controller"),
    ],
    [
      "has a pod's volume make such a claim",
      create(home("pods"), pod("claims", ofPod(bindCompleted))),
      marked("Pod", "claims"),
    ],
    [
      "has a Deployment's pods make them",
      create(home("deployments"), workload("claims", ofPod(bindCompleted))),
      marked("Deployment", "claims"),
    ],
    [
      "has a StatefulSet make them",
      create(home("statefulsets"), statefulSet(bindCompleted)),
      marked("StatefulSet", "claims"),
    ],
    [
      "chooses a volume, however large it is",
      create(home("persistentvolumeclaims"), claim({ name: "chosen" }, { volumeName })),
      chosen("PersistentVolumeClaim", "chosen"),
    ],
    [
      "chooses one for a claim that waits",
      patch(home("persistentvolumeclaims/waits"), { spec: { volumeName } }),
      chosen("PersistentVolumeClaim", "waits"),
    ],
    [
      "has a pod's volume choose one",
      create(home("pods"), pod("claims", ofPod({}, { volumeName }))),
      chosen("Pod", "claims"),
    ],
    [
      "has a StatefulSet choose one",
      create(home("statefulsets"), statefulSet({}, { volumeName })),
      chosen("StatefulSet", "claims"),
    ],
    [
      "has a volume bound for another's node, past the scheduler",
      create(home("persistentvolumeclaims"), claim({ name: "placed", annotations: selectedNode })),
      marked("PersistentVolumeClaim", "placed", "volume.kubernetes.io/selected-node"),
    ],
    [
      "has a StatefulSet do so",
      create(home("statefulsets"), statefulSet(selectedNode)),
      marked("StatefulSet", "claims", "volume.kubernetes.io/selected-node"),
    ],
  ],
  controls: [
    [
      "deletes a pod at once that no node has",
      made("pods", pod("waits", nowhere), remove(home("pods/waits?gracePeriodSeconds=0"))),
    ],
    [
      "deletes a pod at once whose spec says so",
      made(
        "pods",
        pod("ends-now", { terminationGracePeriodSeconds: 0 }),
        remove(home("pods/ends-now?gracePeriodSeconds=0")),
      ),
    ],
    [
      "deletes a finished pod at once",
      onNode("is-over", async (caller, sandbox) => {
        await sandbox.patch("pod/status", "is-over", "mallory", { status: { phase: "Succeeded" } });
        return remove(home("pods/is-over?gracePeriodSeconds=0"))(caller, sandbox);
      }),
    ],
    ["has a running pod end soon", onNode("ends-soon", remove(home("pods/ends-soon?gracePeriodSeconds=1")))],
    ["makes a claim that waits for a volume", create(home("persistentvolumeclaims"), claim({ name: "waits" }))],
    [
      "changes what it says of itself",
      patch(home("persistentvolumeclaims/waits"), { metadata: { annotations: { a: "b" } } }),
    ],
    [
      "has a pod make a claim for itself",
      create(home("pods"), pod("claims-some", { ...ofPod({ a: "b" }), ...nowhere })),
    ],
  ],
};
