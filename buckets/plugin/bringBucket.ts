import { messageOf } from "../../cluster/api/errors.ts";
import { type Creator, markBucket } from "../bucket/create.ts";
import { bring } from "../bucket/hold.ts";
import { type LiveBucket, liveBucket } from "../bucket/live.ts";
import { type BucketSettings, bucketOf, nextOwner, type Owners, type ServerClients } from "../bucket/settings.ts";
import { InitFailed } from "../protocol/messages.ts";
import type { Props } from "../protocol/values.ts";
import type { S3 } from "../s3/awsS3.ts";
import { explained, isRefusal, S3Failure } from "../s3/failures.ts";
import type { UserAdmin } from "../s3/versitygw.ts";
import { serverName } from "./configuration.ts";
import type { Operation, Session } from "./session.ts";

/** Milliseconds to take a bucket back, also after the operation was stopped. */
const patience = 30_000;

export function operationOf(session: Session, urn: string, settings: BucketSettings): Operation {
  return { session, urn, who: bucketOf(settings) };
}

export function creatorOf({ configuration }: Session, urn: string): Creator {
  return { mark: { stack: configuration.stack, urn }, administrator: configuration.accessKeyId };
}

export function ownersOf({ configuration }: Session, users: UserAdmin | undefined): Owners {
  return { administrator: configuration.accessKeyId, givesBuckets: users !== undefined };
}

/** For a bucket that may differ from its settings: Pulumi records these inputs, and the next run brings it to them. */
export function initFailed(error: unknown, asked: Props): InitFailed {
  return new InitFailed(messageOf(error), { id: String(asked.bucketName), state: asked, reasons: [] });
}

/** Brings a bucket that was made or taken over to its settings. Its tags come first: by them the next run knows it. */
export async function bringNew(operation: Operation, asked: ServerClients, settings: BucketSettings): Promise<void> {
  const live = await lived(asked.s3, settings.bucketName);
  // Before any write: throws if the owner can't be changed.
  const owner = nextOwner(settings, { before: undefined, live: live.owner }, ownersOf(operation.session, asked.users));
  await mark(operation, asked, settings);
  await bringAll(operation, asked, settings, { live, owner });
}

/** Brings a changed bucket to its settings. Access comes first: nothing a member does to the tags keeps it open. */
export async function bringChanged(
  operation: Operation,
  asked: ServerClients,
  settings: BucketSettings,
  { before, live }: { readonly before: string | undefined; readonly live: LiveBucket },
): Promise<void> {
  const owner = nextOwner(settings, { before, live: live.owner }, ownersOf(operation.session, asked.users));
  await bringAll(operation, asked, settings, { live, owner });
  try {
    await mark(operation, asked, settings);
  } catch (error) {
    if (!isRefusal(error)) {
      throw error;
    }
    await sayAny(operation, `${explainedIn(operation, error)}; until then its tags don't name its owner`);
  }
}

interface Now {
  readonly live: LiveBucket;
  /** The new owner; undefined if the owner stays. */
  readonly owner: string | undefined;
}

async function bringAll(operation: Operation, asked: ServerClients, settings: BucketSettings, now: Now): Promise<void> {
  const { s3, users } = asked;
  const { bucketName } = settings;
  const { administrator } = ownersOf(operation.session, users);
  const bringIt = async (live: LiveBucket) => sayAny(operation, await bring(s3, settings, live));
  if (now.owner === undefined || users === undefined) {
    return bringIt(now.live);
  }
  // Changing the owner deletes ACL and policy: nobody has access until they are written again.
  const isAdministrators = now.live.owner === administrator;
  if (!isAdministrators) {
    await users.giveBucket(bucketName, administrator);
  }
  const live = isAdministrators ? now.live : await lived(s3, bucketName);
  // The server refuses a wrong policy or ACL here, before the user gets more rights.
  await bringIt(live);
  if (now.owner === administrator) {
    return;
  }
  await transfer(operation, { s3, users, owner: now.owner }, settings);
  // Restores the ACL, and undoes changes that the user made while the bucket had no policy.
  await bringIt(await lived(s3, bucketName));
}

/**
 * Gives a bucket to a user. The server deletes the policy with the change of owner, and without one an owner may do
 * everything: it is written again at once. If that fails, the bucket goes back to the administrator, without access for
 * others.
 */
async function transfer(
  operation: Operation,
  { s3, users, owner }: { readonly s3: S3; readonly users: UserAdmin; readonly owner: string },
  { bucketName, policy }: BucketSettings,
): Promise<void> {
  const { session, who } = operation;
  try {
    await users.giveBucket(bucketName, owner);
    if (policy !== undefined) {
      await s3.putBucketPolicy(bucketName, policy);
    }
  } catch (error) {
    // The time limit or a cancellation may have ended the operation's own requests.
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

async function mark(operation: Operation, { s3 }: ServerClients, settings: BucketSettings): Promise<void> {
  await sayAny(operation, await markBucket(s3, settings, creatorOf(operation.session, operation.urn).mark));
}

async function sayAny({ session, urn }: Operation, note: string | undefined): Promise<void> {
  if (note !== undefined) {
    await session.log.say("WARNING", urn, note);
  }
}

function explainedIn({ session, who }: Operation, error: unknown): string {
  return explained(error, who, serverName(session.configuration)).message;
}

async function lived(s3: S3, bucketName: string): Promise<LiveBucket> {
  const live = await liveBucket(s3, bucketName);
  if (live !== undefined) {
    return live;
  }
  throw new S3Failure("GetBucketLocation", { code: "NoSuchBucket", status: 404, message: "it is not there" });
}
