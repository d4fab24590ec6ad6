/**
 * Access that a bucket can declare for others, in S3's terms.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export const cannedAcls = ["private", "public-read", "public-read-write", "authenticated-read"] as const;
export type CannedAcl = (typeof cannedAcls)[number];
export const permissions = ["FULL_CONTROL", "READ", "READ_ACP", "WRITE", "WRITE_ACP"] as const;
export type Permission = (typeof permissions)[number];

/** The group of everyone, with or without a key. */
export const allUsers = "http://acs.amazonaws.com/groups/global/AllUsers";
