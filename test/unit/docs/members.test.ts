import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveService } from "../../../cluster/read/snapshot/snapshot.ts";
import { awakeUntilAnnotation, sleepAnnotation, starterAnnotation } from "../../../naming/labels.ts";
import { limitRangeName, resourceQuotaName, starterName, starterPagesName } from "../../../naming/names.ts";
import { serviceReadiness } from "../../../plan/decisions/readiness.ts";
import { sleepText } from "../../../plan/decisions/sleep.ts";
import { standardPage } from "../../../plan/objects/starter/standardPage.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { eventOf } from "../../../watch/telemetry/notices.ts";
import { liveService } from "../cluster/liveService.ts";
import { bob } from "../samples.ts";

const pageOf = (name: string) => readFileSync(join(repository, "docs/members", name), "utf8");

/** Why bob's path is not open. */
function reasonFor(service: Partial<LiveService> | undefined): string {
  const services = new Map(service === undefined ? [] : [["bob/bob-svc", liveService(service)]]);
  const readiness = serviceReadiness(bob, { port: 80, requires: "endpoints" }, { services });
  assert.ok(readiness.state === "pending");
  return readiness.reason;
}

describe("the pages for members", () => {
  it("have the reasons why a path is not open as the program gives them", () => {
    const reasons = [
      undefined,
      { type: "NodePort" },
      { selector: {} },
      { ports: [8080] },
      { readyPorts: [] },
      { clusterIP: "None", readyPorts: [{ name: "", port: 8080 }] },
    ].map(reasonFor);
    const told = [...pageOf("routes.md").matchAll(/^\| `([^`]*'bob-svc'[^`]*)` \|/gm)].map(([, reason = ""]) => reason);
    assert.equal(told.length, reasons.length);
    assert.deepEqual(
      reasons.filter((reason, index) => !reason.startsWith(told[index] ?? "nothing")),
      [],
    );
  });

  it("call the objects of an environment by their names", () => {
    const starter = pageOf("starter.md");
    assert.ok(starter.includes(`\`${starterPagesName}\``) && starter.includes(`\`${starterName}\``));
    assert.ok(starter.includes(`{.metadata.annotations.${starterAnnotation.replace(".", "\\.")}}`));
    const environment = pageOf("environment.md");
    assert.ok(environment.includes(`LimitRange \`${limitRangeName}\``));
    assert.ok(environment.includes(`exceeded quota: ${resourceQuotaName},`));
  });

  it("tell where to see a sleep, and what refuses pods, by the names that a run writes", () => {
    const page = pageOf("sleep.md");
    for (const annotation of [sleepAnnotation, awakeUntilAnnotation]) {
      assert.ok(page.includes(`{.metadata.annotations.${annotation.replace(".", "\\.")}}`), annotation);
    }
    assert.ok(page.includes(`exceeded quota: ${resourceQuotaName}, requested: pods=1`));
    const facts = { at: "2026-11-26T19:00:00Z", timeZone: "UTC", minutes: 15 };
    const { reason } = eventOf({ code: "sleepsSoon", member: "bob", facts }, new Date());
    assert.ok(page.includes(`reason=${reason} `), reason);
    // Reasons of Events begin so.
    const sleep = { since: "2026-11-26T19:00:00Z", until: "2026-11-27T06:00:00Z" };
    assert.match(sleepText({ sleep }), /^asleep since /);
    assert.ok(pageOf("routes.md").includes("`asleep since …`"));
  });

  it("put an app in the place of the starter's as the starter's own page does", () => {
    const [, patch = ""] = /(kubectl patch service [\s\S]*?\}\]')/.exec(pageOf("starter.md")) ?? [];
    const own = standardPage("once").replaceAll(" -n {namespace}", "").replaceAll("{member}", "bob");
    assert.notEqual(patch, "");
    assert.ok(own.includes(patch), patch);
  });
});
