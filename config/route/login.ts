import { z } from "zod";
import type { EntryOf } from "../values/issues.ts";
import { defined, present } from "../values/maps.ts";
import { choiceOf, identity, optional, text } from "../values/values.ts";

const address = /^https?:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[1-9][0-9]{0,4})?$/;

const page = /^https:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[1-9][0-9]{0,4})?(\/[-._~a-zA-Z0-9]+)*\/?$/;

/** The proxy reads commas between groups. */
const group = identity.regex(/^[^,]*$/, "must be a group without a comma");

export const loginSchema = z.strictObject(
  {
    kind: choiceOf(["oauth2-proxy"]).meta({ description: "The only one is `oauth2-proxy`." }),
    url: text
      .regex(
        address,
        "must be the proxy's address without a path, such as http://oauth2-proxy.login.svc.cluster.local:4180",
      )
      .refine((value) => URL.canParse(value), "must be an address that exists")
      .meta({
        description: "Address of the proxy for the controller's pods, without a path; for a Gateway, a Service's.",
        examples: ["http://oauth2-proxy.login.svc.cluster.local:4180"],
      }),
    signIn: optional(
      text
        .regex(page, "must be an https URL without a query, such as https://apps.example.org/oauth2/start")
        .refine((value) => URL.canParse(value), "must be a URL that exists"),
      "URL where browsers sign in. For `ingress-nginx`; with others, the proxy sends them on itself.",
      { examples: ["https://apps.example.org/oauth2/start"] },
    ),
    allow: optional(
      z.union(
        [choiceOf(["members", "member"]), z.array(group).min(1, "must name a group, or be members or member")],
        "must be members, member, or a list of groups",
      ),
      "Whom a path lets in: everyone whom the proxy does (`members`), only its member (`member`), or these groups.",
      { default: "members", examples: [["staff", "cs101"]] },
    ),
  },
  "must be a map with kind and url",
);

export type LoginEntry = EntryOf<typeof loginSchema>;

/** A proxy that the controller asks about each request before it passes it on. */
export type LoginSettings = Readonly<NonNullable<ReturnType<typeof loginOf>>>;

/** The login with its defaults. Without a known address, as in a file with encrypted values, there is none. */
export function loginOf({ kind, url, signIn, allow = "members" }: LoginEntry) {
  return kind === undefined || url === undefined
    ? undefined
    : { kind, url, ...defined({ signIn }), allow: typeof allow === "string" ? allow : present(allow) };
}

/** The Service that an address is of; undefined if it is none in the cluster, or is asked over TLS. */
export function serviceAt(url: string, domain: string) {
  const { protocol, hostname, port } = new URL(url);
  const [name = "", namespace = "", svc, ...rest] = hostname.split(".");
  const isService = protocol === "http:" && svc === "svc" && ["", domain].includes(rest.join("."));
  return isService ? { name, namespace, port: port === "" ? 80 : Number(port) } : undefined;
}

/**
 * Headers with which the proxy says who has signed in, with its `--set-xauthrequest`. Controllers take what a visitor sends
 * under these names off. The visitor's access token is not among them: members' apps are not to have it.
 */
export const visitorHeaders: readonly string[] = [
  "X-Auth-Request-User",
  "X-Auth-Request-Email",
  "X-Auth-Request-Groups",
  "X-Auth-Request-Preferred-Username",
];

/** Names of a login's parts in the report. */
export const loginWords = {
  asked: "login before the path",
  letIn: "whom the login lets in",
  signIn: "page to sign in",
  headers: "headers about who signed in",
};
