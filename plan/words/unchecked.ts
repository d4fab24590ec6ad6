import { lineOf, listed, type WordsOf } from "./wording.ts";

export interface UncheckedWarnings {
  readonly unchecked: { readonly matter: string; readonly answer: string } | { readonly mayWrite: "no" | "unknown" };
  readonly offline: OfflineFacts & { readonly matter: OfflineMatter };
}

interface OfflineFacts {
  readonly clusterId: string | undefined;
  readonly routeNamespace: string;
  readonly isStateKnown: boolean;
}

export type OfflineMatter = keyof typeof offlineTexts;

export const uncheckedWords: WordsOf<UncheckedWarnings> = {
  unchecked: listed("Not checked, because this identity has no right to read these:", (one) =>
    lineOf(one, uncheckedText(one.facts)),
  ),
  offline: listed("Offline: this preview had no cluster. It can't know:", ({ facts }) =>
    lineOf({ object: facts.matter }, offlineText(facts)),
  ),
};

/** How a preview shows routes whose state is unknown. */
export const routesStand = (isStateKnown: boolean) =>
  isStateKnown
    ? "so that every route stays as Pulumi's state has it, unless the configuration closes it"
    : "so that every route is shown as open, since Pulumi's state could not be read either";

/** The API server asks for the right to write even for a dry run. A right to patch only some namespaces doesn't count. */
const untried = {
  no: "; it is shown as declared (this identity may not patch every namespace, not even in a dry run)",
  unknown: ", if a dry run is refused (the cluster does not tell whether this identity may patch namespaces)",
};

export const uncheckedText = (facts: UncheckedWarnings["unchecked"]): string =>
  "mayWrite" in facts
    ? `whether the API server and the cluster's policies accept new and changed objects${untried[facts.mayWrite]}`
    : `${facts.matter} (${facts.answer})`;

const offlineTexts = {
  cluster: ({ clusterId, routeNamespace }) => {
    const id = clusterId === undefined ? "" : ` (cluster.id is ${clusterId})`;
    return `whether it is there, is the right one${id}, and has the namespace '${routeNamespace}' (route.namespace)`;
  },
  ownership: () => "whether objects with members' names exist already and are somebody else's: that stops a run",
  removals: () =>
    "which members are on the cluster and not in the list, and what is lost with their namespaces, " +
    "so offboarding.maxRemovals and protect could not be checked",
  routes: ({ isStateKnown }) =>
    `which members' Services are there and fit, and changes of Services that kubecamp made, ${routesStand(isStateKnown)}`,
  drift: () => "whether somebody changed or deleted by hand what kubecamp made",
  quotas: () => "whether new limits are below what is used, and which pods a suspension stops",
  admission: () =>
    "whether the API server and the cluster's policies accept new objects, unless Pulumi's plugin finds a cluster",
  starters: () => "whether starter apps exist, and whether something else has their names",
  buckets: () => "whether their Secrets and ConfigMaps exist, and whether something else has their names",
  classes: () => "whether it has the StorageClasses and RuntimeClasses that members may use",
  hardware: () => "whether there are nodes in members' pools, and devices that members may use",
  adopt: () => "what is taken over, what is left alone, and what is in the way",
} satisfies Readonly<Record<string, (facts: OfflineFacts) => string>>;

export const offlineText = (facts: UncheckedWarnings["offline"]): string => offlineTexts[facts.matter](facts);
