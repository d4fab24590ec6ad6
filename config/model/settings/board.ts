import type { LoginSettings } from "../routes/route.ts";

/** Headers in which the login's proxy names a visitor: controllers set them anew, whatever the visitor sends. */
export const boardHeaders = [
  "X-Auth-Request-User",
  "X-Auth-Request-Email",
  "X-Auth-Request-Preferred-Username",
] as const;

export type BoardHeader = (typeof boardHeaders)[number];

/** Port of the watch's probes and metrics in a Pod. */
export const metricsPort = 9464;

/** The pages about members that the watch serves. */
export interface BoardSettings {
  /** The host of the pages, which no member has. */
  readonly host: string;
  /** Port that the watch listens on. */
  readonly port: number;
  /** Login that the controller asks before it passes a request on, for everyone who has signed in. Default: `route.login`. */
  readonly login: LoginSettings;
  /** Header with a visitor's subject. */
  readonly header: BoardHeader;
  /** Whether the watch itself asks the login's proxy about each request, and goes by that header of its answer. */
  readonly verify: boolean;
  /** Subjects of those who see all members, as the header has them. */
  readonly admins: readonly string[];
}
