import { samePolicy } from "../../config/storage/bucketPolicy.ts";
import { makeBucket, startOf, withFormer } from "../bucket/create.ts";
import { closeTo, type Hold, holdOf, isClosed, isTakenOver, othersLetIn } from "../bucket/hold.ts";
import { removeBucket } from "../bucket/remove.ts";
import { type BucketSettings, isUsers, nextOwner, type ServerClients, settingsIn } from "../bucket/settings.ts";
import type { Props } from "../protocol/values.ts";
import { Unanswered } from "../s3/failures.ts";
import { bringChanged, bringNew, creatorOf, initFailed, operationOf, ownersOf } from "./bringBucket.ts";
import { type Before, type FoundResource, type Operation, type Session, type Written, withServer } from "./session.ts";

export async function createBucket(session: Session, urn: string, news: Props): Promise<Written> {
  const settings = settingsIn(news);
  const operation = operationOf(session, urn, settings);
  const creator = creatorOf(session, urn);
  const start = await withServer(operation, (asked) => startOf(asked, settings, creator));
  if (typeof start === "object" && start.from !== undefined) {
    await session.log.say("WARNING", urn, `${operation.who} is taken over: ${start.from} (adopt)`);
  }
  if (start === "make") {
    await withServer(operation, (asked) => makeBucket(asked, settings, creator));
  }
  try {
    await withServer(operation, (asked) => bringNew(operation, asked, settings));
  } catch (error) {
    // The bucket exists and must be in the state: otherwise no run would finish or delete it.
    throw initFailed(error, news);
  }
  return { id: settings.bucketName, properties: news };
}

/** Previews a creation without changing anything. It fails as the update would, if the server answers. */
export async function previewBucket(session: Session, urn: string, news: Props): Promise<Written> {
  const settings = settingsIn(news);
  const operation = operationOf(session, urn, settings);
  try {
    const start = await withServer(operation, (asked) => startOf(asked, settings, creatorOf(session, urn)));
    if (typeof start === "object") {
      const from = start.from === undefined ? "" : `, though ${start.from}`;
      const reported = `${operation.who} exists already, and will be taken over${from}`;
      await session.log.say(start.from === undefined ? "INFO" : "WARNING", urn, reported);
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) {
      throw error;
    }
    await session.log.say("WARNING", urn, `could not check whether it exists: ${error.message}`);
  }
  return { id: "", properties: news };
}

/** The bucket on the server; undefined if it is gone. Declared values keep their spelling if they mean the same. */
export async function readBucket(
  session: Session,
  urn: string,
  { id, inputs, state }: Before,
): Promise<FoundResource | undefined> {
  const before = settingsIn(inputs);
  const operation = operationOf(session, urn, before);
  return withServer(operation, async (asked) => {
    const { users } = asked;
    const hold = await holdOf(asked, before, creatorOf(session, urn));
    if (hold.is === "gone") {
      return undefined;
    }
    // Another stack's settings must not be recorded as this stack's.
    if (hold.is !== "ours") {
      await session.log.say("WARNING", urn, `${operation.who} is left as it is: ${hold.why}`);
      return { id, inputs, properties: state };
    }
    const { acl: _, grants: __, policy, bucketOwner: declared, ...rest } = before;
    const { owner, ...declarable } = hold.live;
    const isShown = isUsers(owner, ownersOf(session, users)) || (declared !== undefined && users === undefined);
    const shown = isShown ? owner : undefined;
    const bucketOwner = owner === undefined ? declared : shown;
    const found: BucketSettings = {
      ...rest,
      ...declarable,
      ...(policy !== undefined && samePolicy(policy, hold.live.policy) ? { policy } : {}),
      ...(bucketOwner === undefined ? {} : { bucketOwner }),
    };
    const declarations = { ...found } as unknown as Props;
    return { id, inputs: declarations, properties: declarations };
  });
}

export async function deleteBucket(session: Session, urn: string, state: Props): Promise<void> {
  const settings = settingsIn(state);
  const { log } = session;
  const { bucketOwner: _, ...unowned } = settings;
  const operation = operationOf(session, urn, settings);
  const { text, isAsDeclared } = await withServer(operation, async (asked) => {
    const holder = creatorOf(session, urn);
    // A deletion takes nothing over; and an owner found by a refresh doesn't make the bucket this stack's.
    const hold = await holdOf(asked, { ...unowned, adopt: false }, holder);
    return removeBucket(asked, {
      settings,
      hold,
      mark: holder.mark,
      owners: ownersOf(session, asked.users),
      progress: (reported) => void log.status(urn, reported),
    });
  });
  await log.say(isAsDeclared ? "INFO" : "WARNING", urn, text);
}

/**
 * Updates a bucket. Nothing that a member can do to it fails the run: it is a warning, and access ends all the same.
 * @returns the new state; the former one if nothing could be done, so that the next run tries again
 * @throws InitFailed, since a part may be done
 */
export async function updateBucket(session: Session, urn: string, olds: Props, news: Props): Promise<Props> {
  const [former, settings] = [settingsIn(olds), settingsIn(news)];
  const operation = operationOf(session, urn, settings);
  const say = (reported: string) => session.log.say("WARNING", urn, `${operation.who}${reported}`);
  const change = { former, settings };
  const bringIt = async (asked: ServerClients): Promise<Props> => {
    const hold = await holdOf(asked, settings, creatorOf(session, urn));
    switch (hold.is) {
      case "gone":
        await say(" was gone, since somebody has deleted it; it is made anew, and empty");
        await makeBucket(asked, settings, creatorOf(session, urn));
        await bringNew(operation, asked, settings);
        return news;
      case "another's":
      case "taken":
        await say(
          ` is left as it is: ${hold.why}; choose another bucketName, or, if it is yours, give the S3 server's access key ` +
            "the rights to it, and set 'adopt: true' to take it over with all that is in it",
        );
        return olds;
      case "claimed":
        return updateClaimed(operation, asked, { hold, ...change }).then((isDone) => (isDone ? news : olds));
      default:
        if (hold.note !== undefined) {
          await session.log.say("WARNING", urn, hold.note);
        }
        await bringChanged(operation, asked, settings, { before: former.bucketOwner, live: hold.live });
        return news;
    }
  };
  try {
    return await withServer(operation, bringIt);
  } catch (error) {
    throw initFailed(error, news);
  }
}

interface Change {
  readonly hold: Extract<Hold, { is: "claimed" }>;
  readonly former: BucketSettings;
  readonly settings: BucketSettings;
}

/** A bucket that may be another stack's is not written to, except to close it when this stack declares no access. */
async function updateClaimed(
  { session, urn, who }: Operation,
  asked: ServerClients,
  { hold, former, settings }: Change,
): Promise<boolean> {
  const wayOut = withFormer("choose another bucketName, or have that stack give it up, or put its tags right", hold.by);
  if (!isClosed(settings) || isTakenOver(former, hold.live)) {
    const why = isClosed(settings) ? `${othersLetIn}, and ${hold.why}` : hold.why;
    await session.log.say("WARNING", urn, `${who} is left as it is: ${why}; ${wayOut}`);
    return false;
  }
  const was = { before: former.bucketOwner, live: hold.live.owner };
  await closeTo(asked, settings.bucketName, nextOwner(settings, was, ownersOf(session, asked.users)));
  await session.log.say(
    "WARNING",
    urn,
    `${who} lets nobody in any more, and is left as it is otherwise: ${hold.why}; ${wayOut}`,
  );
  return true;
}
