import * as pulumi from "@pulumi/pulumi";
import { keyOf } from "../cluster/kinds/objectName.ts";
import { type ObjectPatch, patchEach } from "../cluster/write/patchEach.ts";
import type { Settings } from "../config/settings.ts";
import { warningsOf } from "../plan/words/catalogue.ts";
import type { Finding } from "../plan/words/finding.ts";
import { givenRun } from "./givenRun.ts";

/** Tells findings to the run's command; without one, Pulumi logs them with the preview or the up, grouped by subject. */
export async function warn(findings: readonly Finding[]): Promise<void> {
  const run = givenRun();
  run?.told.warnings.push(...findings);
  for (const { text } of run === undefined ? warningsOf(findings) : []) {
    await pulumi.log.warn(text);
  }
}

export async function inform(findings: readonly Finding[]): Promise<void> {
  const run = givenRun();
  run?.told.notices.push(...findings);
  for (const { text } of run === undefined ? warningsOf(findings) : []) {
    await pulumi.log.info(text);
  }
}

/** Patches objects before Pulumi does. A refused patch is a warning, and everybody's run goes on. */
export async function patchOrWarn(
  patches: readonly ObjectPatch[],
  settings: Settings,
  code: "notTakenOff" | "accessNotEnded" = "notTakenOff",
): Promise<void> {
  const refused = await patchEach(patches, settings);
  await warn(refused.map(({ why, ...object }) => ({ code, object: keyOf(object), facts: { why } })));
}
