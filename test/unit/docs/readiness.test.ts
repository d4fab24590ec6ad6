import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveService } from "../../../cluster/read/snapshot/snapshot.ts";
import { stackLabel } from "../../../naming/labels.ts";
import { serviceReadiness } from "../../../plan/decisions/readiness.ts";
import { endingReason } from "../../../plan/membership/ending.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { liveService } from "../cluster/liveService.ts";
import { managedOf } from "../plan/planned.ts";
import { bob, configuration } from "../samples.ts";

const page = readFileSync(join(repository, "docs/run/readiness.md"), "utf8");

/** Reasons in a section's tables, up to where the page leaves out the rest. */
function quotedIn(heading: string): string[] {
  const [, section = ""] = page.split(`## ${heading}\n`);
  const [rows = ""] = section.split("\n## ");
  return [...rows.matchAll(/^\| `([^`]+)` \|/gm)].map(([, reason = ""]) => reason.replace(/ …$/, ""));
}

const servicesOf = (service?: LiveService) => new Map(service === undefined ? [] : [["bob/bob-svc", service] as const]);

function reasonFor(service?: Partial<LiveService>): string {
  const services = servicesOf(service && liveService({ selector: { app: "bob" }, ...service }));
  const readiness = serviceReadiness(bob, { port: 80, requires: "endpoints" }, { services });
  assert.ok(readiness.state === "pending");
  return readiness.reason;
}

describe("docs/run/readiness.md", () => {
  it("has the reasons why a route stays pending as the program gives them", () => {
    const reasons = [
      reasonFor(),
      reasonFor({ terminating: true }),
      reasonFor({ type: "NodePort" }),
      reasonFor({ selector: {} }),
      reasonFor({ ports: [8080] }),
      reasonFor({ readyPorts: [] }),
      reasonFor({ clusterIP: "None", readyPorts: [{ name: "", port: 8080 }] }),
      endingReason(bob, { forgotten: undefined }),
      endingReason(bob, { forgotten: new Set(["bob"]) }),
    ];
    const quoted = quotedIn("When a route stays pending");
    assert.deepEqual(
      reasons.filter((reason) => !quoted.includes(reason)),
      [],
    );
  });

  it("has the reasons why kubecamp can't mend a Service as the program gives them", () => {
    const { members, settings } = configuration({
      route: { host: "camp.example.org", readiness: { mode: "managed" } },
      members: [{ member: "bob", type: "user" }],
    });
    const [member = bob] = members;
    const changes: readonly Partial<LiveService>[] = [
      { clusterIP: "None" },
      { type: "NodePort" },
      { ports: [8080], portNames: { "8080/TCP": "" } },
      { labels: { [stackLabel]: "lab" } },
      { isLarge: true },
    ];
    const reasons = changes.map((change) => {
      const snapshot = { managedObjects: new Map(), services: servicesOf(liveService(change)) };
      return String(Object(managedOf(member, settings, snapshot)).obstacle);
    });
    const quoted = quotedIn("managed: kubecamp makes it").map((reason) => reason.split("…"));
    assert.deepEqual(
      reasons.filter((reason) => !quoted.some((parts) => parts.every((part) => reason.includes(part)))),
      [],
    );
  });
});
