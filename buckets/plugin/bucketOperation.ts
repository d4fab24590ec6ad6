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

/** The ownership tags' values, and the administrator that creates the bucket. */
export function creatorOf({ configuration }: Session, { urn }: Pick<Request, "urn">): Creator {
  return { mark: { stack: configuration.stack, urn }, administrator: configuration.accessKeyId };
}

/**
 * An error for a bucket that exists but may differ from its settings. Pulumi records the requested inputs, so that the next
 * run brings the bucket to its settings even if those are the former ones again.
 * @param unmarked whether this run created it and has not written its tags yet
 */
export function initFailed(error: unknown, asked: Props, unmarked: boolean): InitFailed {
  const message = messageOf(error);
  const state = { ...asked, ...(unmarked ? { unmarked } : {}) };
  return new InitFailed(message, { id: String(asked.bucketName), state, reasons: [] });
}

export function ownersOf({ configuration }: Session, users: UserAdmin | undefined): Owners {
  return { administrator: configuration.accessKeyId, givesBuckets: users !== undefined };
}
