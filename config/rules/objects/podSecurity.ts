import { isMap } from "../../model/maps.ts";
import type { MemberType } from "../../model/members/memberTypes.ts";
import { type ContentProblem, containersIn } from "./podParts.ts";

type Map = Readonly<Record<string, unknown>>;

const mapOf = (value: unknown): Map => (isMap(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Fields of a pod's spec that the Pod Security Standard of its member's type refuses. Kubernetes would accept the Deployment
 * and refuse its pods, for every member.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export function podSecurityProblems(spec: Map, at: string, standard: MemberType["podSecurity"]): ContentProblem[] {
  const restricted = standard === "restricted";
  const ofPod = mapOf(spec.securityContext);
  const found = [
    ...baselinePod(spec, ofPod, at),
    ...containersIn(spec, at).flatMap(({ at: place, container }) => [
      ...baselineContainer(container, place),
      ...(restricted ? restrictedContainer(container, ofPod, place) : []),
    ]),
    ...(restricted ? restrictedVolumes(spec, at) : []),
  ];
  return found.map(({ field, message }) => ({ field, message: `${message} (Pod Security ${standard})` }));
}

const forbidden = (isForbidden: boolean, field: string, message: string): ContentProblem[] =>
  isForbidden ? [{ field, message }] : [];

function baselinePod(spec: Map, context: Map, at: string): ContentProblem[] {
  return [
    ...["hostNetwork", "hostPID", "hostIPC"].flatMap((field) =>
      forbidden(spec[field] === true, `${at}.${field}`, "shares the node's own"),
    ),
    ...listOf(spec.volumes).flatMap((volume, index) =>
      forbidden("hostPath" in mapOf(volume), `${at}.volumes[${index}].hostPath`, "is a folder of the node"),
    ),
    ...forbidden(listOf(context.sysctls).length > 0, `${at}.securityContext.sysctls`, "change the kernel's settings"),
    ...baselineContext(context, `${at}.securityContext`),
  ];
}

/** Fields that pods and containers have alike. */
function baselineContext(context: Map, at: string): ContentProblem[] {
  const { type } = mapOf(context.seccompProfile);
  const appArmor = mapOf(context.appArmorProfile).type;
  const { user, role } = mapOf(context.seLinuxOptions);
  return [
    ...forbidden(type === "Unconfined", `${at}.seccompProfile`, "switches seccomp off"),
    ...forbidden(appArmor === "Unconfined", `${at}.appArmorProfile`, "switches AppArmor off"),
    ...forbidden(user !== undefined || role !== undefined, `${at}.seLinuxOptions`, "sets a user or a role"),
    ...forbidden(mapOf(context.windowsOptions).hostProcess === true, `${at}.windowsOptions`, "runs on the node itself"),
  ];
}

/** Capabilities that any container may add. */
const harmless = [
  ...["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"],
  ...["SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"],
];

function baselineContainer(container: Map, at: string): ContentProblem[] {
  const context = mapOf(container.securityContext);
  const added = listOf(mapOf(context.capabilities).add).map(String);
  const strange = added.filter((capability) => !harmless.includes(capability));
  const { procMount } = context;
  return [
    ...forbidden(context.privileged === true, `${at}.securityContext.privileged`, "gives access to the whole node"),
    ...forbidden(strange.length > 0, `${at}.securityContext.capabilities.add`, `has ${strange.join(", ")}`),
    ...forbidden(
      procMount !== undefined && procMount !== "Default",
      `${at}.securityContext.procMount`,
      "is not Default",
    ),
    ...listOf(container.ports).flatMap((port, index) =>
      forbidden(Number(mapOf(port).hostPort ?? 0) !== 0, `${at}.ports[${index}].hostPort`, "opens a port of the node"),
    ),
    ...baselineContext(context, `${at}.securityContext`),
  ];
}

function restrictedContainer(container: Map, ofPod: Map, at: string): ContentProblem[] {
  const context = mapOf(container.securityContext);
  const { drop, add } = mapOf(context.capabilities);
  const { type } = mapOf(context.seccompProfile ?? ofPod.seccompProfile);
  const runAsNonRoot = context.runAsNonRoot ?? ofPod.runAsNonRoot;
  const runAsUser = context.runAsUser ?? ofPod.runAsUser;
  const place = `${at}.securityContext`;
  return [
    ...forbidden(runAsNonRoot !== true, `${place}.runAsNonRoot`, "is not true"),
    ...forbidden(runAsUser === 0, `${place}.runAsUser`, "is root"),
    ...forbidden(context.allowPrivilegeEscalation !== false, `${place}.allowPrivilegeEscalation`, "is not false"),
    ...forbidden(!listOf(drop).includes("ALL"), `${place}.capabilities.drop`, "does not have ALL"),
    ...forbidden(
      listOf(add).some((capability) => capability !== "NET_BIND_SERVICE"),
      `${place}.capabilities.add`,
      "has more than NET_BIND_SERVICE",
    ),
    ...forbidden(!["RuntimeDefault", "Localhost"].includes(String(type)), `${place}.seccompProfile`, "is missing"),
  ];
}

const volumeKinds = [
  ...["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected"],
  "secret",
];

const restrictedVolumes = ({ volumes }: Map, at: string): ContentProblem[] =>
  listOf(volumes).flatMap((volume, index) =>
    forbidden(
      Object.keys(mapOf(volume)).some((key) => key !== "name" && key !== "hostPath" && !volumeKinds.includes(key)),
      `${at}.volumes[${index}]`,
      `is none of ${volumeKinds.join(", ")}`,
    ),
  );
