import { messageOf } from "../../cluster/api/message.ts";
import type { Creator } from "../bucket/create.ts";
import type { Owners } from "../bucket/owner.ts";
import { type BucketSettings, bucketOf } from "../bucket/settings.ts";
import { InitFailed } from "../protocol/errors.ts";
import type { Props } from "../protocol/values.ts";
import type { UserAdmin } from "../users/userAdmin.ts";
import type { Request } from "./requests.ts";
import type { Operation, Session } from "./session.ts";

export function operationOf(session: Session, { urn, timeout }: Request, settings: BucketSettings): Operation {
  return { session, urn, timeout, who: bucketOf(settings) };
}

/** Whose mark a bucket has, and who makes it. */
export function creatorOf({ configuration }: Session, { urn }: Pick<Request, "urn">): Creator {
  return { mark: { stack: configuration.stack, urn }, administrator: configuration.accessKeyId };
}

/**
 * What has come of a bucket that is there, and perhaps not as declared. Pulumi notes it with what was asked for, so that the next
 * run brings it to what is declared then, also if that is what was declared before.
 * @param unmarked whether a run has made it that has not written its tags yet
 */
export function initFailed(error: unknown, asked: Props, unmarked: boolean): InitFailed {
  const message = messageOf(error);
  const state = { ...asked, ...(unmarked ? { unmarked } : {}) };
  return new InitFailed(message, { id: String(asked.bucketName), state, reasons: [] });
}

export function ownersOf({ configuration }: Session, users: UserAdmin | undefined): Owners {
  return { administrator: configuration.accessKeyId, givesBuckets: users !== undefined };
}
