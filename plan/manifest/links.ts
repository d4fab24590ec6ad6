/** How an object depends on others of its member, and on what members share; all by what a run calls them. */
export interface Links {
  readonly dependencies: readonly string[];
  /** The namespace whose name is an input of the object; undefined for one elsewhere. */
  readonly home: string | undefined;
  /** Whether it goes with that namespace, without a call of its own. */
  readonly goesWithHome: boolean;
}

/** In the order in which runs make them: what depends on another comes after it. */
const order = [
  /^access\/[^/]+$/,
  /^access\/admission\/[^/]+$/,
  /^access\/admission\/[^/]+\/binding$/,
  /^namespace$/,
  /^(limits|isolation|service-account|quota)$/,
  /^bucket\//,
  /^service$/,
  /^starter\/pages$/,
  /^starter\/deployment$/,
  /^role\//,
  /^binding\//,
  /^others\//,
  /^route\/middleware$/,
  /^route\/transport$/,
  /^route\/service$/,
  /^route\/ingress$/,
  /^route\/backend-ca$/,
  /^route\/backend-tls$/,
  /^route\/http$/,
];
const rankOf = (part: string) => order.findIndex((pattern) => pattern.test(part));

/** Whether an object is made after another, for a sort. */
export const byOrder = (a: string, b: string) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1);

/**
 * What an object depends on, so that Pulumi deletes a member's keys and route before their guard rails and namespace, as
 * components/memberEnvironment.ts and components/clusterAccess.ts have it.
 * @param all what the member has, and what members share: nothing depends on what is not there
 */
export function linksOf(part: string, all: readonly string[]): Links {
  const there = (parts: readonly string[]) => parts.filter((each) => all.includes(each));
  const [home] = there(["namespace"]);
  const inside = (dependencies: readonly string[], goesWithHome = false): Links => ({
    dependencies: [...dependencies, ...there(["namespace"])],
    home,
    goesWithHome: goesWithHome && home !== undefined,
  });
  const elsewhere = (dependencies: readonly string[]): Links => ({
    dependencies,
    home: undefined,
    goesWithHome: false,
  });
  const guards = () => [
    ...all.filter((each) => /^access\/admission\/.*\/binding$/.test(each)),
    ...there(["limits", "isolation", "service-account", "quota"]),
  ];
  const [of, rest = ""] = part.split("/");
  switch (of) {
    case "access":
      return elsewhere(part.endsWith("/binding") ? there([part.slice(0, -"/binding".length)]) : []);
    case "namespace":
      return elsewhere([]);
    case "binding":
      return inside([...guards(), ...there([`role/${rest}`])]);
    case "others":
      return elsewhere([...guards(), ...there([`access/${rest}`])]);
    case "role": {
      // After all of a starter app, of which it says that it was made.
      const starter = there(["starter/pages", "starter/deployment"]);
      return inside(starter.length === 0 ? [] : [...starter, ...there(["service"])], true);
    }
    case "bucket": {
      // After the bucket, and what it is reached with.
      const user = part.endsWith("/secret") ? there(["bucket-user"]) : [];
      return inside([...there([`bucket/${rest}`]), ...user], true);
    }
    case "service":
      return inside(there(["quota"]));
    case "starter":
      return inside([...guards(), ...(rest === "deployment" ? there(["starter/pages"]) : [])], true);
    case "route": {
      // Each after the one before it, and the first after what any of them refers to.
      const before = all.filter((each) => each.startsWith("route/") && rankOf(each) < rankOf(part)).sort(byOrder);
      const first = there(["namespace", "service", "access/backend-ca"]);
      return elsewhere(before.length === 0 ? first : before.slice(-1));
    }
    default:
      return inside([], true);
  }
}
