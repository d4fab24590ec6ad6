import { getVersion } from "@pulumi/kubernetes/utilities.js";
import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import type { ApiObject as LiveResource } from "../../../../cluster/kinds/liveObject.ts";
import { managedObjectOf } from "../../../../cluster/read/snapshot/managedObjects.ts";
import {
  type ClusterSnapshot,
  type LiveObject,
  type ManagedObject,
  objectKey,
} from "../../../../cluster/read/snapshot/snapshot.ts";
import { bucketResources, storageProviderInputs } from "../../../../commands/up/plan/bucketResources.ts";
import { type KnownState, knownState, type Look } from "../../../../commands/up/plan/knownState.ts";
import { resourcesOf } from "../../../../commands/up/plan/resources.ts";
import { LastState } from "../../../../components/lastState.ts";
import { providerArgs } from "../../../../components/provider/providerArgs.ts";
import type { Configuration, Settings } from "../../../../config/model/settings/settings.ts";
import { madeAnnotation } from "../../../../naming/labels.ts";
import { statusesOf } from "../../../../plan/findings/status.ts";
import { declaredResources } from "../../../../plan/manifest/declaredResources.ts";
import type { State } from "../../../../runs/state/deployment.ts";
import { liveService } from "../../cluster/liveService.ts";
import { planOf } from "../../plan/planned.ts";

const start = "urn:pulumi:dev::kubecamp::";
/** The parent of all resources. */
export const root = {
  stack: `${start}pulumi:pulumi:Stack::kubecamp-dev`,
  provider: { urn: `${start}pulumi:providers:kubernetes::cluster`, id: "1" },
};

const storage = { urn: `${start}pulumi:providers:kubecamp-buckets::storage`, id: "2" };
/** The same of a stack with a server of buckets. */
export const rootOf = ({ storage: server }: Pick<Settings, "storage">) =>
  server?.kind === "s3" ? { ...root, storage } : root;

const texts = new WeakMap<Configuration, WeakMap<ClusterSnapshot, string>>();

/** A state as Pulumi exports it after a run that made all that is declared. Each is the caller's own, to be changed at will. */
export function stateAfter(configuration: Configuration, snapshot: ClusterSnapshot): Deployment {
  // Most tests of a file begin with the same one.
  const known = texts.get(configuration) ?? new WeakMap<ClusterSnapshot, string>();
  texts.set(configuration, known);
  const text = known.get(snapshot) ?? JSON.stringify(exported(configuration, snapshot));
  known.set(snapshot, text);
  return JSON.parse(text) as Deployment;
}

function exported({ settings, members }: Configuration, snapshot: ClusterSnapshot): object {
  const args = Object.entries(providerArgs(settings));
  const inputs = args.map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]);
  const statuses = statusesOf(planOf(members, settings, snapshot), {
    members,
    isWhole: true,
    removedMembers: [],
    waits: true,
  });
  const pending = Object.keys(statuses).filter((name) => statuses[name]?.state === "pending");
  const all = rootOf(settings);
  const of = { settings, clusterId: snapshot.id };
  const [server, buckets] = [storageProviderInputs(of, all), bucketResources(members, of, all)];
  const resources = [
    { urn: root.stack, type: "pulumi:pulumi:Stack", outputs: { members: statuses, pending } },
    {
      ...root.provider,
      type: "pulumi:providers:kubernetes",
      inputs: { ...Object.fromEntries(inputs), version: getVersion(), __internal: {} },
    },
    ...(server === undefined
      ? []
      : [{ ...storage, type: "pulumi:providers:kubecamp-buckets", inputs: { ...server, secretAccessKey: {} } }]),
    ...resourcesOf(declaredResources(planOf(members, settings, snapshot)), all, buckets).map((resource) => ({
      ...resource,
      // The plugin keeps the live object.
      outputs: resource.inputs,
    })),
    ...buckets,
  ];
  return { version: 3, deployment: { resources } };
}

/** A cluster on which all that is declared is there, and members' Services if they were. */
export function clusterAfter({ settings, members }: Configuration, before: ClusterSnapshot): ClusterSnapshot {
  const managedObjects = new Map<string, ManagedObject>();
  const namespaces = new Map(before.namespaces);
  const services = new Map(before.services);
  const live = (labels: Readonly<Record<string, string>>): LiveObject => ({ labels, terminating: false });
  namespaces.set(settings.route.namespace, live({}));
  for (const { live: object } of declaredResources(planOf(members, settings, before))) {
    const { name, namespace, labels = {} } = object.metadata;
    if (object.kind === "Service") {
      services.set(`${namespace}/${name}`, serviceAfter(object));
    } else {
      const { metadata, ...rest } = object;
      managedObjects.set(
        objectKey(object.kind, name, namespace),
        managedObjectOf(object.kind, { ...rest, metadata: { ...metadata, resourceVersion: "1" } as never }),
      );
    }
    if (object.kind === "Namespace") {
      namespaces.set(name, live(labels));
    }
  }
  return { ...before, managedObjects, namespaces, services };
}

/** The twin of a member's, or the one that kubecamp makes for them. */
function serviceAfter({ metadata, spec }: LiveResource) {
  const { labels = {}, annotations = {} } = metadata;
  const { selector, ports } = Object(spec) as { selector?: Record<string, string>; ports: readonly Port[] };
  return annotations[madeAnnotation] === undefined
    ? liveService({ labels, type: "ExternalName" })
    : liveService({
        ...{ labels, annotations, selector: selector ?? {}, ports: ports.map(({ port }) => port) },
        portNames: Object.fromEntries(ports.map(({ port, name }) => [`${port}/TCP`, name])),
        targetPorts: Object.fromEntries(ports.map(({ port, targetPort }) => [`${port}/TCP`, targetPort])),
      });
}

interface Port {
  readonly port: number;
  readonly name: string;
  readonly targetPort: number;
}

/** The same look at another cluster, or by other settings. */
export const replanned = (
  look: Look,
  change: Partial<ClusterSnapshot>,
  { settings, list }: Pick<Look, "settings" | "list"> = look,
): Look => ({
  ...planOf(list, settings, { ...look.snapshot, ...change }),
  state: look.state,
  last: look.last,
});

/** A look after a full run and no change. */
export function lookAfter(configuration: Configuration, before: ClusterSnapshot): Look {
  const { settings, members } = configuration;
  const snapshot = clusterAfter(configuration, before);
  const state = stateAfter(configuration, before);
  return { ...planOf(members, settings, snapshot), state: known(state), last: lastOf(state) };
}

export const known = (state: State): KnownState => knownState(state);

/** The same state, for a run's own questions. */
export const lastOf = (state: State): LastState => new LastState(async () => state);
