import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveService } from "../../../cluster/read/snapshot.ts";
import { starterAnnotation } from "../../../naming/labels.ts";
import { limitRangeName, resourceQuotaName, starterName, starterPagesName } from "../../../naming/names.ts";
import { serviceReadiness } from "../../../plan/decisions/readiness.ts";
import { standardPage } from "../../../plan/objects/starter/standardPage.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
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

  it("put an app in the place of the starter's as the starter's own page does", () => {
    const [, patch = ""] = /(kubectl patch service [\s\S]*?\}\]')/.exec(pageOf("starter.md")) ?? [];
    const own = standardPage("once").replaceAll(" -n {namespace}", "").replaceAll("{member}", "bob");
    assert.notEqual(patch, "");
    assert.ok(own.includes(patch), patch);
  });
});
