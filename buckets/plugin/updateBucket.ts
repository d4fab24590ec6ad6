/** Updates of the resource Bucket. */

import { makeBucket, withFormer } from "../bucket/create.ts";
import { closeTo, type Hold, holdOf, isClosed, isTakenOver, othersLetIn } from "../bucket/hold.ts";
import { type BucketSettings, nextOwner, type ServerClients, settingsIn } from "../bucket/settings.ts";
import type { Props } from "../protocol/values.ts";
import { bringChanged, bringNew, creatorOf, initFailed, operationOf, ownersOf } from "./bringBucket.ts";
import { type Operation, type Session, withServer } from "./session.ts";

/**
 * Updates a bucket. Nothing that a member can do to their bucket fails the run, which would stop everybody else's changes:
 * it is a warning, and access ends all the same.
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
        if (hold.note !== undefined) await session.log.say("WARNING", urn, hold.note);
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
