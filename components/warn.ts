import * as pulumi from "@pulumi/pulumi";

/** Shows warnings with the preview or the up, in their order. */
export async function warn(warnings: readonly (string | undefined)[]): Promise<void> {
  for (const warning of warnings.filter((each) => each !== undefined)) {
    await pulumi.log.warn(warning);
  }
}
