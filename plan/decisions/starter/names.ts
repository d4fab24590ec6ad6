import type { ObjectName } from "../../../cluster/read/snapshot.ts";
import type { Member } from "../../../config/model/settings.ts";
import type { StarterPart } from "../../../naming/logicalNames.ts";
import { namespaceName, starterName, starterPagesName } from "../../../naming/names.ts";

/** Kinds of the two objects of a starter app, beside the Service; the Deployment mounts the ConfigMap. */
export const starterKinds = ["ConfigMap", "Deployment"] as const;
export type StarterKind = (typeof starterKinds)[number];

const names: Readonly<Record<StarterKind, string>> = { ConfigMap: starterPagesName, Deployment: starterName };
/** What follows `<member>/starter/` in the logical name of each. */
export const starterParts: Readonly<Record<StarterKind, StarterPart>> = {
  ConfigMap: "pages",
  Deployment: "deployment",
};

/** Files beside the pages that Caddy serves them by (plan/objects/starter/caddy.ts); no page is called so. */
export const caddyFiles = { config: "Caddyfile", template: "page.html" } as const;

/** What of these, and of the Service, stays as it stands where it is left to the member: all that each consists of. */
export const leftStarterFields: Readonly<Record<StarterKind | "Service", readonly string[]>> = {
  ConfigMap: ["metadata", "data"],
  Deployment: ["metadata", "spec"],
  Service: ["metadata", "spec"],
};

/** Whether an object is one of a starter app's, by its name: members have others of these kinds. */
export const isOfStarter = ({ kind, name }: Pick<ObjectName, "kind" | "name">): boolean =>
  starterKinds.some((each) => each === kind && names[each] === name);

/** What an object of a member's starter app is called. */
export const starterObject = <K extends StarterKind>(member: Pick<Member, "name">, kind: K) => ({
  kind,
  name: names[kind],
  namespace: namespaceName(member),
});

/** By what a starter app's Deployment knows its pods; the Service looks for the first alone. */
export const starterPodLabels = ({ name }: Pick<Member, "name">) => ({
  app: name,
  "app.kubernetes.io/name": starterName,
});
