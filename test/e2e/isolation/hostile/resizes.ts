import type { V1Pod } from "@kubernetes/client-node";
import { until } from "../../program/workloads.ts";
import {
  type Ask,
  abroad,
  create,
  type Group,
  home,
  image,
  inside,
  made,
  merge,
  pod,
  policy,
  rbac,
  refused,
} from "./attempt.ts";

const little = { cpu: "20m", memory: "1Mi" };
const twice = { cpu: "40m", memory: "2Mi" };
const container = (resources: object) => ({ spec: { containers: [{ name: "web", ...resources }] } });
const resources = (requests: object, limits: object = requests) => container({ resources: { requests, limits } });

const resize = (path: string, change: object): Ask => merge(`${path}/resize`, change);
const nowhere = { nodeSelector: { no: "where" } };
/** A pod without labels, by which a controller would adopt it. */
const lone = (...of: Parameters<typeof pod>) => ({ ...pod(...of), metadata: { name: of[0] } });
const sized = home("pods/sized");
const stuck = home("pods/stuck");

/** Makes a pod that runs as its kubelet says, and does the next with it. */
const running = (name: string, next: Ask, ...conditions: readonly object[]): Ask =>
  made("pods", lone(name, {}, { resources: { requests: little, limits: twice } }), async (caller, sandbox) => {
    const live = async () => (await sandbox.get<V1Pod>("pod", name, "mallory")).status;
    // Its kubelet would write over it before.
    await until(async () => (await live())?.phase === "Running");
    const status = await live();
    await sandbox.patch("pod/status", name, "mallory", {
      status: {
        conditions: [...(status?.conditions ?? []), ...conditions],
        containerStatuses: (status?.containerStatuses ?? []).map((each) => ({
          ...each,
          allocatedResources: little,
          resources: { requests: little, limits: twice },
        })),
      },
    });
    return next(caller, sandbox);
  });
const infeasible = { type: "PodResizePending", status: "True", reason: "Infeasible" };

/** What pods get, or keep from others, once they run. */
export const resizes: Group = {
  on: "resizes of running pods",
  attempts: [
    ...refused(/exceeded quota: quota, requested: limits.cpu=29960m,requests.cpu=29980m/, {
      "resizes a pod to all CPU of the node": resize(sized, resources({ cpu: "30" })),
    }),
    ...refused(/exceeded quota: quota, requested: limits.memory=102398Mi,requests.memory=102399Mi/, {
      "resizes a pod to the memory of a node": resize(sized, resources({ memory: "100Gi" })),
    }),
    ...refused(/minimum cpu usage per Container is 10m/, {
      "resizes a pod to less CPU than the kubelet gives at least": resize(sized, resources({ cpu: "9m" }, {})),
    }),
    [
      "resizes a pod beyond the quota, after a resize that its node can't do",
      resize(stuck, resources({ cpu: "30" })),
      policy("amounts", "Pod 'stuck' waits for a resize that its node can't do"),
    ],
    [
      "reserves a node by giving a pod requests of its own",
      // A node would have to say first that it can do that.
      made(
        "pods",
        lone("reserves", nowhere, { resources: { requests: little, limits: twice } }),
        resize(home("pods/reserves"), { spec: { resources: { requests: { cpu: "30" } } } }),
      ),
      // From 1.37 on, the pod itself gets limits, of as much as it requests, and the quota counts those.
      new RegExp(
        `${policy("amounts", "Pod 'reserves' has resources of the pod itself").source}|exceeded quota: quota, requested: limits.cpu=`,
      ),
    ],
    ...refused(/only cpu and memory resources are mutable/, {
      "gives a pod a device by a resize": resize(sized, resources({ "nvidia.com/gpu": "1" })),
    }),
    ["resizes a neighbour's pod", resize(abroad("pods/web"), resources({ cpu: "10m" })), rbac("patch", "pods/resize")],
  ],
  controls: {
    "resizes a pod": running("sized", resize(sized, resources(twice, { cpu: "50m", memory: "3Mi" }))),
    "resizes it back": resize(sized, resources(little, twice)),
    "has a pod whose node can't do its last resize": running("stuck", resize(stuck, {}), infeasible),
    "changes nothing else of a pod by a resize": async (caller, sandbox) => {
      const answer = await resize(sized, container({ image: "evil" }))(caller, sandbox);
      return (answer.body as V1Pod).spec?.containers[0]?.image === image ? answer : { ...answer, status: 500 };
    },
    "resizes a pod as a member without quota": [
      async (caller, sandbox) => {
        const path = inside("ada", "pods");
        const answer = await create(path, lone("sized", nowhere))(caller, sandbox);
        return answer.status === 201 ? resize(`${path}/sized`, resources({ cpu: "150m" }))(caller, sandbox) : answer;
      },
      "ada",
    ],
  },
};
