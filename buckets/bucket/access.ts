/** An application's actions in its own bucket; none changes who has access. */
const inBucket = [
  "s3:GetBucketLocation",
  "s3:GetBucketVersioning",
  "s3:ListBucket",
  "s3:ListBucketMultipartUploads",
  "s3:ListBucketVersions",
];
const onObjects = [
  "s3:AbortMultipartUpload",
  "s3:DeleteObject",
  "s3:DeleteObjectTagging",
  "s3:DeleteObjectVersion",
  "s3:GetObject",
  "s3:GetObjectTagging",
  "s3:GetObjectVersion",
  "s3:ListMultipartUploadParts",
  "s3:PutObject",
  "s3:PutObjectTagging",
];

/** Partition by the beginning of the region; others are in `aws`. */
const partitions: Readonly<Record<string, string>> = { "cn-": "aws-cn", "us-gov-": "aws-us-gov", "eusc-": "aws-eusc" };

/**
 * The partition of a server's ARNs. Servers other than AWS know only `aws`, whatever their region.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html
 */
export function partitionOf({
  endpoint,
  region = "",
}: {
  readonly endpoint?: string;
  readonly region?: string;
}): string {
  const [, partition = "aws"] = Object.entries(partitions).find(([prefix]) => region.startsWith(prefix)) ?? [];
  return isAws(endpoint) ? partition : "aws";
}

/** @param endpoint the server's address; undefined for AWS */
export function isAws(endpoint: string | undefined): boolean {
  return endpoint === undefined || /\.amazonaws\.(com(\.cn)?|eu)$/.test(new URL(endpoint).hostname);
}

/** Stands in previews for the access key of a user not yet created. */
export const keyToCome = "(known after the up)";

export function ownStatements(bucketName: string, principal: string, partition = "aws"): readonly object[] {
  const bucket = `arn:${partition}:s3:::${bucketName}`;
  const statement = (Sid: string, Action: readonly string[], Resource: string): object => ({
    Sid,
    Effect: "Allow",
    Principal: { AWS: [principal] },
    Action,
    Resource,
  });
  return [statement("kubecampBucket", inBucket, bucket), statement("kubecampObjects", onObjects, `${bucket}/*`)];
}

/**
 * A bucket's policy with access for a user (an access key for versitygw, else an ARN) added.
 * @param policy JSON text; returned unchanged if it is not JSON, which the bucket's check reports
 */
export function withAccess(bucketName: string, principal: string, policy?: string, partition = "aws"): string {
  const own = ownStatements(bucketName, principal, partition);
  try {
    const given = (policy === undefined ? {} : JSON.parse(policy)) as { Statement?: unknown };
    const statements = given.Statement === undefined ? [] : [given.Statement].flat();
    return JSON.stringify({ Version: "2012-10-17", ...given, Statement: [...own, ...statements] });
  } catch {
    return policy ?? "";
  }
}
