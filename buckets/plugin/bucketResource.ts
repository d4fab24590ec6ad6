/** The resource Bucket: Pulumi's requests, carried out on the server. */

import { samePolicy } from "../../config/rules/buckets/bucketPolicy.ts";
import { makeBucket, startOf } from "../bucket/create.ts";
import { holdOf, ownLive } from "../bucket/hold.ts";
import { liveBucket } from "../bucket/live.ts";
import { isUsers, nextOwner } from "../bucket/owner.ts";
import { removeBucket } from "../bucket/remove.ts";
import { type BucketSettings, bucketOf, bucketState } from "../bucket/settings.ts";
import { Unanswered } from "../failures.ts";
import { containsUnknowns, type Props } from "../protocol/values.ts";
import { bringNew } from "./bringBucket.ts";
import { creatorOf, initFailed, operationOf, ownersOf } from "./bucketOperation.ts";
import type { Before, FoundResource, Request, Written } from "./requests.ts";
import { type Session, secondsOf, withServer } from "./session.ts";

export async function createBucket(session: Session, request: Request, news: Props): Promise<Written> {
  const settings = bucketState(news);
  const operation = operationOf(session, request, settings);
  const creator = creatorOf(session, request);
  const start = await withServer(operation, (asked) => startOf(asked, settings, creator));
  if (typeof start === "object" && start.from !== undefined) {
    await session.log.say("WARNING", request.urn, `${bucketOf(settings)} is taken over: ${start.from.was} (adopt)`);
  }
  if (start === "make") await withServer(operation, (asked) => makeBucket(asked, settings, creator));
  let unmarked = start === "make";
  const onMarked = () => {
    unmarked = false;
  };
  try {
    await withServer(operation, (asked) => bringNew(operation, asked, settings, onMarked));
  } catch (error) {
    // The bucket exists and must be in the state: otherwise no run would finish or delete it.
    throw initFailed(error, news, unmarked);
  }
  return { id: settings.bucketName, properties: news };
}

/** Previews a creation without changing anything. It fails as the update would, if the server answers. */
export async function previewBucket(session: Session, request: Request, news: Props): Promise<Written> {
  const { bucketName, member, adopt } = news;
  if (!containsUnknowns([bucketName ?? null, member ?? null, adopt ?? null])) {
    const settings = bucketState(news);
    const operation = operationOf(session, request, settings);
    try {
      const start = await withServer(operation, (asked) => startOf(asked, settings, creatorOf(session, request)));
      if (typeof start === "object") {
        const from = start.from === undefined ? "" : `, though ${start.from.is}`;
        const reported = `${bucketOf(settings)} exists already, and will be taken over${from}`;
        await session.log.say(start.from === undefined ? "INFO" : "WARNING", request.urn, reported);
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      await session.log.say("WARNING", request.urn, `could not check whether it exists: ${error.message}`);
    }
  }
  return { id: "", properties: news };
}

/** The bucket on the server; undefined if it is gone. Declared values keep their spelling if they mean the same. */
export async function readBucket(
  session: Session,
  request: Request,
  { id, inputs, state }: Before,
): Promise<FoundResource | undefined> {
  // An import has only the name.
  const unsaid: Props = { bucketName: id, member: "", reclaimPolicy: "Retain", adopt: false };
  const before = bucketState({ ...unsaid, ...inputs });
  const operation = operationOf(session, request, before);
  return withServer(operation, async ({ s3, users }) => {
    const isImport = Object.keys(state).length === 0;
    const live = await (isImport ? liveBucket(s3, id) : ownLive(s3, before, creatorOf(session, request)));
    if (live === undefined) return undefined;
    if ("why" in live) {
      await session.log.say("WARNING", request.urn, `${operation.who} is left as it is: ${live.why}`);
      return { id, inputs, properties: state };
    }
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
    const declarations = { ...found } as unknown as Props;
    const { unmarked } = state;
    return { id, inputs: declarations, properties: { ...declarations, ...(unmarked === true ? { unmarked } : {}) } };
  });
}

export async function deleteBucket(session: Session, request: Request, state: Props): Promise<void> {
  const settings = bucketState(state);
  const { log } = session;
  const { bucketOwner: before, ...unowned } = settings;
  const operation = operationOf(session, request, settings);
  const { text, isAsDeclared } = await withServer(operation, async (asked) => {
    const { s3, users } = asked;
    const holder = creatorOf(session, request);
    // A deletion takes nothing over; and an owner found by a refresh doesn't make the bucket this stack's.
    const hold = await holdOf(asked, { ...unowned, adopt: false }, holder);
    return removeBucket(s3, {
      settings,
      hold,
      mark: holder.mark,
      takeBack: async () => {
        const live = "live" in hold ? hold.live.owner : hold.is === "another's" ? hold.owner : undefined;
        const owner = nextOwner(unowned, { before, live }, ownersOf(session, users));
        if (owner !== undefined) await users?.giveBucket(settings.bucketName, owner);
      },
      seconds: secondsOf(operation),
      progress: (reported) => void log.status(request.urn, reported),
    });
  });
  await log.say(isAsDeclared ? "INFO" : "WARNING", request.urn, text);
}
