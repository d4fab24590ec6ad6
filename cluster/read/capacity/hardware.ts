import type { V1DeviceClass, V1Node } from "@kubernetes/client-node";
import type { Settings } from "../../../config/model/settings/settings.ts";
import type { ApiServer } from "../../api/client.ts";
import { allOf, kinds, resourceOf } from "../../kinds/kinds.ts";
import { quantityValue } from "../../kinds/quantity.ts";
import { toleratingRefusals } from "../rights/refusals.ts";
import type { Hardware, LiveDeviceClass, LiveNode } from "../snapshot/snapshot.ts";

/** Kinds that tell about what a stack's settings name. */
const hardwareKindsOf = ({ confinement: { devices, pools } = {} }: Pick<Settings, "confinement">) => [
  ...(devices !== undefined || pools !== undefined ? (["Node"] as const) : []),
  ...(devices === undefined ? [] : (["DeviceClass"] as const)),
];

/**
 * Nodes and DeviceClasses, if a setting names pools or devices; undefined otherwise. Whatever the run, it goes on without
 * those that this identity may not list.
 */
export async function readHardware(
  settings: Pick<Settings, "confinement">,
  server: Pick<ApiServer, "has" | "list">,
): Promise<Hardware | undefined> {
  const wanted = hardwareKindsOf(settings);
  if (wanted.length === 0) {
    return undefined;
  }
  const { lists, refused } = toleratingRefusals(server);
  const { apiVersion } = kinds.DeviceClass;
  const takesClasses = wanted.some((kind) => kind === "DeviceClass");
  const hasClasses = takesClasses && (await server.has(resourceOf("DeviceClass"), apiVersion));
  const [nodes, classes] = await Promise.all([
    lists.list<V1Node>(allOf("Node")),
    hasClasses ? lists.list<V1DeviceClass>(allOf("DeviceClass")) : [],
  ]);
  return {
    ...(refused.has("Node") ? {} : { nodes: nodes.map(nodeOf) }),
    ...(refused.has("DeviceClass") || !takesClasses ? {} : { deviceClasses: classes.map(deviceClassOf) }),
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
