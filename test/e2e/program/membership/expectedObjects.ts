import { parseConfiguration } from "../../../../config/configuration.ts";
import { everyObject, type KubernetesObject, sharedObjects } from "../../../unit/everyObject.ts";
import type { Entry } from "../stack.ts";

/** What the API server adds to an object, by kind. */
const added: Readonly<Record<string, (object: KubernetesObject & Record<string, unknown>) => object>> = {
  Namespace: ({ metadata }) => ({
    metadata: {
      ...metadata,
      labels: { ...Object(metadata).labels, "kubernetes.io/metadata.name": metadata.name },
    },
    spec: { finalizers: ["kubernetes"] },
  }),
  // It writes numbers of thousands in its own way.
  ResourceQuota: ({ spec }) => JSON.parse(JSON.stringify({ spec }).replace(/"(\d+)000"/g, '"$1k"')),
  Service: ({ spec }) => ({ spec: { sessionAffinity: "None", ...Object(spec) } }),
};

/** Every object of a stack with one member, whose route is open, as the API server has them. */
export function expectedObjects(stack: string, entry: Entry): object[] {
  const parsed = parseConfiguration(
    stack,
    { route: { host: "camp.test", controller: "ingress-nginx" }, members: [entry] },
    "2026-06-15",
  );
  if ("mistakes" in parsed) {
    throw new Error(JSON.stringify(parsed.mistakes));
  }
  const { settings, members } = parsed.configuration;
  const objects = [...sharedObjects(settings), ...members.flatMap((member) => everyObject(member, settings))];
  return objects.map((object) => {
    const plain = JSON.parse(JSON.stringify(object));
    // The program gives each of them its field manager.
    plain.metadata.annotations["pulumi.com/patchFieldManager"] = "kubecamp";
    return { ...plain, ...added[object.kind]?.(plain) };
  });
}
