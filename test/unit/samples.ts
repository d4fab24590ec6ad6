import { parseConfiguration } from "../../config/configuration.ts";
import type { Member } from "../../config/member/member.ts";
import type { PlannedRoute } from "../../config/route/memberRoute.ts";
import type { Configuration, Settings } from "../../config/settings.ts";
import { isMap } from "../../config/values/maps.ts";
import { mistakeLines } from "../../config/values/mistakes.ts";

/** The day of every run in unit tests. */
export const today = "2026-06-15";

/** The routes of every stack whose routes a test is not about. */
export const route = { host: "camp.example.org", controller: "ingress-nginx" };

/** Whatever a stack's configuration is read from beside its settings. */
type Origin = Parameters<typeof parseConfiguration>[3];

/** A route with a controller, unless it names one or a kind. */
export const withController = (own: unknown) =>
  isMap(own) && own.kind === undefined ? { controller: route.controller, ...own } : own;

/** A stack's configuration from the values that a test is about; throws its mistakes. */
export function configuration(raw: Record<string, unknown>, origin?: Origin): Configuration {
  const parsed = parseConfiguration("dev", { ...raw, route: withController(raw.route ?? route) }, today, origin);
  if ("mistakes" in parsed) {
    throw new Error(JSON.stringify(parsed.mistakes));
  }
  return parsed.configuration;
}

/** The lines that a stack's configuration is refused with, as they are printed; none if it is taken. */
export function mistakes(raw: Record<string, unknown>, origin?: Origin): string[] {
  const parsed = parseConfiguration("dev", { ...raw, route: withController(raw.route ?? route) }, today, origin);
  return "mistakes" in parsed ? mistakeLines(parsed.mistakes) : [];
}

/** The same of a list of members in a stack that is right otherwise. */
export const mistakesOfMembers = (...members: readonly unknown[]): string[] => mistakes({ members });

export const settings: Settings = configuration({ members: [] }).settings;

/** Settings of a stack whose routes are a Gateway's. */
export function gatewaySettings(route: Record<string, unknown> = {}): Settings {
  const gateway = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };
  return configuration({ members: [], route: { host: "camp.example.org", ...gateway, ...route } }).settings;
}

/** The settings of a stack whose routes are Traefik's. */
export const traefikSettings = (route: Record<string, unknown> = {}): Settings =>
  configuration({
    members: [],
    route: { host: "camp.example.org", controller: "traefik", place: "controller", ...route },
  }).settings;

/** Settings of a login whose sign-in page is on a host. */
export const loginAt = (host: string) => ({
  kind: "oauth2-proxy",
  url: "http://oauth2-proxy.login.svc.cluster.local:4180",
  signIn: `https://${host}/oauth2/start`,
});

/** A server of buckets on which kubecamp makes members' keys. */
export const storage = {
  endpoint: "https://s3.example.org",
  users: "versitygw",
  accessKeyId: "admin",
  secretAccessKey: "top-secret",
};

/** A driver of buckets. */
export const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "gold", bucketAccessClassName: "key" };

/** A stack with that server. */
export const withBuckets = (...members: readonly object[]): Configuration => configuration({ members, storage });

/** A member from an entry of the configuration. */
export function member(entry: Record<string, unknown>): Member {
  const [made] = configuration({ members: [entry] }).members;
  if (made === undefined) {
    throw new Error("no member");
  }
  return made;
}

/** A route as it is by default, at an address. */
export const routeAt = (host: string, path: string): PlannedRoute => ({
  host,
  path,
  readiness: { mode: "gate", requires: "service", timeoutSeconds: 300, targetPort: 8080 },
});

export const alice = member({ member: "alice", type: "admin" });
export const bob = member({ member: "bob", type: "user" });
export const carol = member({ member: "carol", type: "guest-user" });

/** Names the field manager of all that a run declares. */
export const oneManager = { "pulumi.com/patchFieldManager": "kubecamp" };

/** Makes Pulumi delete an object at once, whatever depends on it. */
export const atOnce = { "pulumi.com/deletionPropagationPolicy": "background" };

export const labelsOf = (name: string) => ({
  "app.kubernetes.io/managed-by": "kubecamp",
  "app.kubernetes.io/part-of": "kubecamp",
  "kubecamp.dev/member": name,
  "kubecamp.dev/stack": "dev",
});
