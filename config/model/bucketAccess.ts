/**
 * What a bucket can be declared to let others do, as S3 has it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export const cannedAcls = ["private", "public-read", "public-read-write", "authenticated-read"] as const;
export type CannedAcl = (typeof cannedAcls)[number];
export const permissions = ["FULL_CONTROL", "READ", "READ_ACP", "WRITE", "WRITE_ACP"] as const;
export type Permission = (typeof permissions)[number];

/** The group of whoever asks, without any key. */
export const allUsers = "http://acs.amazonaws.com/groups/global/AllUsers";
