import { text } from "node:stream/consumers";
import { messageOf } from "../../cluster/api/errors.ts";
import { innermost } from "../../cluster/api/networkErrors.ts";
import { proxiedRequest } from "../../cluster/api/proxiedRequest.ts";
import type { OidcSettings } from "../../config/oidc.ts";
import type { Configuration } from "../../config/settings.ts";
import { defined, isMap, jsonIn } from "../../config/values/maps.ts";
import { broken, held, type Outcome, type Promised, type Tried, unproven } from "../outcome.ts";
import type { Trial } from "../trial.ts";

const promises = {
  issuer: {
    promise: "The issuer is found under its name, and signs with keys that the API server takes",
    page: "docs/run/sign-in.md#when-it-does-not-work",
  },
  claims: {
    promise: "The issuer's tokens have the claims with the user's name and groups",
    page: "docs/run/sign-in.md#1-make-a-client-at-the-issuer",
  },
  prefixes: {
    promise: "No token signs anybody in as a user or group of Kubernetes",
    page: "docs/run/sign-in.md#2-configure-the-api-server",
  },
  login: {
    promise: "Members get a token at a browser, and the API server takes it",
    page: "docs/run/sign-in.md#3-give-members-a-kubeconfig",
  },
} satisfies Record<string, Promised>;

/** Milliseconds for each request to the issuer. */
const patience = 10_000;

export async function trySignIn({ stage, configuration }: Trial): Promise<readonly Tried[]> {
  const { oidc } = configuration.settings;
  const { issuerUrl } = oidc;
  const by = issuerUrl ?? "the stack";
  const none = unproven("the stack's file has no oidc.issuerUrl in plain text: nobody knows here how members sign in");
  if (issuerUrl === undefined) {
    return Object.values(promises).map((promised) => ({ ...promised, by, outcome: none }));
  }
  const get = (url: string) => getJson(url, oidc.ca, stage.signal);
  const { issuer, claims } = await lookAt({ ...oidc, issuerUrl }, claimsOf(configuration), get);
  return [
    { ...promises.issuer, by, outcome: issuer },
    { ...promises.claims, by, outcome: claims },
    ...(["usernamePrefix", "groupsPrefix"] as const).map((key) => ({
      ...promises.prefixes,
      by: `oidc.${key}`,
      outcome: prefixOutcome(oidc[key]),
    })),
    {
      ...promises.login,
      by,
      outcome: unproven("needs a person at a browser: send one the files of 'kubecamp members invite'"),
    },
  ];
}

/** Those that tokens need beside `sub`, which all have. */
function claimsOf({ members, settings }: Configuration): readonly string[] {
  const { usernameClaim, groupsClaim } = settings.oidc;
  const hasGroups =
    members.some(({ groups }) => groups.length > 0) ||
    (settings.staff ?? []).some(({ subject }) => subject.kind === "Group");
  return [
    ...(usernameClaim === "sub" ? [] : [usernameClaim]),
    // The API server takes no address that is not verified.
    ...(usernameClaim === "email" ? ["email_verified"] : []),
    ...(hasGroups ? [groupsClaim] : []),
  ];
}

/** @param get gives the status, and the JSON or undefined; rejects where nothing answers */
export async function lookAt(
  { issuerUrl }: Pick<Required<OidcSettings>, "issuerUrl">,
  needed: readonly string[],
  get: (url: string) => Promise<readonly [status: number, body: unknown]>,
): Promise<{ readonly issuer: Outcome; readonly claims: Outcome }> {
  const both = (outcome: Outcome) => ({ issuer: outcome, claims: unproven("the issuer is not found") });
  const found = `${issuerUrl.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const [status, body] = await get(found);
    if (isElsewhere(status)) {
      return both(unproven(`${found}: ${status}`));
    }
    if (status !== 200 || !isMap(body)) {
      return both(broken(`asked ${found}`, status === 200 ? "it is no JSON object" : `${status}`));
    }
    const {
      issuer,
      jwks_uri: keys,
      id_token_signing_alg_values_supported: algorithms,
      claims_supported: claims,
    } = body;
    const wrong =
      issuer === issuerUrl
        ? withoutAlgorithm(algorithms)
        : `it calls itself ${JSON.stringify(issuer)}, as its tokens do`;
    return {
      issuer: wrong === undefined ? await keysOutcome(keys, get) : broken(`asked ${found}`, wrong),
      claims: claimsOutcome(needed, claims),
    };
  } catch (cause) {
    return both(unproven(`this machine can't ask it; the API server may: ${messageOf(cause)}`));
  }
}

/** Whether the issuer has not answered itself: the API server follows redirections. */
const isElsewhere = (status: number) => (status >= 300 && status < 400) || status >= 500;

/** With AuthenticationConfiguration; with `--oidc-…`, only RS256 unless a flag says so. */
const taken = /^(RS|ES|PS)(256|384|512)$/;

const withoutAlgorithm = (algorithms: unknown): string | undefined =>
  !Array.isArray(algorithms) || algorithms.some((each) => taken.test(String(each)))
    ? undefined
    : `it signs with ${algorithms.join(", ")}, which the API server does not take`;

async function keysOutcome(url: unknown, get: Parameters<typeof lookAt>[2]): Promise<Outcome> {
  if (typeof url !== "string" || !URL.canParse(url)) {
    return broken("looked for its keys", `its jwks_uri is ${JSON.stringify(url)}`);
  }
  const [status, body] = await get(url);
  if (isElsewhere(status)) {
    return unproven(`${url}: ${status}`);
  }
  const { keys } = Object(body) as { readonly keys?: unknown };
  const usable = (Array.isArray(keys) ? keys : []).filter((key) => {
    const {
      kty,
      use = "sig",
      alg,
    } = Object(key) as { readonly kty?: unknown; readonly use?: unknown; readonly alg?: unknown };
    return ["EC", "RSA"].includes(String(kty)) && use === "sig" && (alg === undefined || taken.test(String(alg)));
  });
  return usable.length > 0
    ? held
    : broken(`asked ${url}`, status === 200 ? "no key is one that the API server takes" : `${status}`);
}

function claimsOutcome(needed: readonly string[], claims: unknown): Outcome {
  const listed: readonly unknown[] = Array.isArray(claims) ? claims : [];
  const missing = needed.filter((claim) => !listed.includes(claim));
  return missing.length === 0
    ? held
    : unproven(`the issuer does not list ${missing.join(", ")} in claims_supported, which need not be complete`);
}

export function prefixOutcome(prefix: string): Outcome {
  if (prefix === "") {
    return broken(
      "read the settings",
      "it is empty: the issuer's names may be others', such as kubeadm:cluster-admins",
    );
  }
  // The rest of the name is the issuer's.
  return prefix.startsWith("system:") || "system:".startsWith(prefix)
    ? broken("read the settings", `names that begin with ${JSON.stringify(prefix)} may be Kubernetes' own`)
    : held;
}

async function getJson(url: string, ca: string | undefined, signal: AbortSignal): Promise<readonly [number, unknown]> {
  try {
    const response = await proxiedRequest(new URL(url), {
      method: "GET",
      headers: { accept: "application/json" },
      body: "",
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
      ...defined({ ca }),
    });
    return [response.statusCode ?? 0, jsonIn(await text(response))];
  } catch (cause) {
    throw new Error(`${url}: ${innermost(cause)}`, { cause });
  }
}
