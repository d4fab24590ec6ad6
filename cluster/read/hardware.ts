import type { KubernetesObject, V1DeviceClass, V1Node } from "@kubernetes/client-node";
import type { Confinement } from "../../config/member/confinement.ts";
import type { Settings } from "../../config/settings.ts";
import type { ApiServer } from "../api/client.ts";
import { allOf, type Kind, kinds, resourceOf } from "../kinds/kinds.ts";
import { quantityValue } from "../kinds/quantity.ts";
import { type Lists, toleratingRefusals } from "./rights.ts";
import type { ClassKind, Hardware, LiveClasses, LiveDeviceClass, LiveNode } from "./snapshot.ts";

/** If a setting names pools or devices. Whatever the run, it goes on without those that this identity may not list. */
export async function readHardware(
  { confinement: { devices, pools } = {} }: Pick<Settings, "confinement">,
  server: Pick<ApiServer, "has" | "list">,
): Promise<Hardware | undefined> {
  if (devices === undefined && pools === undefined) {
    return undefined;
  }
  const { lists, refused } = toleratingRefusals(server);
  const hasClasses =
    devices !== undefined && (await server.has(resourceOf("DeviceClass"), kinds.DeviceClass.apiVersion));
  const [nodes, classes] = await Promise.all([
    lists.list<V1Node>(allOf("Node")),
    hasClasses ? lists.list<V1DeviceClass>(allOf("DeviceClass")) : [],
  ]);
  return {
    ...(refused.has("Node") ? {} : { nodes: nodes.map(nodeOf) }),
    ...(refused.has("DeviceClass") || devices === undefined ? {} : { deviceClasses: classes.map(deviceClassOf) }),
    refused,
  };
}

function nodeOf({ metadata, spec, status }: V1Node): LiveNode {
  return {
    name: metadata?.name ?? "",
    labels: metadata?.labels ?? {},
    taints: (spec?.taints ?? []).map(({ key, value = "", effect }) => ({ key, value, effect })),
    devices: Object.entries(status?.allocatable ?? {}).flatMap(([resource, amount]) =>
      resource.includes("/") && (quantityValue(amount) ?? 0) > 0 ? [resource] : [],
    ),
  };
}

const deviceClassOf = ({ metadata, spec }: V1DeviceClass): LiveDeviceClass => ({
  name: metadata?.name ?? "",
  extendedResource: spec.extendedResourceName,
});

const settingsOf = { RuntimeClass: "runtimes", StorageClass: "storage" } as const satisfies Readonly<
  Record<ClassKind, keyof Confinement>
>;

/** Of the kinds that a setting names; undefined if none does. @param refused added to as it goes */
export async function readClasses(
  { confinement = {} }: Pick<Settings, "confinement">,
  server: Lists,
  refused: ReadonlyMap<Kind, string>,
): Promise<LiveClasses | undefined> {
  const wanted = (Object.keys(settingsOf) as ClassKind[]).filter((kind) => confinement[settingsOf[kind]] !== undefined);
  const lists = wanted.map(async (kind) => {
    const found = await server.list<KubernetesObject>({ ...allOf(kind), metadataOnly: true });
    return [kind, new Set(found.map(({ metadata }) => metadata?.name ?? ""))] as const;
  });
  const read = (await Promise.all(lists)).filter(([kind]) => !refused.has(kind));
  return wanted.length === 0 ? undefined : Object.fromEntries(read);
}

/** Whether there are MutatingAdmissionPolicies, as from Kubernetes 1.36 on; undefined if no setting takes them. */
export async function hasFillIns(
  { confinement }: Pick<Settings, "confinement">,
  server: Pick<ApiServer, "has">,
): Promise<boolean | undefined> {
  const kind = "MutatingAdmissionPolicy";
  return confinement?.fillsIn === true ? await server.has(resourceOf(kind), kinds[kind].apiVersion) : undefined;
}
