import type { ClassKind } from "../../cluster/read/snapshot.ts";
import { anotherClusterText } from "../../config/cluster.ts";
import { isDeviceClass } from "../../config/member/confinement.ts";
import { nearest } from "../../config/values/nearest.ts";
import { firstFew } from "../../config/values/sentences.ts";
import { each, type WordsOf } from "./wording.ts";

export interface ClusterRefusals {
  readonly anotherCluster: { readonly id: string; readonly declared: string };
  readonly clusterDomain: { readonly found: string | undefined; readonly declared: string };
  readonly unknownClass: {
    readonly kind: ClassKind;
    readonly name: string;
    readonly members: readonly string[];
    readonly known: readonly string[];
  };
}

export interface ClusterWarnings {
  readonly domain: { readonly declared: string; readonly found: string | undefined };
  readonly noDevice: {
    readonly device: string;
    readonly members: readonly string[];
    readonly pool: string | undefined;
    readonly devices: readonly string[];
    readonly labels: readonly string[];
  };
  readonly pool: {
    readonly pool: string;
    readonly members: readonly string[];
    readonly problem:
      | { readonly why: "noNodes"; readonly labels: readonly string[] }
      | { readonly why: "closed"; readonly taints: readonly string[] }
      | { readonly why: "open"; readonly nodes: readonly string[] };
  };
  readonly lockFreed: { readonly stack: string; readonly holders: readonly string[] };
}

export const clusterWords: WordsOf<ClusterRefusals & ClusterWarnings> = {
  anotherCluster: each(({ facts: { id, declared } }) => anotherClusterText(id, declared)),
  clusterDomain: each(
    ({ facts: { found, declared } }) =>
      `the cluster's DNS domain is '${found}', as the API server's certificate says, but every path would lead to ` +
      `'${declared}' and answer 502; set domain: ${found} in kubecamp:cluster, or the one that is right`,
  ),
  unknownClass: each(({ facts: { kind, name, members, known } }) => {
    const who = firstFew(members, 3);
    const meant = nearest(name, known);
    const has = known.length === 0 ? "none" : firstFew(known, 5);
    return (
      `the cluster has no ${kind} '${name}', which ${who} may use${meant === "" ? "; make" : `${meant} Make`} it, ` +
      `or take it out of ${classSettings[kind]} (the cluster has ${has})`
    );
  }),
  domain: each(
    ({ facts: { declared, found } }) =>
      `cluster.domain is '${declared}', and the API server's certificate has '${found}': if paths answer 502, ` +
      "look up what the cluster's pods have in /etc/resolv.conf",
  ),
  noDevice: each(({ facts }) => {
    const { device, members, pool, devices, labels } = facts;
    const lacks = isDeviceClass(device)
      ? `there is no DeviceClass '${device}'`
      : `no node${pool === undefined ? "" : ` with ${pool}`} has the device '${device}'`;
    const there = devices.length === 0 ? "there are none" : `there are ${firstFew(devices, 5)}`;
    const nodes = labels.length === 0 ? "" : `, and the nodes' labels are ${firstFew(labels, 10)}`;
    return `devices: ${lacks}, so that pods of ${firstFew(members, 3)} that ask for it stay Pending; ${there}${nodes}`;
  }),
  pool: each(({ facts }) => `pool: ${poolText(facts)}`),
  lockFreed: each(
    ({ facts: { stack, holders } }) =>
      `freed the lock on stack '${stack}' that was left by ${holders.join(" and ")}, which is gone`,
  ),
};

function poolText({ pool, members, problem }: ClusterWarnings["pool"]): string {
  const who = firstFew(members, 3);
  switch (problem.why) {
    case "noNodes": {
      const { labels } = problem;
      const there = labels.length === 0 ? "the nodes have none" : `the nodes' labels are ${firstFew(labels, 10)}`;
      return `no node has the labels ${pool}, so that pods of ${who} stay Pending; ${there}`;
    }
    case "closed":
      return (
        `pods of ${who} don't tolerate the taints of the nodes with ${pool}, and stay Pending: ` +
        `add ${firstFew(problem.taints, 10)} to the pool's tolerations`
      );
    case "open":
      return (
        `anybody's pods run on nodes of the pool ${pool} of ${who} that have none of the taints it tolerates: ` +
        `taint ${firstFew(problem.nodes, 3)} with 'kubectl taint node'`
      );
  }
}

const classSettings: Readonly<Record<ClassKind, string>> = { RuntimeClass: "runtimeClasses", StorageClass: "storage" };
