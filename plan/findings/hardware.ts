import type { ClusterSnapshot, Hardware, LiveNode } from "../../cluster/read/snapshot.ts";
import {
  isDeviceClass,
  isKubernetesOwn,
  type Pool,
  poolName,
  tolerationText,
} from "../../config/member/confinement.ts";
import type { Member } from "../../config/member/member.ts";
import { compare } from "../../config/values/sentences.ts";
import type { Finding } from "../words/finding.ts";

type Seen = Pick<ClusterSnapshot, "hardware">;

/** Pools that no node is in, where a taint keeps out their own pods, or that keep nobody out. */
export function lackingPools(members: readonly Member[], { hardware }: Seen): Finding<"pool">[] {
  const { nodes } = hardware ?? {};
  const uses = members.flatMap((member) =>
    member.type.pool === undefined ? [] : [{ member, pool: member.type.pool }],
  );
  return [...Map.groupBy(uses, ({ pool }) => poolName(pool))].flatMap(([, all]): Finding<"pool">[] => {
    const [{ pool } = { pool: undefined }] = all;
    const problem = pool && nodes && problemOf(pool, nodes);
    const names = all.map(({ member }) => member.name);
    return pool === undefined || problem === undefined
      ? []
      : [{ code: "pool", facts: { pool: labelsText(pool.nodeSelector), members: names, problem } }];
  });
}

function problemOf(pool: Pool, nodes: readonly LiveNode[]): Finding<"pool">["facts"]["problem"] | undefined {
  const own = nodesOf(pool, nodes);
  if (own.length === 0) {
    return { why: "noNodes", labels: labelsOf(nodes) };
  }
  const strange = own.map((node) => closing(node).filter((taint) => !isTolerated(taint, pool)));
  if (strange.every((taints) => taints.length > 0)) {
    return { why: "closed", taints: once(strange.flat().map(taintText)) };
  }
  const open = own.filter((node) => !closing(node).some((taint) => isTolerated(taint, pool)));
  return open.length === 0 ? undefined : { why: "open", nodes: open.map(({ name }) => name) };
}

/** Devices that members may have and that no node has that their pods run on. */
export function lackingDevices(members: readonly Member[], { hardware }: Seen): Finding<"noDevice">[] {
  if (hardware === undefined) {
    return [];
  }
  const uses = members.flatMap(({ name, type: { devices = {}, pool } }) =>
    Object.keys(devices)
      .filter((device) => devices[device] !== 0)
      .map((device) => ({ name, device, pool })),
  );
  const alike = Map.groupBy(uses, ({ device, pool }) => `${device} ${pool === undefined ? "" : poolName(pool)}`);
  return [...alike.values()].flatMap((all): Finding<"noDevice">[] => {
    const [{ device, pool } = { device: "", pool: undefined }] = all;
    const found = devicesOf(device, pool, hardware);
    const names = all.map(({ name }) => name);
    return found === undefined || found.devices.includes(device)
      ? []
      : [
          {
            code: "noDevice",
            facts: { device, members: names, pool: pool && labelsText(pool.nodeSelector), ...found },
          },
        ];
  });
}

/** Devices on the cluster like this one; undefined if unknown, or if the pool has no node, which has its own warning. */
function devicesOf(
  device: string,
  pool: Pool | undefined,
  { nodes, deviceClasses }: Hardware,
): Pick<Finding<"noDevice">["facts"], "devices" | "labels"> | undefined {
  if (isDeviceClass(device)) {
    return deviceClasses && { devices: deviceClasses.map(({ name }) => name).sort(compare), labels: [] };
  }
  if (nodes === undefined || deviceClasses === undefined) {
    return undefined;
  }
  const where = pool === undefined ? nodes : nodesOf(pool, nodes);
  const byClass = deviceClasses.flatMap(({ extendedResource }) => extendedResource ?? []);
  return pool !== undefined && where.length === 0
    ? undefined
    : { devices: once([...where.flatMap(({ devices }) => devices), ...byClass]), labels: labelsOf(where) };
}

const nodesOf = ({ nodeSelector }: Pool, nodes: readonly LiveNode[]) =>
  nodes.filter(({ labels }) => Object.entries(nodeSelector).every(([key, value]) => labels[key] === value));

type Taint = LiveNode["taints"][number];

/** Taints that keep pods off a node; Kubernetes' own come and go with the node's state. */
const closing = ({ taints }: LiveNode) =>
  taints.filter(({ key, effect }) => effect !== "PreferNoSchedule" && !isKubernetesOwn(key));

const isTolerated = (taint: Taint, { tolerations }: Pool) =>
  tolerations.some(
    ({ key, operator, value, effect }) =>
      key === taint.key &&
      (effect === undefined || effect === taint.effect) &&
      (operator === "Exists" || value === taint.value),
  );

const taintText = (taint: Taint) => tolerationText({ ...taint, operator: "Equal" });

const labelsText = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");

const labelsOf = (nodes: readonly LiveNode[]) =>
  once(
    nodes.flatMap(({ labels }) =>
      Object.entries(labels).flatMap(([key, value]) => (isKubernetesOwn(key) ? [] : [`${key}=${value}`])),
    ),
  );

const once = (texts: readonly string[]) => [...new Set(texts)].sort(compare);
