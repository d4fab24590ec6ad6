import { Refused } from "../failures.ts";
import { isMadeKey } from "../users/credentials.ts";
import { type BucketSettings, bucketOf } from "./settings.ts";

/** What of a server decides who owns its buckets. */
export interface Owners {
  /** The administrator's access key. */
  readonly administrator: string;
  /** Whether buckets can be given to others: the server has an API for users. */
  readonly givesBuckets: boolean;
}

/**
 * Whether a bucket is one of the users', and not the administrator's. Where no API for users is set, owners may be called in
 * any way, and only keys that kubecamp has made are known for users'.
 * @param owner undefined where the server doesn't say
 */
export function isUsers(owner: string | undefined, { administrator, givesBuckets }: Owners): owner is string {
  if (owner === undefined) return false;
  return givesBuckets ? owner !== administrator : isMadeKey(owner);
}

/**
 * To whom a bucket has to be given. None declared is the administrator: who owned it under a policy would be free of that.
 * @param before who was declared to own it, or was found to
 * @param live who owns it; undefined where the server doesn't say
 * @returns undefined where it stays with whom it is
 * @throws where it would have to be taken from a user, and no API for users is set any more
 */
export function nextOwner(
  settings: BucketSettings,
  { before, live }: { readonly before: string | undefined; readonly live: string | undefined },
  owners: Owners,
): string | undefined {
  const { bucketOwner } = settings;
  const isTaken = bucketOwner === undefined && (live === undefined ? before !== undefined : isUsers(live, owners));
  if (!owners.givesBuckets) {
    if (isTaken || before !== undefined) throw new Refused(`${bucketOf(settings)}: ${notTakenBack}`);
    return undefined;
  }
  const wanted = bucketOwner ?? (isTaken ? owners.administrator : undefined);
  return wanted === live ? undefined : wanted;
}

/** Why nothing is done to a user's bucket without the API for users. */
export const notTakenBack =
  "its owner is a user of the S3 server, which has no API for users any more to take it back by; " +
  "set 'users' as it was, then run again";
