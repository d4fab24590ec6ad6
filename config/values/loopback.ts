import { isIPv4 } from "node:net";

/** Whether a host of a URL or a setting is this machine itself, whatever the network says. */
export const isLoopback = (host: string): boolean =>
  ["localhost", "::1", "[::1]"].includes(host) || (isIPv4(host) && host.startsWith("127."));
