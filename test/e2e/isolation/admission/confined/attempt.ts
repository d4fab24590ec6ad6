import { type Ask, create, inside, named } from "../../hostile/attempt.ts";

/** An extended resource that members of the type may have. */
export const gpu = "nvidia.com/gpu";

export const pods = inside("ann", "pods");
export const deployments = inside("ann", "deployments");

export const container = (resource?: string, amount = "1") => ({
  name: "main",
  image: "train:1",
  ...(resource === undefined ? {} : { resources: { limits: { [resource]: amount } } }),
});
/** A pod with these extra fields in its spec. */
export const placed = (spec: object, name = "a") => named(name, { spec: { containers: [container()], ...spec } });
export const pod = (name: string, resource?: string, amount?: string) =>
  placed({ containers: [container(resource, amount)] }, name);

export const policy = (name: string, words: string) =>
  new RegExp(`ValidatingAdmissionPolicy 'kubecamp-${name}-admission' .*denied request: ${words}`);

export const deployment = (name: string, spec: object = {}) =>
  named(name, {
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container()], ...spec } },
    },
  });

/** Makes a pod or a Deployment named `a` with these extra fields. */
export const runs = (spec: object, namespace = "ann"): Ask => create(inside(namespace, "pods"), placed(spec));
export const deploys = (spec: object, namespace = "ann"): Ask =>
  create(inside(namespace, "deployments"), deployment("a", spec));
