import * as pulumi from "@pulumi/pulumi";
import { upCommand } from "../config/sources/engine/upCommand.ts";
import { loggedText, warningsOf } from "../plan/messages/catalogue.ts";
import type { Finding } from "../plan/messages/finding.ts";

/** Logs findings with the preview or the up, grouped by subject. */
export async function warn(findings: readonly Finding[]): Promise<void> {
  for (const warning of warningsOf(findings, upCommand())) {
    await pulumi.log.warn(loggedText(warning));
  }
}

/** Logs findings likewise, as information. */
export async function inform(findings: readonly Finding[]): Promise<void> {
  for (const one of warningsOf(findings, upCommand())) {
    await pulumi.log.info(loggedText(one));
  }
}
