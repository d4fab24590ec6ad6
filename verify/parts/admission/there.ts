import { objectPath } from "../../../cluster/kinds/kinds.ts";
import { ciAccountName, policyNamesOf } from "../../../config/names/names.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Player } from "../../stage/stage.ts";
import { promisesPage } from "../pages.ts";
import { amountsPromise, mostPods } from "./amounts.ts";
import type { Asker, Attempt, Attempts, Request } from "./attempt.ts";
import { outlastsPromise } from "./objects.ts";
import { ownName, type Permitted } from "./permitted.ts";
import { forbiddenImage, imagesPromise } from "./pods.ts";

const strategic = "application/strategic-merge-patch+json";

/** Makes a pod that no node takes and a Deployment without pods, and removes both. Without them, requests about them say so. */
export async function withObjects<T>(
  { ask }: Pick<Asker, "ask">,
  { pod, deployment }: Permitted,
  work: () => Promise<T>,
): Promise<T> {
  const made = [
    pod({ pod: { schedulingGates: [{ name: "kubecamp.dev/verify" }] } }),
    deployment({ spec: { replicas: 0 } }),
  ];
  const all = (act: (of: Request) => Promise<unknown>) => Promise.allSettled(made.map(act));
  await all(({ method, path, body }) => ask(method, path, body));
  try {
    return await work();
  } finally {
    await all(({ path }) => ask("DELETE", `${path}/${ownName}`));
  }
}

/** Requests about one object, of which the first is permitted. */
function about(path: string, how: Pick<Request, "method" | "contentType">, permitted: object) {
  const like = { ...how, path, body: permitted };
  return (body: object): Attempt => ({ ...like, body, like });
}

/** What is tried on those two. */
export function onObjects({ container }: Permitted, { member, namespace }: Player): Attempts[] {
  const pod = objectPath({ kind: "Pod", name: ownName, namespace });
  const deployment = objectPath({ kind: "Deployment", name: ownName, namespace });
  const more = ({ resources: _, ...change }: Record<string, unknown>) => ({
    spec: { ephemeralContainers: [{ ...change, name: "more" }] },
  });
  const debug = about(`${pod}/ephemeralcontainers`, { method: "PATCH", contentType: strategic }, more(container()));
  const evicted = (deleteOptions: object) => ({
    ...{ apiVersion: "policy/v1", kind: "Eviction", metadata: { name: ownName, namespace } },
    deleteOptions,
  });
  const evict = about(`${pod}/eviction`, { method: "POST" }, evicted({}));
  const scale = about(`${deployment}/scale`, { method: "PATCH" }, { spec: { replicas: 0 } });
  const image = forbiddenImage(member);
  const pods = mostPods(member) + 1;
  return [
    {
      promise: "Pods don't reach the node",
      page: promisesPage,
      attempts: {
        "added a privileged container to a pod": debug(more(container({ securityContext: { privileged: true } }))),
      },
    },
    {
      ...imagesPromise,
      attempts:
        image === undefined ? {} : { "added a container off the list to a pod": debug(more(container({ image }))) },
    },
    {
      ...outlastsPromise,
      attempts: { "gave a pod ten years to end": evict(evicted({ gracePeriodSeconds: 315_360_000 })) },
    },
    { ...amountsPromise, attempts: { [`scaled a Deployment to ${pods} pods`]: scale({ spec: { replicas: pods } }) } },
  ];
}

/** Who may patch a workload and make none, as staff with `assist`. */
export const restarting = [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"] }];

export function ofRestarts({ namespace }: Player): Attempts {
  const ofPods = (template: object) => ({ spec: { template } });
  const patch = about(
    objectPath({ kind: "Deployment", name: ownName, namespace }),
    { method: "PATCH", contentType: strategic },
    ofPods({ metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": new Date().toISOString() } } }),
  );
  return {
    promise: "Who may restart a workload changes nothing else of it",
    page: promisesPage,
    attempts: {
      "changed a Deployment's image": patch(
        ofPods({ spec: { containers: [{ name: ownName, image: "kubecamp.invalid/x" }] } }),
      ),
      "scaled a Deployment by a patch": patch({ spec: { replicas: 1 } }),
      "mounted a Secret": patch(ofPods({ spec: { volumes: [{ name: "stolen", secret: { secretName: "x" } }] } })),
      "changed a Deployment's labels": patch({ metadata: { labels: { more: "1" } } }),
    },
  };
}

export const mayRestart = (settings: Settings): boolean => policyNamesOf(settings).includes("restarts");

/** Tokens for CI jobs, of a member who may have them. */
export function ofTokens({ pod }: Permitted, { member, namespace }: Player): Attempts {
  const account = objectPath({ kind: "ServiceAccount", name: ciAccountName, namespace });
  const token = about(`${account}/token`, { method: "POST" }, { spec: { expirationSeconds: 600 } });
  return {
    promise: "Tokens for CI jobs are good for an hour at most, for the API server alone, and in no pod",
    page: promisesPage,
    attempts:
      member.ci === undefined
        ? {}
        : {
            "asked for a token of two hours": token({ spec: { expirationSeconds: 7200 } }),
            "asked for a token for others": token({ spec: { audiences: ["kubecamp.invalid"] } }),
            "ran a pod with such a token": pod({ pod: { serviceAccountName: ciAccountName } }),
          },
  };
}
