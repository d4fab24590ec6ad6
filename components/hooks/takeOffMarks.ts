import * as pulumi from "@pulumi/pulumi";
import { keyOf } from "../../cluster/read/snapshot/snapshot.ts";
import { type ObjectPatch, patchEach } from "../../cluster/write/patchEach.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { warn } from "../warn.ts";

/**
 * Removes additions by hand before the provider applies the declared objects; a preview removes nothing. A failed
 * removal concerns one member: it is a warning, and the others' run goes on.
 */
export async function takeOffOrWarn(all: readonly ObjectPatch[], settings: Settings): Promise<void> {
  if (pulumi.runtime.isDryRun()) {
    return;
  }
  const refused = await patchEach(all, settings);
  await warn(refused.map(({ why, ...object }) => ({ code: "notTakenOff", object: keyOf(object), facts: { why } })));
}
