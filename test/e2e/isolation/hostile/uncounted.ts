import type { V1Pod } from "@kubernetes/client-node";
import { until } from "../../program/workloads.ts";
import type { Caller } from "../../support/signIn/signedIn.ts";
import {
  type Ask,
  change,
  claimSpec,
  deploy,
  evict,
  type Group,
  home,
  made,
  make,
  pod,
  policy,
  refused,
  remove,
  run,
  statefulSet,
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

const claim = (metadata: object, spec: object = {}) => ({ metadata, spec: claimSpec(spec) });
const waits = "persistentvolumeclaims/waits";
const bindCompleted = { "pv.kubernetes.io/bind-completed": "yes" };
const selectedNode = { "volume.kubernetes.io/selected-node": "node-000000" };
const volumeName = "large-local-volume";
const ofPod = (annotations: object, spec: object = {}) => ({
  volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: claim({ annotations }, spec) } }],
});
const claims = (annotations: object, spec: object = {}) =>
  make("statefulsets", statefulSet("claims", claim({ name: "data", annotations }, spec)));

const marked = (kind: string, name: string, key = "pv.kubernetes.io/bind-completed") =>
  policy("storage", `${kind} '${name}' claims a volume with the annotation '${key}'`);
const chosen = (kind: string, name: string) =>
  policy("storage", `${kind} '${name}' claims the volume 'large-local-volume' by its name`);

/** What would run on, or be theirs, while the quota counts something else. */
export const uncounted: Group = {
  on: "what the quota would not count",
  attempts: [
    ...refused(running, {
      "deletes a running pod at once, while its kubelet lets it run on": onNode(
        "runs",
        remove(home("pods/runs?gracePeriodSeconds=0")),
      ),
      "deletes a running pod at once, by the request's body": onNode("runs-still", ({ ask }) =>
        ask("DELETE", home("pods/runs-still"), atOnce),
      ),
      "deletes all running pods at once": onNode(
        "runs-too",
        remove(home("pods?fieldSelector=metadata.name%3Druns-too&gracePeriodSeconds=0")),
      ),
      "evicts a running pod at once": onNode("runs-on", evict("runs-on", atOnce)),
    }),
    ...refused(marked("PersistentVolumeClaim", "bound"), {
      "makes a claim that says it is bound to a larger volume of another class": make(
        "persistentvolumeclaims",
        claim({ name: "bound", annotations: bindCompleted }, { storageClassName: "slow", volumeName }),
      ),
    }),
    [
      "has an existing claim say that it is bound",
      change(waits, { metadata: { annotations: bindCompleted } }),
      marked("PersistentVolumeClaim", "waits"),
    ],
    ...refused(marked("PersistentVolumeClaim", "waits", "pv.kubernetes.io/bound-by-controller"), {
      "has an existing claim say that the controller bound it": change(waits, {
        metadata: { annotations: { "pv.kubernetes.io/bound-by-controller": "yes" } },
      }),
    }),
    ...refused(marked("(Pod|Deployment|StatefulSet)", "claims"), {
      "has a pod's volume make a claim that says it is bound": run("claims", ofPod(bindCompleted)),
      "has a Deployment's pods make claims that say they are bound": deploy("claims", ofPod(bindCompleted)),
      "has a StatefulSet make claims that say they are bound": claims(bindCompleted),
    }),
    ...refused(chosen("PersistentVolumeClaim", "(chosen|waits)"), {
      "chooses a volume for a new claim, however large the volume is": make(
        "persistentvolumeclaims",
        claim({ name: "chosen" }, { volumeName }),
      ),
      "chooses a volume for a claim that waits": change(waits, { spec: { volumeName } }),
    }),
    ...refused(chosen("(Pod|StatefulSet)", "claims"), {
      "chooses a volume for the claim that a pod makes": run("claims", ofPod({}, { volumeName })),
      "chooses a volume for the claims that a StatefulSet makes": claims({}, { volumeName }),
    }),
    [
      "has a volume bound for another's node, past the scheduler",
      make("persistentvolumeclaims", claim({ name: "placed", annotations: selectedNode })),
      marked("PersistentVolumeClaim", "placed", "volume.kubernetes.io/selected-node"),
    ],
    ...refused(marked("StatefulSet", "claims", "volume.kubernetes.io/selected-node"), {
      "has the volumes of a StatefulSet bound for another's node": claims(selectedNode),
    }),
  ],
  controls: {
    "deletes a pod at once that no node has": made(
      "pods",
      pod("waits", nowhere),
      remove(home("pods/waits?gracePeriodSeconds=0")),
    ),
    "deletes a pod at once whose spec says so": made(
      "pods",
      pod("ends-now", { terminationGracePeriodSeconds: 0 }),
      remove(home("pods/ends-now?gracePeriodSeconds=0")),
    ),
    "deletes a finished pod at once": onNode("is-over", async (caller, sandbox) => {
      // Its kubelet would write over it before.
      await until(async () => (await sandbox.get<V1Pod>("pod", "is-over", "mallory")).status?.phase === "Running");
      await sandbox.patch("pod/status", "is-over", "mallory", { status: { phase: "Succeeded" } });
      return remove(home("pods/is-over?gracePeriodSeconds=0"))(caller, sandbox);
    }),
    "deletes a running pod with a second to end": onNode(
      "ends-soon",
      remove(home("pods/ends-soon?gracePeriodSeconds=1")),
    ),
    "makes a claim that waits for a volume": make("persistentvolumeclaims", claim({ name: "waits" })),
    "annotates a claim that waits for a volume": change(waits, {
      metadata: { annotations: { a: "b" } },
    }),
    "runs a pod that makes a claim for itself": run("claims-some", { ...ofPod({ a: "b" }), ...nowhere }),
  },
};
