/** An extended resource that members of the type may have. */
export const gpu = "nvidia.com/gpu";

export const pods = "/api/v1/namespaces/ann/pods";
export const deployments = "/apis/apps/v1/namespaces/ann/deployments";

export const named = <T extends object>(name: string, rest: T) => ({ metadata: { name }, ...rest });
export const container = (resource?: string, amount = "1") => ({
  name: "main",
  image: "train:1",
  ...(resource === undefined ? {} : { resources: { limits: { [resource]: amount } } }),
});
export const pod = (name: string, resource?: string) => named(name, { spec: { containers: [container(resource)] } });
/** A pod with these extra fields in its spec. */
export const placed = (spec: object, name = "a") => named(name, { spec: { containers: [container()], ...spec } });
/** A request by ann, and the beginning of its refusal. */
export type Attempt = readonly [tries: string, method: "POST" | "PATCH", path: string, body: object, refusal: RegExp];

export const policy = (name: string, words: string) =>
  new RegExp(`ValidatingAdmissionPolicy 'kubecamp-${name}-admission' .*denied request: ${words}`);

export const deployment = (name: string, spec: object = {}) =>
  named(name, {
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container()], ...spec } },
    },
  });
