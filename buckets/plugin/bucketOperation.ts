import type { Creator } from "../bucket/create.ts";
import type { Owners } from "../bucket/owner.ts";
import { type BucketSettings, bucketOf } from "../bucket/settings.ts";
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

export function ownersOf({ configuration }: Session, users: UserAdmin | undefined): Owners {
  return { administrator: configuration.accessKeyId, givesBuckets: users !== undefined };
}
