import type { V1DeviceClass, V1Node } from "@kubernetes/client-node";
import type { Settings } from "../../../config/model/settings/settings.ts";
import type { ApiServer } from "../../api/client.ts";
import { allOf, kinds, resourceOf } from "../../kinds/kinds.ts";
import { quantityValue } from "../../kinds/quantity.ts";
import { toleratingRefusals } from "../rights/refusals.ts";
import type { Hardware, LiveDeviceClass, LiveNode } from "../snapshot/snapshot.ts";

/**
 * Nodes and DeviceClasses, if a setting names pools or devices; undefined otherwise. Whatever the run, it goes on without
 * those that this identity may not list.
 */
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
