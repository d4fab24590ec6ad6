import { imageFilter, imageRules, parseImageEntry } from "../../../config/images.ts";
import type { Member } from "../../../config/member/member.ts";
import { namespaceName, routedPort, serviceName } from "../../../config/names/names.ts";
import type { Settings } from "../../../config/settings.ts";
import { leastCpuMillicores } from "../../../config/values/values.ts";
import { cpuQuantity, memoryQuantity } from "../../../objects/quantity.ts";
import { confinedSpec } from "../../../objects/starter/starterDeployment.ts";

export type FirstApp = ReturnType<typeof appOf>;

/** Answers every path with a line of text, as any user; its default port is 5678. https://github.com/hashicorp/http-echo */
const echoImage = "docker.io/hashicorp/http-echo:1.0.0";

/** A user ID that nobody has on any node. */
const user = 65_532;

const appName = "web";

const most = { cpuMillicores: 100, memoryMiB: 64, ephemeralStorageMiB: 100 };

/** The app, or why the member can't run one; an inactive member has neither. */
export function firstApp(member: Member, settings: Pick<Settings, "route" | "starter">) {
  if (member.standing !== "active") {
    return undefined;
  }
  if (member.type.home === "view") {
    return { reason: "you can read what is in your namespace, but not change it" };
  }
  const image = imageFor(member.images);
  if (image === undefined) {
    return { reason: "your list of images is empty" };
  }
  const room = roomFor(member, settings);
  const full = Object.entries(room).find(([what, left]) => left < (what === "CPU" ? leastCpuMillicores : 1));
  if (full !== undefined) {
    return { reason: `your quota leaves no ${full[0]} for one` };
  }
  return { app: appOf(member, settings, image, room) };
}

/** Quota left beside the starter app; unlimited without a quota. */
function roomFor({ type, limits, starter }: Member, { starter: app }: Pick<Settings, "starter">) {
  const pods = starter === undefined ? 0 : app.replicas;
  const deployments = starter === undefined ? 0 : 1;
  const left = (whole: number, each: number, times = pods) =>
    type.quota ? whole - times * each : Number.POSITIVE_INFINITY;
  return {
    CPU: left(limits.maxCpuMillicores, app.cpuMillicores),
    memory: left(limits.maxMemoryMiB, app.memoryMiB),
    "space on the nodes": left(limits.maxEphemeralStorageMiB, limits.defaultEphemeralStorageMiB),
    pods: left(limits.pods, 1),
    objects: left(limits.objects, 1, deployments),
  };
}

function appOf(
  member: Member,
  { route }: Pick<Settings, "route">,
  image: { readonly name: string; readonly isStandIn: boolean },
  room: ReturnType<typeof roomFor>,
) {
  // The echo server speaks no TLS, and a starter app has the path already.
  const onPath = member.route !== undefined && member.starter === undefined && route.backend.protocol === "HTTP";
  const managed = onPath && member.route?.readiness.mode === "managed" ? member.route.readiness : undefined;
  const target = managed?.targetPort ?? 8080;
  const port = typeof target === "number" ? target : 8080;
  const portName = typeof target === "string" ? target : "http";
  const namespace = namespaceName(member);
  // A member may be called like the app, and their starter app's pods have the label app=MEMBER.
  const labels: Readonly<Record<string, string>> =
    managed === undefined ? { "app.kubernetes.io/name": appName } : { app: member.name };
  const service = {
    name: onPath ? serviceName(member) : appName,
    port: onPath ? routedPort(route) : 80,
  };
  const reserved = {
    cpu: cpuQuantity(Math.min(most.cpuMillicores, room.CPU)),
    memory: memoryQuantity(Math.min(most.memoryMiB, room.memory)),
  };
  const written = memoryQuantity(Math.min(most.ephemeralStorageMiB, room["space on the nodes"]));
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: appName, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      // The old pod goes first, so that an update needs no more room.
      strategy: { type: "Recreate" },
      template: {
        metadata: { labels },
        spec: {
          ...confinedSpec(member.type),
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: "RuntimeDefault" } },
          containers: [
            {
              name: appName,
              image: image.name,
              ...(image.isStandIn ? {} : { args: [`-listen=:${port}`, `-text=Hello from ${member.name}`] }),
              ports: [{ name: portName, containerPort: port }],
              resources: {
                limits: { ...reserved, "ephemeral-storage": written },
                // As in the LimitRange: some nodes don't count such storage, and have none to reserve.
                requests: { ...reserved, "ephemeral-storage": "0" },
              },
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
            },
          ],
        },
      },
    },
  };
  const ownService = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: service.name, namespace },
    spec: { selector: labels, ports: [{ port: service.port, targetPort: port }] },
  };
  return {
    manifests: managed === undefined ? [deployment, ownService] : [deployment],
    service,
    onPath,
    ...(image.isStandIn ? { standIn: image.name } : {}),
  };
}

/** The echo server if it is allowed, or else the first entry of the list with its open parts filled in. */
function imageFor(list: Member["images"]) {
  const rules = list === undefined ? undefined : imageRules(list);
  if (rules === undefined || imageFilter(rules)(echoImage)) {
    return { name: echoImage, isStandIn: false };
  }
  const [first] = list ?? [];
  const entry = first === undefined ? undefined : parseImageEntry(first);
  if (entry === undefined || typeof entry === "string") {
    return undefined;
  }
  const repository = entry.name.endsWith("/") ? `${entry.name}app` : entry.name;
  return { name: repository + (entry.version ?? ":latest").replaceAll("*", "0"), isStandIn: true };
}
