import { createHash } from "node:crypto";
import type { Member } from "../../config/member/member.ts";
import type { MemberType, StarterMode } from "../../config/member/types.ts";
import { pagesAnnotation, starterAnnotation } from "../../config/names/labels.ts";
import { namespaceName, routeUrl, starterName, starterPagesName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { isCaddy } from "../../config/starter.ts";
import { defined } from "../../config/values/maps.ts";
import { notAwaited } from "../deletion.ts";
import { count, cpu, type Fields, memory, ownAnnotations, ownMark, propertyPath } from "../field.ts";
import { metadataOf } from "../metadata.ts";
import { cpuQuantity, memoryQuantity } from "../quantity.ts";
import { pagesMount } from "./caddy.ts";
import { caddyFiles, starterPodLabels } from "./names.ts";
import { starterPages } from "./starterPages.ts";

/** A user ID that nobody has on any node. */
const user = 65_532;

/** Writable directory of a container with a read-only root file system. */
const scratchMount = "/tmp";

/** Numbers of pods above and below the replicas while pods are replaced. */
export interface RollingUpdate {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The old pod stays until the new one is ready. */
export const oneMore: RollingUpdate = { maxSurge: 1, maxUnavailable: 0 };

/** It meets the Pod Security Standard `restricted`, whatever the member's type enforces. */
export function starterDeployment(
  member: Member,
  mode: StarterMode,
  settings: Settings,
  rollingUpdate: RollingUpdate = oneMore,
) {
  const { starter } = settings;
  const labels = starterPodLabels(member);
  return {
    metadata: metadataOf(starterName, member, settings, {
      // An image that can't be pulled concerns one member: nobody else's run should wait for it.
      annotations: { [starterAnnotation]: mode, ...notAwaited },
    }),
    spec: {
      replicas: starter.replicas,
      revisionHistoryLimit: 2,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate },
      template: podTemplate(member, mode, settings),
    },
  };
}

export function podTemplate(member: Member, mode: StarterMode, settings: Settings) {
  const labels = starterPodLabels(member);
  return {
    metadata: { labels, annotations: { [pagesAnnotation]: digestOfPages(member, mode, settings) } },
    spec: {
      ...confinedSpec(member.type),
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: user,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [container(member, settings)],
      volumes: [
        { name: "pages", configMap: { name: starterPagesName } },
        { name: "scratch", emptyDir: {} },
      ],
    },
  };
}

/** New content needs new pods: an app that reads a file once would not notice the change. */
function digestOfPages(member: Member, mode: StarterMode, settings: Settings): string {
  const { data } = starterPages(member, mode, settings);
  return createHash("sha256").update(JSON.stringify(data)).digest("hex").slice(0, 16);
}

function container(member: Member, settings: Settings) {
  const { starter, route } = settings;
  const caddy = isCaddy(starter);
  const path = member.route?.path ?? "/";
  const resources = { cpu: cpuQuantity(starter.cpuMillicores), memory: memoryQuantity(starter.memoryMiB) };
  // The path of a request for the public path when it arrives here.
  const arriving = route.rewrite === "strip" ? "/" : path;
  const httpGet = { path: arriving, port: starter.port, scheme: route.backend.protocol };
  const env = {
    MEMBER: member.name,
    NAMESPACE: namespaceName(member),
    ...(member.route === undefined ? {} : { PUBLIC_URL: routeUrl(member.route), PUBLIC_PATH: path }),
    PORT: String(starter.port),
    ...(caddy ? { XDG_CONFIG_HOME: scratchMount, XDG_DATA_HOME: scratchMount } : {}),
  };
  return {
    name: starterName,
    image: starter.image,
    ...(caddy
      ? { command: ["caddy", "run", "--config", `${pagesMount}/${caddyFiles.config}`, "--adapter", "caddyfile"] }
      : {}),
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    ports: [{ name: "http", containerPort: starter.port, protocol: "TCP" }],
    resources: { limits: resources, requests: resources },
    readinessProbe: { httpGet, periodSeconds: 5, timeoutSeconds: 3 },
    livenessProbe: { httpGet, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    securityContext: {
      allowPrivilegeEscalation: false,
      // Caddy's binary has this file capability; a kernel that can't grant it does not start the binary: EPERM.
      capabilities: { drop: ["ALL"], ...(caddy ? { add: ["NET_BIND_SERVICE"] } : {}) },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [
      { name: "pages", mountPath: pagesMount, readOnly: true },
      { name: "scratch", mountPath: scratchMount },
    ],
  };
}

/** Fields of a pod's spec that a type's pods must have: also where the API server fills in nothing. */
export function confinedSpec({ runtimeClasses, pool, userNamespaces }: MemberType) {
  const runtimeClassName = runtimeClasses?.default ?? runtimeClasses?.allowed[0];
  return defined({
    runtimeClassName,
    nodeSelector: pool?.nodeSelector,
    tolerations: pool && [...pool.tolerations],
    hostUsers: userNamespaces && false,
  });
}

const ofContainer = (...path: readonly string[]) =>
  propertyPath(["spec", "template", "spec", "containers", `[${starterName}]`, ...path]);

export const starterDeploymentFields: Fields = {
  "spec.replicas": count("starter app's pods"),
  [ofContainer("image")]: { what: "starter app's image" },
  // Always equal, and so reported once.
  [ofContainer("resources", "limits", "cpu")]: cpu("starter app's CPU"),
  [ofContainer("resources", "requests", "cpu")]: cpu("starter app's CPU"),
  [ofContainer("resources", "limits", "memory")]: memory("starter app's memory"),
  [ofContainer("resources", "requests", "memory")]: memory("starter app's memory"),
  ...ownAnnotations(starterAnnotation),
  [propertyPath(["spec", "template", "metadata", "annotations", pagesAnnotation])]: ownMark,
};
