import { z } from "zod";
import type { Valid } from "../values/issues.ts";
import { given, present } from "../values/maps.ts";
import { choiceOf, identity, optional, text } from "../values/values.ts";

/**
 * A proxy that the controller asks about each request before it passes it on.
 * @see https://oauth2-proxy.github.io/oauth2-proxy/features/endpoints
 */
export interface LoginSettings {
  readonly kind: "oauth2-proxy";
  /** Address of the proxy for the controller, without a path, as `http://oauth2-proxy.login.svc.cluster.local:4180`. */
  readonly url: string;
  /** URL where browsers sign in; present for a controller that sends them there itself. */
  readonly signIn?: string;
  /**
   * Visitors whom a path lets in: everyone that the proxy lets in (`members`), only its own member (`member`), or members of one
   * of these groups.
   */
  readonly allow: "members" | "member" | readonly string[];
}

export const defaultLogin = { allow: "members" } as const satisfies Partial<LoginSettings>;

export const address = /^https?:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[1-9][0-9]{0,4})?$/;

const page = /^https:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[1-9][0-9]{0,4})?(\/[-._~a-zA-Z0-9]+)*\/?$/;

/** The proxy reads commas between groups. */
export const group = identity.regex(/^[^,]*$/, "must be a group without a comma");

/** A login before members' paths. */
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
        description: "Address of the proxy for the controller's pods, without a path.",
        examples: ["http://oauth2-proxy.login.svc.cluster.local:4180"],
      }),
    signIn: optional(
      text
        .regex(page, "must be an https URL without a query, such as https://apps.example.org/oauth2/start")
        .refine((value) => URL.canParse(value), "must be a URL that exists"),
      "URL where browsers sign in. For `ingress-nginx`; with `traefik`, the proxy sends them on itself.",
      { examples: ["https://apps.example.org/oauth2/start"] },
    ),
    allow: optional(
      z.union(
        [choiceOf(["members", "member"]), z.array(group).min(1, "must name a group, or be members or member")],
        "must be members, member, or a list of groups",
      ),
      "Whom a path lets in: everyone whom the proxy does (`members`), only its member (`member`), or these groups.",
      { default: defaultLogin.allow, examples: [["staff", "cs101"]] },
    ),
  },
  "must be a map with kind and url",
);

export type LoginEntry = z.input<typeof loginSchema>;

/** The login with its defaults. Without a known address, as in a file with encrypted values, there is none. */
export function loginOf({ kind, url, signIn, allow }: Valid<LoginEntry>): LoginSettings | undefined {
  if (kind === undefined || url === undefined) {
    return undefined;
  }
  const allowed = typeof allow === "string" ? allow : allow === undefined ? defaultLogin.allow : present(allow);
  return { kind, url, ...given({ signIn }, "signIn"), allow: allowed };
}
