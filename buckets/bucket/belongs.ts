import { isOutOfReach, isUnsupported, orElse, type S3 } from "../s3/s3.ts";
import { isMadeKey } from "../users/credentials.ts";
import type { UserAdmin } from "../users/userAdmin.ts";

export interface ServerClients {
  readonly s3: S3;
  /** Undefined if the server has no API for users. */
  readonly users: UserAdmin | undefined;
}

/** Owner on the server: ours (also a user that kubecamp made, or an administrator), somebody else's, or unknown. */
type Belongs = "ours" | "another's" | "unknown";

/**
 * Finds out to whom a bucket belongs on the server. Tags are no proof, since everybody can read and copy a stack's tags to a
 * bucket of their own. If the server reports no owner, tags must suffice.
 * @param owner the server's name of the owner; undefined if it reports none
 * @param known the administrator's access key and the declared owner
 */
export async function belongsTo(
  owner: string | undefined,
  { s3, users }: ServerClients,
  known: { readonly administrator: string; readonly declared?: string | undefined },
): Promise<Belongs> {
  // Only an administrator gives a bucket to a user that kubecamp made, and these users can't create buckets.
  if (owner === undefined || Object.values(known).includes(owner) || isMadeKey(owner)) return "ours";
  if (users === undefined) {
    const own = await orElse(s3.getCallerId(), isUnknowable, undefined);
    return own === undefined ? "unknown" : own === owner ? "ours" : "another's";
  }
  const user = await users.find(owner);
  // An owner who is gone, such as a former administrator, can't sign in; and the server's root is not in its list of users.
  return user === undefined || user.role === users.adminRole ? "ours" : "another's";
}

function isUnknowable(error: unknown): boolean {
  return isOutOfReach(error) || isUnsupported(error);
}
