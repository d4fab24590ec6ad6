import { messageOf } from "../../cluster/api/errors.ts";
import type { Tried } from "../outcome.ts";
import type { Trial } from "../trial.ts";
import { noneTried, tryKeys } from "./buckets/keys.ts";
import { serverOf, withBucketOwners } from "./buckets/owners.ts";

/** The keys of members with a bucket each, on the stack's S3 server. */
export async function tryBuckets({
  stage,
  configuration,
  opened = async () => configuration,
}: Trial): Promise<readonly Tried[]> {
  const { storage } = configuration.settings;
  if (storage === undefined) {
    return [];
  }
  if (storage.kind === "cosi") {
    return noneTried("a COSI driver makes buckets and keys, on a server that kubecamp does not know");
  }
  if (storage.users === undefined) {
    return noneTried("storage.users is not set: kubecamp can make no keys to try");
  }
  const whole = await opened().catch((error: unknown) => messageOf(error));
  if (typeof whole === "string" || whole.settings.storage?.kind !== "s3") {
    return noneTried(`storage.secretAccessKey can't be decrypted, as 'kubecamp up' does: ${whole}`);
  }
  const { settings } = whole;
  try {
    const session = await serverOf(whole.settings.storage, settings, stage);
    const members = stage.players.slice(0, 2).map(({ member }) => member);
    return await withBucketOwners(session, members, (owners) => tryKeys(session, owners));
  } catch (error) {
    return noneTried(messageOf(error));
  }
}
