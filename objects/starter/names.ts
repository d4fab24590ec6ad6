import type { Member } from "../../config/member/member.ts";
import type { StarterPart } from "../../config/names/logicalNames.ts";
import { namespaceName, starterName, starterPagesName } from "../../config/names/names.ts";

/** Kinds of a starter app's objects besides the Service; the Deployment mounts the ConfigMap. */
export const starterKinds = ["ConfigMap", "Deployment"] as const;
export type StarterKind = (typeof starterKinds)[number];

const names: Readonly<Record<StarterKind, string>> = { ConfigMap: starterPagesName, Deployment: starterName };
/** Logical names of the objects after `<member>/starter/`. */
export const starterParts: Readonly<Record<StarterKind, StarterPart>> = {
  ConfigMap: "pages",
  Deployment: "deployment",
};

/** Files beside the pages that Caddy serves them with (objects/starter/caddy.ts); no page has such a name. */
export const caddyFiles = { config: "Caddyfile", template: "page.html" } as const;

/** Fields that a run leaves unchanged in objects left to the member: all of them. */
export const ignoredStarterFields: Readonly<Record<StarterKind | "Service", readonly string[]>> = {
  ConfigMap: ["metadata", "data"],
  Deployment: ["metadata", "spec"],
  Service: ["metadata", "spec"],
};

export const starterObject = <K extends StarterKind>(member: Pick<Member, "name">, kind: K) => ({
  kind,
  name: names[kind],
  namespace: namespaceName(member),
});

/** Labels by which a starter app's Deployment selects its pods; the Service selects by the first only. */
export const starterPodLabels = ({ name }: Pick<Member, "name">) => ({
  app: name,
  "app.kubernetes.io/name": starterName,
});
