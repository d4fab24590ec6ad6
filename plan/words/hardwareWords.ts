import { isDeviceClass } from "../../config/member/confinement.ts";
import { firstFew } from "../../config/values/sentences.ts";
import type { WarningFacts } from "./warningFacts.ts";
import { each, type Wording } from "./wording.ts";

/** Limits of names in a sentence. */
const mostNames = { devices: 5, labels: 10, members: 3, nodes: 3 };

/** Texts about nodes and devices that members' types name. */
export const hardwareWords: { readonly [C in "noDevice" | "pool"]: Wording<C> } = {
  noDevice: each(({ facts }) => {
    const { device, members, pool, devices, labels } = facts;
    const lacks = isDeviceClass(device)
      ? `there is no DeviceClass '${device}'`
      : `no node${pool === undefined ? "" : ` with ${pool}`} has the device '${device}'`;
    const there = devices.length === 0 ? "there are none" : `there are ${firstFew(devices, mostNames.devices)}`;
    const nodes = labels.length === 0 ? "" : `, and the nodes' labels are ${firstFew(labels, mostNames.labels)}`;
    return `devices: ${lacks}, so that pods of ${firstFew(members, mostNames.members)} that ask for it stay Pending; ${there}${nodes}`;
  }),
  pool: each(({ facts }) => `pool: ${poolText(facts)}`),
};

function poolText({ pool, members, problem }: WarningFacts["pool"]): string {
  const who = firstFew(members, mostNames.members);
  switch (problem.why) {
    case "noNodes": {
      const { labels } = problem;
      const there =
        labels.length === 0 ? "the nodes have none" : `the nodes' labels are ${firstFew(labels, mostNames.labels)}`;
      return `no node has the labels ${pool}, so that pods of ${who} stay Pending; ${there}`;
    }
    case "closed":
      return (
        `pods of ${who} don't tolerate the taints of the nodes with ${pool}, and stay Pending: ` +
        `add ${firstFew(problem.taints, mostNames.labels)} to the pool's tolerations`
      );
    case "open":
      return (
        `anybody's pods run on nodes of the pool ${pool} of ${who} that have none of the taints it tolerates: ` +
        `taint ${firstFew(problem.nodes, mostNames.nodes)} with 'kubectl taint node'`
      );
  }
}
