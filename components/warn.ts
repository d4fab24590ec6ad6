import * as pulumi from "@pulumi/pulumi";
import { type Finding, textsOf } from "../plan/messages/catalogue.ts";

/** Shows what was found with the preview or the up, a warning for each matter. */
export async function warn(findings: readonly Finding[]): Promise<void> {
  for (const text of textsOf(findings)) {
    await pulumi.log.warn(text);
  }
}
