import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject, V1Pod, V1PodSpec, V1Service } from "@kubernetes/client-node";
import { listPath, objectPath } from "../../cluster/kinds/kinds.ts";
import { imageFilter, imageRules } from "../../config/images.ts";
import type { Member } from "../../config/member/member.ts";
import { confinedSpec } from "../../objects/starter/starterDeployment.ts";
import { type Player, type Stage, wordsOf } from "../stage/stage.ts";

/** A namespace to run pods in. */
export interface Place {
  readonly namespace: string;
  /** Absent for a namespace that is no member's. */
  readonly member?: Member;
  /** As the member, or as the kubeconfig's identity where a member may not make pods. */
  readonly ask: Player["ask"];
}

export interface Run {
  readonly name: string;
  readonly image: string;
  readonly script: string;
  readonly args: readonly string[];
  /** Whether it answers HTTP at `appPort`, and how the kubelet finds out. */
  readonly listens: boolean;
}

export const appPort = 8080;
/** A user ID that nobody has on any node. */
const nobody = 65_534;
/** Milliseconds between looks. */
const poll = 500;
/** Seconds without a container's ID, for a pod to be pulled and scheduled, and for all of it. */
const patience = { unreal: 5, starting: 30, all: 80 };

export const placeOf = ({ member, namespace, ask }: Player, stage: Stage): Place => ({
  member,
  namespace,
  ask: member.type.home === "edit" ? ask : asAdmin(stage),
});

export const asAdmin =
  ({ api }: Pick<Stage, "api">): Player["ask"] =>
  (method, path, body) =>
    api.ask({ what: `${method} ${path}`, method, path, body });

/** Serves a text at `/` and at a path. */
export const servingScript =
  'mkdir -p "/tmp/www$2" && echo "$1" >"/tmp/www$2/index.html" && echo "$1" >/tmp/www/index.html && ' +
  `exec httpd -f -p ${appPort} -h /tmp/www`;

/** It meets the Pod Security Standard `restricted`, and is where the type's pods have to be. */
export function podOf({ member, namespace }: Omit<Place, "ask">, { name, image, script, args, listens }: Run) {
  const resources = { cpu: "100m", memory: "64Mi" };
  const spec: V1PodSpec = {
    ...(member === undefined ? {} : confinedSpec(member.type)),
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: nobody,
      runAsGroup: nobody,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "verify",
        image,
        command: ["sh", "-c", script, "verify", ...args],
        resources: { limits: resources, requests: resources },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        ...(listens ? { readinessProbe: { httpGet: { path: "/", port: appPort }, periodSeconds: 1 } } : {}),
      },
    ],
  };
  return { apiVersion: "v1", kind: "Pod" as const, metadata: { name, namespace, labels: { app: name } }, spec };
}

/** Runs a pod until it is ready, or has ended if it does not listen. @throws Error that says why it does not run */
export async function runPod(stage: Stage, place: Place, run: Run): Promise<V1Pod> {
  refuseImage(place, run.image);
  await made(place, podOf(place, run));
  const path = objectPath({ kind: "Pod", name: run.name, namespace: place.namespace });
  const start = performance.now();
  for (;;) {
    const pod = (await stage.api.get<V1Pod>({ what: `the Pod '${place.namespace}/${run.name}'`, path })) ?? {};
    const why = obstacle(pod, run, (performance.now() - start) / 1000);
    if (why !== undefined) {
      throw new Error(`the pod '${run.name}' does not run: ${why}`);
    }
    if (run.listens ? isReady(pod) : endOf(pod) !== undefined) {
      return pod;
    }
    await sleep(poll, undefined, { signal: stage.signal });
  }
}

/** Makes a Service in front of a pod. @throws Error if it is refused */
export async function expose(place: Place, name: string, pod: string): Promise<V1Service> {
  return await made<V1Service>(place, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: place.namespace },
    spec: {
      selector: { app: pod },
      ipFamilyPolicy: "PreferDualStack",
      ports: [{ name: "http", port: 80, targetPort: appPort }],
    },
  });
}

async function made<T>(
  { ask, namespace }: Place,
  object: KubernetesObject & { readonly kind: "Pod" | "Service"; readonly spec: object },
): Promise<T> {
  const answer = await ask("POST", listPath(object.kind, namespace), object);
  if (answer.status >= 300) {
    throw new Error(`no ${object.kind} can be made: ${wordsOf(answer)}`);
  }
  return answer.body as T;
}

function refuseImage({ member }: Place, image: string): void {
  const rules = member?.images && imageRules(member.images);
  if (rules !== undefined && !imageFilter(rules)(image)) {
    throw new Error(
      `no pod can try it, as type '${member?.type.name}' may not run the image: add '${image}' to its images, or name one of its own with --image`,
    );
  }
}

const containerOf = ({ status }: V1Pod) => status?.containerStatuses?.[0];

/** What a container wrote before it ended. */
export const endOf = (pod: V1Pod): string | undefined => containerOf(pod)?.state?.terminated?.message;

const isReady = ({ status }: V1Pod) =>
  status?.podIP !== undefined &&
  status.containerStatuses?.[0]?.containerID !== undefined &&
  status.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;

/** Why a pod gets no further, in the scheduler's or the kubelet's words; undefined while it may. */
export function obstacle(pod: V1Pod, { listens }: Pick<Run, "listens">, seconds: number): string | undefined {
  const { phase, reason, message, conditions } = pod.status ?? {};
  const { state = {}, containerID } = containerOf(pod) ?? {};
  const { waiting, running, terminated } = state;
  if (terminated !== undefined && (listens || terminated.message === undefined)) {
    return `its container has ended: ${words(terminated.reason, terminated.message)} (${terminated.exitCode})`;
  }
  if (running !== undefined && containerID === undefined && seconds > patience.unreal) {
    return "no container ran, as where nodes are simulated: its status has no container ID";
  }
  if (phase === "Failed" && terminated === undefined) {
    return words(reason, message);
  }
  const unscheduled = conditions?.find(({ type, status }) => type === "PodScheduled" && status === "False");
  const isStarting = waiting?.reason === "ContainerCreating" || waiting?.reason === "PodInitializing";
  const late = unscheduled ?? (isStarting ? undefined : waiting);
  if (late !== undefined && seconds > patience.starting) {
    return words(late.reason, late.message);
  }
  return seconds > patience.all ? `it is not done after ${patience.all} s` : undefined;
}

const words = (...parts: readonly (string | undefined)[]) => parts.filter((part) => part).join(": ");
