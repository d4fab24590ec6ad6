import { present } from "../../model/maps.ts";
import type { NetworkAccess, NetworkException, NetworkPort } from "../../model/routes/network.ts";
import { defaultInternet } from "../../model/settings/defaults.ts";
import type { Valid } from "../../schema/issues.ts";
import type { NetworkAccessEntry, NetworkExceptionEntry } from "../../schema/routes/network.ts";

/** A member's allowed connections: those of all entries together, and `internet` from the first entry that has it. */
export function networkAccessOf(...entries: readonly (Valid<NetworkAccessEntry> | undefined)[]): NetworkAccess {
  const all = (way: "egress" | "ingress") => entries.flatMap((entry) => present(entry?.[way]).map(exceptionOf));
  return {
    internet: entries.find((entry) => entry?.internet !== undefined)?.internet ?? defaultInternet,
    egress: all("egress"),
    ingress: all("ingress"),
  };
}

function exceptionOf({ cidr, namespace = "", podLabels = {}, ports }: Valid<NetworkExceptionEntry>): NetworkException {
  return {
    peer: cidr === undefined ? { namespace, podLabels: podLabels as Record<string, string> } : { cidr },
    ports: present(ports).map((port) => {
      const [number, protocol = "TCP"] = String(port).split("/");
      return { port: Number(number), protocol: protocol as NetworkPort["protocol"] };
    }),
  };
}
