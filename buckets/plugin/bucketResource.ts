/** The resource Bucket: what Pulumi asks for, done with the server. */

import { samePolicy } from "../../config/bucketPolicy.ts";
import { InitFailed } from "../../protocol/errors.ts";
import { containsUnknowns, type Props } from "../../protocol/values.ts";
import { bring } from "../bucket/bring.ts";
import { makeBucket, markBucket, startOf, stillOurs } from "../bucket/create.ts";
import { type LiveBucket, liveBucket } from "../bucket/live.ts";
import type { Mark } from "../bucket/mark.ts";
import { isUsers, nextOwner, type Owners } from "../bucket/owner.ts";
import { removeBucket } from "../bucket/remove.ts";
import { type BucketSettings, bucketOf, settingsOf } from "../bucket/settings.ts";
import { Unanswered } from "../failures.ts";
import { type S3, S3Failure } from "../s3/s3.ts";
import type { UserAdmin } from "../users/userAdmin.ts";
import type { Before, Found, Request, Written } from "./requests.ts";
import { type Operation, type Reached, type Session, withServer } from "./session.ts";

export async function createBucket(session: Session, request: Request, news: Props): Promise<Written> {
  const settings = settingsOf(news);
  const operation = operationOf(session, request, settings);
  const mark = markOf(session, request);
  const start = await withServer(operation, ({ s3 }) => startOf(s3, settings, mark));
  if (typeof start === "object" && start.from !== undefined) await sayTakenOver(operation, start.from);
  if (start === "make") await withServer(operation, ({ s3 }) => makeBucket(s3, settings, mark));
  try {
    await withServer(operation, (server) => finish(operation, server, settings));
  } catch (error) {
    // It is there, and has to be in the state, or nobody would ever finish it or take it away.
    const message = error instanceof Error ? error.message : String(error);
    throw new InitFailed(message, { id: settings.bucketName, state: news, reasons: [] });
  }
  return { id: settings.bucketName, properties: news };
}

/** What a creation will do, without doing it: a preview stops at what would stop the update, if the server can be asked. */
export async function previewBucket(session: Session, request: Request, news: Props): Promise<Written> {
  const { bucketName, member, adopt } = news;
  if (!containsUnknowns([bucketName ?? null, member ?? null, adopt ?? null])) {
    const settings = settingsOf(news);
    const operation = operationOf(session, request, settings);
    try {
      const start = await withServer(operation, ({ s3 }) => startOf(s3, settings, markOf(session, request)));
      if (typeof start === "object") {
        const from = start.from === undefined ? "" : `, though its tags say that it is ${start.from}`;
        const told = `${bucketOf(settings)} is there already, and will be taken over${from}`;
        await session.log.say(start.from === undefined ? "INFO" : "WARNING", request.urn, told);
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      await session.log.say("WARNING", request.urn, `whether it is there could not be seen: ${error.message}`);
    }
  }
  return { id: "", properties: news };
}

export async function updateBucket(session: Session, request: Request, olds: Props, news: Props): Promise<Props> {
  const settings = settingsOf(news);
  const operation = operationOf(session, request, settings);
  await withServer(operation, async (server) => {
    const from = await stillOurs(server.s3, settings, markOf(session, request));
    if (from !== undefined) await sayTakenOver(operation, from);
    await finish(operation, server, settings, settingsOf(olds));
  });
  return news;
}

/** As it is on the server; undefined if it is gone. What is declared keeps its own words where it says the same. */
export async function readBucket(
  session: Session,
  request: Request,
  { id, inputs }: Before,
): Promise<Found | undefined> {
  // An import knows the name alone.
  const unsaid: Props = { bucketName: id, member: "", reclaimPolicy: "Retain", adopt: false };
  const before = settingsOf({ ...unsaid, ...inputs });
  const operation = operationOf(session, request, before);
  return withServer(operation, async ({ s3, users }) => {
    const live = await liveBucket(s3, id);
    if (live === undefined) return undefined;
    const { acl: _, grants: __, policy, bucketOwner: declared, ...rest } = before;
    const { owner, ...declarable } = live;
    const isShown = isUsers(owner, ownersOf(session, users)) || (declared !== undefined && users === undefined);
    const bucketOwner = owner === undefined ? declared : isShown ? owner : undefined;
    const found: BucketSettings = {
      ...rest,
      ...declarable,
      ...(policy !== undefined && samePolicy(policy, live.policy) ? { policy } : {}),
      ...(bucketOwner === undefined ? {} : { bucketOwner }),
    };
    const properties = { ...found } as unknown as Props;
    return { id, inputs: properties, properties };
  });
}

export async function deleteBucket(session: Session, request: Request, state: Props): Promise<void> {
  const settings = settingsOf(state);
  const { log } = session;
  const { bucketOwner: before, ...unowned } = settings;
  const told = await withServer(operationOf(session, request, settings), ({ s3, users }) =>
    removeBucket(s3, {
      settings,
      mark: markOf(session, request),
      takeBack: async (live) => {
        const owner = nextOwner(unowned, { before, live }, ownersOf(session, users));
        if (owner !== undefined) await users?.giveBucket(settings.bucketName, owner);
      },
      progress: (text) => void log.status(request.urn, text),
    }),
  );
  await log.say("INFO", request.urn, told);
}

/** Marks it as ours, and brings the rest. The owner comes first: with them, ACL and policy end. */
async function finish(
  { session, urn }: Operation,
  { s3, users }: Reached,
  settings: BucketSettings,
  before?: BucketSettings,
): Promise<void> {
  const { bucketName } = settings;
  const live = await lived(s3, bucketName);
  const owner = nextOwner(settings, { before: before?.bucketOwner, live: live.owner }, ownersOf(session, users));
  const note = await markBucket(s3, settings, { stack: session.configuration.stack, urn });
  if (note !== undefined) await session.log.say("WARNING", urn, note);
  if (owner === undefined || users === undefined) return bring(s3, settings, live);
  await users.giveBucket(bucketName, owner);
  await bring(s3, settings, await lived(s3, bucketName));
}

function sayTakenOver({ session, urn, who }: Operation, from: string): Promise<void> {
  return session.log.say("WARNING", urn, `${who} is taken over: its tags said that it is ${from} (adopt)`);
}

async function lived(s3: S3, bucketName: string): Promise<LiveBucket> {
  const live = await liveBucket(s3, bucketName);
  if (live !== undefined) return live;
  throw new S3Failure("GetBucketLocation", { code: "NoSuchBucket", status: 404, message: "it is not there" });
}

function ownersOf({ configuration }: Session, users: UserAdmin | undefined): Owners {
  return { administrator: configuration.accessKeyId, givesBuckets: users !== undefined };
}

function markOf({ configuration }: Session, { urn }: Request): Mark {
  return { stack: configuration.stack, urn };
}

function operationOf(session: Session, { urn, timeout }: Request, settings: BucketSettings): Operation {
  return { session, urn, timeout, who: bucketOf(settings) };
}
