import { isOutOfReach, isUnsupported, orElse, type S3 } from "../s3/s3.ts";
import { isMadeKey } from "../users/credentials.ts";
import type { UserAdmin } from "../users/userAdmin.ts";

/** What is asked. */
export interface ServerClients {
  readonly s3: S3;
  /** Undefined where the server has no API for users. */
  readonly users: UserAdmin | undefined;
}

/** Whose a bucket is on the server: ours (also a user's of ours, or an administrator's), somebody else's, or nobody can say. */
export type Belongs = "ours" | "another's" | "unknown";

/**
 * Tags say what whoever may write them makes them say, and everybody may read what a stack's look like: who owns a bucket, the
 * server alone says. Where it knows no owners, tags have to do.
 * @param owner in the server's words; undefined where it knows none
 * @param known the administrator's access key, and who is declared to own it
 */
export async function belongsTo(
  owner: string | undefined,
  { s3, users }: ServerClients,
  known: { readonly administrator: string; readonly declared?: string | undefined },
): Promise<Belongs> {
  // Nobody but an administrator gives a bucket to a user that kubecamp has made, and these make none themselves.
  if (owner === undefined || Object.values(known).includes(owner) || isMadeKey(owner)) return "ours";
  if (users === undefined) {
    const own = await orElse(s3.getCallerId(), isUnknowable, undefined);
    return own === undefined ? "unknown" : own === owner ? "ours" : "another's";
  }
  const user = await users.find(owner);
  // Nobody signs in as one who is gone, as a former administrator may be; the server's root is no user at all.
  return user === undefined || user.role === users.adminRole ? "ours" : "another's";
}

function isUnknowable(error: unknown): boolean {
  return isOutOfReach(error) || isUnsupported(error);
}
