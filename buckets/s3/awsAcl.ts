import type * as aws from "@aws-sdk/client-s3";
import { allUsers } from "../../config/model/settings/bucketAccess.ts";
import type { Grant, LiveAcl } from "./s3.ts";

/** Reads an ACL in S3's form. */
export function liveAcl({ Owner, Grants = [] }: Pick<aws.GetBucketAclOutput, "Owner" | "Grants">): LiveAcl {
  return { owner: Owner?.ID ?? "", grants: Grants.flatMap(grantOf) };
}

/** Writes an ACL in S3's form. */
export function aclPolicy({ owner, grants }: LiveAcl): aws.AccessControlPolicy {
  return {
    Owner: { ID: owner },
    Grants: grants.map(({ grantee, permission }) => ({
      Grantee: grantee.startsWith("http") ? { Type: "Group", URI: grantee } : { Type: "CanonicalUser", ID: grantee },
      Permission: permission,
    })),
  };
}

function grantOf({ Grantee, Permission }: aws.Grant): Grant[] {
  if (Grantee === undefined || Permission === undefined) return [];
  // versitygw has a name instead of a URI for the group AllUsers.
  const grantee = Grantee.URI ?? (Grantee.ID === "all-users" ? allUsers : Grantee.ID);
  return grantee === undefined ? [] : [{ grantee, permission: Permission }];
}
