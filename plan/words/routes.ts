import { each, eachMember, lineOf, listed, type Reason, type WordsOf } from "./wording.ts";

export interface RouteRefusals {
  readonly noController: {
    readonly namespace: string;
    readonly setting: string;
    readonly isTerminating: boolean;
    readonly install: string;
  };
  readonly pathTaken: { readonly url: string; readonly giver: string; readonly stack: string };
}

export interface RouteWarnings {
  /** A mistake in the configuration that stops no run. */
  readonly certificate: { readonly path: string; readonly message: string };
  readonly closing: Reason;
  /** A path that is open, at one of `route` and `route.also` alone. */
  readonly halfServed: Reason;
  readonly pending: Reason;
  readonly serviceMended: {
    /** Empty for a Service that is taken over unchanged. */
    readonly mends: readonly string[];
  };
  readonly unserved: {
    readonly gateway: string;
    /** Why the Gateway does not serve a member's route; absent if the finding is about the Gateway itself. */
    readonly refusal?: string;
    readonly state?: "absent" | "terminating" | { readonly unprogrammed: string };
  };
}

export const routeWords: WordsOf<RouteRefusals & RouteWarnings> = {
  noController: each(
    ({ facts: { namespace, setting, isTerminating, install } }) =>
      `namespace '${namespace}' (${setting}) ${isTerminating ? "is being deleted" : "does not exist"}; ${install}`,
  ),
  pathTaken: eachMember(
    ({ member, facts: { url, giver, stack } }) =>
      `${url} is still the address of member '${giver}', which this run does not cover; ` +
      `run for both: kubecamp up --stack ${stack} --member ${giver} --member ${member}`,
  ),
  certificate: each(({ facts: { path, message } }) => `${path}: ${message}`),
  closing: listed("Routes that were open, and that 'pulumi up' closes:", (one) => lineOf(one, one.facts.reason)),
  halfServed: listed("Paths that only one of route and route.also serves, until you do this:", (one) =>
    lineOf(one, one.facts.reason),
  ),
  pending: listed(
    ({ length }) =>
      `${length === 1 ? "A route is" : `${length} routes are`} pending, and will open with the first 'pulumi up' that finds a fit Service:`,
    (one) => lineOf(one, one.facts.reason),
  ),
  serviceMended: listed(
    "Services taken over or repaired by 'pulumi up' (route.readiness.mode: managed); their other fields stay:",
    ({ object = "", facts: { mends } }) => `${object} ${mends.length === 0 ? "as it is" : `with ${mends.join(", ")}`}`,
  ),
  unserved: (all) => {
    const refused = all.filter(({ facts }) => facts.refusal !== undefined);
    const lines = refused.map((one) => `  ${lineOf(one, one.facts.refusal)}`);
    const title = `Routes that ${gatewayOf(refused)} does not serve (docs/run/gateway.md):`;
    return [[...all.flatMap(gatewayText), ...(lines.length === 0 ? [] : [title, ...lines])].join("\n")];
  },
};

const gatewayOf = ([first]: readonly { readonly facts: RouteWarnings["unserved"] }[]) =>
  `Gateway '${first?.facts.gateway}'`;

function gatewayText({ facts: { gateway, state } }: { readonly facts: RouteWarnings["unserved"] }): string[] {
  const named = `Gateway '${gateway}' (route.gateway)`;
  if (state === undefined) {
    return [];
  }
  return typeof state === "string"
    ? [
        `${named} ${state === "absent" ? "does not exist" : "is being deleted"}: no member's path can be reached until ` +
          "there is one (docs/run/gateway.md)",
      ]
    : [
        `${named} is not programmed (${state.unprogrammed}): ` +
          "no member's path can be reached until a controller serves it (docs/run/gateway.md)",
      ];
}
