import { kubectlDelete, serviceKey } from "../../cluster/kinds/objectName.ts";
import { isHeadless, portInTheWay, routedPortKey } from "../../cluster/read/services.ts";
import type { ClusterSnapshot, LiveService } from "../../cluster/read/snapshot.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { appliedAnnotation, madeAnnotation, memberLabel, memberLabels, stackLabel } from "../../config/names/labels.ts";
import { namespaceName, routedPort, routedPortName, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { defined } from "../../config/values/maps.ts";
import type { ServiceFields, ServicePort } from "../../objects/route/managedService.ts";
import { ownerOf } from "../live/owner.ts";
import { isUnread, serviceStands, uncheckedReason } from "../live/unread.ts";
import { lackOfHeadroom } from "./quotaHeadroom.ts";
import type { StarterPlan } from "./starterPlan.ts";

/** The annotation with the target port that the stack's settings, not the member, gave the Service. */
const targetPortAnnotation = "kubecamp.dev/target-port";

export interface ManagedService extends ServiceFields {
  /** Differences from the member's Service, for messages; empty if there are none, or the Service is new. */
  readonly mends: readonly string[];
  /** Whether the Service exists and no run has made it or taken it over. */
  readonly isTakenOver: boolean;
  /** Set for a Service that is registered without a change: it came with a starter app, and is the member's. */
  readonly isIgnored?: true;
}

export type ManagedPlan = { readonly service: ManagedService } | { readonly obstacle: string };

/**
 * Fit fields of a live Service are declared unchanged, since server-side apply would overwrite a selector as a whole;
 * unfit or missing ones as needed. Others, such as further ports, stay undeclared. Undefined if the member makes it.
 */
export function managedServiceOf(
  member: Member,
  starter: StarterPlan | undefined,
  settings: Pick<Settings, "stack" | "shards" | "route" | "starter">,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">,
): ManagedPlan | undefined {
  const { readiness } = member.route ?? {};
  const does = readiness?.mode === "managed" ? "made" : (starter?.service ?? "none");
  if (does === "none" || (does === "made" && !hasAccess(member))) {
    return undefined;
  }
  const hasStarter = starter !== undefined && starter.made.length + starter.left.length > 0;
  const target = hasStarter ? settings.starter.port : (readiness?.targetPort ?? settings.starter.port);
  const live = snapshot.services.get(serviceKey(namespaceName(member), serviceName(member)));
  if (isUnread("Service", snapshot) && !serviceStands(member, snapshot)) {
    return { obstacle: uncheckedReason(snapshot, "Service") };
  }
  if (does === "left") {
    // Nothing declared is applied then, but Pulumi reads it all the same.
    return live?.isMarked === true
      ? undefined
      : { service: { ...declared(member, target, settings, live), mends: [], isTakenOver: false, isIgnored: true } };
  }
  const obstacle = live === undefined ? noHeadroom(member, snapshot) : obstacleIn(live, member, settings);
  return obstacle === undefined
    ? { service: declared(member, target, settings, live) }
    : { obstacle: `Service '${serviceName(member)}' ${obstacle}` };
}

function noHeadroom(member: Member, snapshot: Pick<ClusterSnapshot, "managedObjects">): string | undefined {
  const why = lackOfHeadroom(member, "Service", snapshot, { isAfterQuota: true });
  return why === undefined ? undefined : `can't be made: ${why}`;
}

function obstacleIn(live: LiveService, member: Member, settings: Pick<Settings, "stack" | "shards" | "route">) {
  const name = serviceName(member);
  const namespace = namespaceName(member);
  const remove = `delete it ('${kubectlDelete([{ kind: "Service", name, namespace }])}'), and the next run makes one`;
  const edit = `'kubectl edit service ${name} -n ${namespace}'`;
  const { stack, member: owner } = ownerOf(live, settings, member);
  if (live.terminating) {
    return "is being deleted; the run after that makes one";
  }
  if (stack !== undefined || owner !== undefined) {
    const label = stack === undefined ? `${memberLabel}: ${owner}` : `${stackLabel}: ${stack}`;
    return `has the label ${label}, and so is somebody else's; take the label off (${edit})`;
  }
  if (live.isLarge === true) {
    return `has so many annotations or labels that nothing can be added; take some off (${edit}), or ${remove}`;
  }
  if (live.isMarked === true) {
    return `has a text that Pulumi takes for a mark of its own; take it off (${edit}), or ${remove}`;
  }
  if (isHeadless(live)) {
    return `is headless (clusterIP: None), which nobody can change; ${remove}`;
  }
  if (live.type !== "ClusterIP" && live.type !== "ExternalName") {
    return `is of type ${live.type}, and would lose its address; make it ClusterIP (${edit}), or ${remove}`;
  }
  const ours = routedPortKey(settings);
  const port = ours in live.portNames ? undefined : portInTheWay(live, settings);
  return port === undefined
    ? undefined
    : `has no port ${ours}, and can't get it while port ${port} has no name of its own; give it one (${edit})`;
}

function declared(
  member: Member,
  standardTarget: number | string,
  settings: Pick<Settings, "stack" | "route">,
  live: LiveService | undefined,
): ManagedService {
  const { [madeAnnotation]: made, [appliedAnnotation]: applied } = live?.annotations ?? {};
  const ours = routedPortKey(settings);
  const hasPort = live !== undefined && ours in live.portNames;
  const name = hasPort ? live.portNames[ours] : routedPortName(settings.route);
  // A target port from the settings follows them, unless the member has changed it since.
  const liveTarget = hasPort ? live.targetPorts[ours] : undefined;
  const isTheirTarget = liveTarget !== undefined && String(liveTarget) !== live?.annotations[targetPortAnnotation];
  const targetPort = isTheirTarget ? liveTarget : standardTarget;
  const ownSelector = { app: member.name };
  const hasSelector = live !== undefined && Object.keys(live.selector).length > 0;
  // Our labels, except the one that describes the Service to its maker, such as Helm: the member's value stays.
  const partOf = "app.kubernetes.io/part-of";
  const labels = { ...memberLabels(member, settings), ...defined({ [partOf]: live?.labels[partOf] }) };
  const isTakenOver = live !== undefined && made === undefined;
  const mends =
    live === undefined
      ? []
      : [
          ...(live.type === "ClusterIP" ? [] : [`type ClusterIP instead of ${live.type}`]),
          ...(hasSelector ? [] : [`selector app=${member.name}`]),
          ...(hasPort ? [] : [`port ${ours}`]),
          ...(liveTarget === undefined || String(liveTarget) === String(targetPort)
            ? []
            : [`target port ${targetPort} instead of ${liveTarget}`]),
          ...(isTakenOver || Object.entries(labels).every(([key, value]) => live.labels[key] === value)
            ? []
            : ["its labels"]),
        ];
  // The plugin compares this declaration with the last, not with the live object: a new annotation makes it apply again.
  const again = mends.length > 0 ? live?.resourceVersion : applied;
  const routed = { ...(name === "" ? {} : { name }), port: routedPort(settings.route), protocol: "TCP", targetPort };
  return {
    labels,
    selector: hasSelector ? live.selector : ownSelector,
    ports: [...(hasPort ? portsBefore(ours, live) : []), routed],
    annotations: {
      ...(made === undefined ? {} : { [madeAnnotation]: made }),
      ...(isTheirTarget ? {} : { [targetPortAnnotation]: String(targetPort) }),
      ...(again === undefined ? {} : { [appliedAnnotation]: again }),
    },
    mends,
    isTakenOver,
  };
}

/** The plugin compares lists by index; the API server decides whether a port that we add comes first or last. */
function portsBefore(ours: string, { portNames, targetPorts }: LiveService): ServicePort[] {
  const keys = Object.keys(portNames);
  return keys.slice(0, keys.indexOf(ours)).map((key) => {
    const [port, protocol = "TCP"] = key.split("/");
    const name = portNames[key] ?? "";
    return {
      ...(name === "" ? {} : { name }),
      port: Number(port),
      protocol,
      targetPort: targetPorts[key] ?? Number(port),
    };
  });
}
