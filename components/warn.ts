import * as pulumi from "@pulumi/pulumi";
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

/** Tells findings to the run's command as information; without one, Pulumi logs them. */
export async function inform(findings: readonly Finding[]): Promise<void> {
  const run = givenRun();
  run?.told.notices.push(...findings);
  for (const { text } of run === undefined ? warningsOf(findings) : []) {
    await pulumi.log.info(text);
  }
}
