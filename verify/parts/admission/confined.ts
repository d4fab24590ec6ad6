import { isDeepStrictEqual } from "node:util";
import { isKubernetesOwn, type Pool, tolerationText } from "../../../config/member/confinement.ts";
import type { Member } from "../../../config/member/member.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Attempts } from "./attempt.ts";
import { least, mayClaim, type Permitted } from "./permitted.ts";

const page = "docs/run/labs.md";
const other = "kubecamp.invalid";

/** What types allow, where some do. */
export function ofTypes(may: Permitted, { type, ...member }: Member, { confinement = {} }: Settings): Attempts[] {
  const { pools = [] } = confinement;
  return [
    { promise: "Pods have only the devices of their type", page, attempts: type.devices ? ofDevices(may) : {} },
    {
      promise: "Claims have only the StorageClasses of their type",
      page,
      attempts: type.storage && mayClaim({ ...member, type }) ? ofStorage(may) : {},
    },
    {
      promise: "Pods have only the RuntimeClasses of their type",
      page,
      attempts: type.runtimeClasses ? ofRuntimes(may) : {},
    },
    {
      promise: "Pods run on the nodes of their type, and on no pool of others",
      page,
      attempts: { ...(type.pool && ofOwnPool(may, type.pool)), ...ofOthersPools(may, pools, type.pool) },
    },
    {
      promise: "Root in pods is nobody on the node",
      page,
      attempts: type.userNamespaces
        ? { "ran a Deployment's pods as users of the node": may.deployment({ pod: { hostUsers: true } }) }
        : {},
    },
  ];
}

function ofDevices({ container, pod, deployment }: Permitted): Attempts["attempts"] {
  const limits = { ...least, [`${other}/device`]: "1" };
  const resources = { limits, requests: limits };
  return {
    "ran a pod with another device": pod({ container: { resources } }),
    "made a Deployment with another device in an init container": deployment({
      pod: { initContainers: [{ ...container({ resources }), name: "first" }] },
    }),
  };
}

const ofStorage = ({ claim }: Permitted): Attempts["attempts"] => ({
  "made a claim of another StorageClass": claim({ spec: { storageClassName: other } }),
  "made a claim of a volume without a StorageClass": claim({ spec: { storageClassName: "" } }),
});

/** Of a Deployment: of a pod, Kubernetes itself refuses a RuntimeClass that is not there. */
const ofRuntimes = ({ deployment }: Permitted): Attempts["attempts"] => ({
  "made a Deployment with another RuntimeClass": deployment({ pod: { runtimeClassName: other } }),
});

function ofOwnPool({ pod, deployment }: Permitted, { nodeSelector }: Pool): Attempts["attempts"] {
  const elsewhere = { nodeSelector: Object.fromEntries(Object.keys(nodeSelector).map((key) => [key, other])) };
  return {
    "ran a pod on other nodes": pod({ pod: elsewhere }),
    "made a Deployment for other nodes": deployment({ pod: elsewhere }),
  };
}

/** Taints and labels of the stack's pools, except those that the own pool has too. */
function ofOthersPools({ pod }: Permitted, pools: readonly Pool[], own: Pool | undefined): Attempts["attempts"] {
  const isOwn = (toleration: object) => own?.tolerations.some((each) => isDeepStrictEqual(each, toleration));
  const isChosen = (key: string) => isKubernetesOwn(key) || (own !== undefined && key in own.nodeSelector);
  const tolerations = pools.flatMap((pool) => pool.tolerations.filter((each) => !isOwn(each)));
  const labels = pools.flatMap((pool) => Object.entries(pool.nodeSelector).filter(([key]) => !isChosen(key)));
  return {
    ...Object.fromEntries(
      tolerations.map((each) => [
        `tolerated ${tolerationText(each)}, a taint of another pool`,
        pod({ pod: { tolerations: [each] } }),
      ]),
    ),
    ...Object.fromEntries(
      labels.map(([key, value]) => [
        `chose nodes by ${key}=${value}, a label of another pool`,
        pod({ pod: { nodeSelector: { [key]: value } } }),
      ]),
    ),
  };
}
