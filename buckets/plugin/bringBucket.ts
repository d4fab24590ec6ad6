/** What is done with a bucket once it is there: its owner, who gets in, its versions, its mark. */

import type { ServerClients } from "../bucket/belongs.ts";
import { bring } from "../bucket/bring.ts";
import { markBucket } from "../bucket/create.ts";
import { type LiveBucket, liveBucket } from "../bucket/live.ts";
import { nextOwner } from "../bucket/owner.ts";
import type { BucketSettings } from "../bucket/settings.ts";
import { explained } from "../failures.ts";
import { isRefusal, type S3, S3Failure } from "../s3/s3.ts";
import type { UserAdmin } from "../users/userAdmin.ts";
import { creatorOf, ownersOf } from "./bucketOperation.ts";
import { serverName } from "./configuration.ts";
import type { Operation } from "./session.ts";

/** Milliseconds to take a bucket back in, also from an operation that was stopped. */
const patience = 30_000;

/**
 * One that was made or taken over is marked first: whatever ends the run, the next one knows it by that.
 * @param onMarked is called once it is
 */
export async function bringNew(
  operation: Operation,
  asked: ServerClients,
  settings: BucketSettings,
  onMarked: () => void,
): Promise<void> {
  const live = await lived(asked.s3, settings.bucketName);
  // What can't be done about its owner is known before anything is written.
  const owner = ownerOf(operation, asked, settings, { before: undefined, live: live.owner });
  await mark(operation, asked, settings);
  onMarked();
  await bringAll(operation, asked, settings, { live, owner });
}

/**
 * Of one that changes, who gets in comes first: nothing that its member has done to its mark keeps anybody in.
 * @param before who was declared to own it
 */
export async function bringChanged(
  operation: Operation,
  asked: ServerClients,
  settings: BucketSettings,
  { before, live }: { readonly before: string | undefined; readonly live: LiveBucket },
): Promise<void> {
  const owner = ownerOf(operation, asked, settings, { before, live: live.owner });
  await bringAll(operation, asked, settings, { live, owner });
  try {
    await mark(operation, asked, settings);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await sayAny(operation, `${explainedIn(operation, error)}; until then its tags don't say whose it is`);
  }
}

interface Now {
  readonly live: LiveBucket;
  /** Whom it has to be given to; undefined where it stays with whom it is. */
  readonly owner: string | undefined;
}

async function bringAll(operation: Operation, asked: ServerClients, settings: BucketSettings, now: Now): Promise<void> {
  const { s3, users } = asked;
  const { bucketName } = settings;
  const { administrator } = ownersOf(operation.session, users);
  const bringIt = async (live: LiveBucket) => sayAny(operation, await bring(s3, settings, live));
  if (now.owner === undefined || users === undefined) return bringIt(now.live);
  // With an owner, ACL and policy end: of whoever was let in, nobody is until they are written again.
  const isAdministrators = now.live.owner === administrator;
  if (!isAdministrators) await users.giveBucket(bucketName, administrator);
  const live = isAdministrators ? now.live : await lived(s3, bucketName);
  // What the server refuses of it, it refuses while its user may do no more than before.
  await bringIt(live);
  if (now.owner === administrator) return;
  await transfer(operation, { s3, users, owner: now.owner }, settings);
  // The ACL, and what the user may have done as its owner without a policy.
  await bringIt(await lived(s3, bucketName));
}

/**
 * Gives a bucket to a user. Without a policy, its owner may do everything with it; the server takes that away with the former
 * owner, so that it is written again at once. Where that fails, the bucket is the administrator's again, and lets nobody in.
 */
async function transfer(
  operation: Operation,
  { s3, users, owner }: { readonly s3: S3; readonly users: UserAdmin; readonly owner: string },
  { bucketName, policy }: BucketSettings,
): Promise<void> {
  const { session, who } = operation;
  try {
    await users.giveBucket(bucketName, owner);
    if (policy !== undefined) await s3.putBucketPolicy(bucketName, policy);
  } catch (error) {
    // What was asked before may have ended because the time was over, or because Pulumi was stopped.
    const again = session.server.users(AbortSignal.timeout(patience));
    const reported = await again?.giveBucket(bucketName, session.configuration.accessKeyId).then(
      () => `${who}: it is the administrator's again, and lets nobody in until a run succeeds`,
      (why: unknown) =>
        `${who}: its owner may do anything with it until a run succeeds, since it could not be given back to the ` +
        `administrator: ${explainedIn(operation, why)}`,
    );
    await sayAny(operation, reported);
    throw error;
  }
}

function ownerOf(
  { session }: Operation,
  { users }: ServerClients,
  settings: BucketSettings,
  was: Parameters<typeof nextOwner>[1],
): string | undefined {
  return nextOwner(settings, was, ownersOf(session, users));
}

async function mark(operation: Operation, { s3 }: ServerClients, settings: BucketSettings): Promise<void> {
  await sayAny(operation, await markBucket(s3, settings, creatorOf(operation.session, operation).mark));
}

async function sayAny({ session, urn }: Operation, note: string | undefined): Promise<void> {
  if (note !== undefined) await session.log.say("WARNING", urn, note);
}

function explainedIn({ session, who }: Operation, error: unknown): string {
  return explained(error, who, serverName(session.configuration)).message;
}

async function lived(s3: S3, bucketName: string): Promise<LiveBucket> {
  const live = await liveBucket(s3, bucketName);
  if (live !== undefined) return live;
  throw new S3Failure("GetBucketLocation", { code: "NoSuchBucket", status: 404, message: "it is not there" });
}
