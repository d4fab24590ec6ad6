/** What an application does in a bucket that is its own; nothing that changes who may get in. */
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

/** How AWS's regions outside of its own partition begin. */
const partitions: Readonly<Record<string, string>> = { "cn-": "aws-cn", "us-gov-": "aws-us-gov", "eusc-": "aws-eusc" };

/**
 * The partition of a server's ARNs. Other servers than AWS's know `aws` alone, whatever they call their region.
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

/** @param endpoint a server's address; undefined for AWS's own */
export function isAws(endpoint: string | undefined): boolean {
  return endpoint === undefined || /\.amazonaws\.(com(\.cn)?|eu)$/.test(new URL(endpoint).hostname);
}

/** Stands in previews for the access key of a user who is still to be made. */
export const keyToCome = "(known after the up)";

/** The statements that let a member work in a bucket: kubecamp's own, before whatever else its policy says. */
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
 * A bucket's policy that lets a user work in it, besides what it says already.
 * @param principal as the server names users: an access key (versitygw), or an ARN
 * @param policy JSON text; what is none is left for the bucket's check to tell
 * @param partition of the server's ARNs
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
