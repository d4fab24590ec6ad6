import type { S3Settings } from "../../../config/model/settings/storage.ts";

/**
 * Address of the S3 server for members' pods.
 * @see https://docs.aws.amazon.com/general/latest/gr/s3.html
 */
export function appAddress({ appEndpoint, endpoint, region }: Pick<S3Settings, "appEndpoint" | "endpoint" | "region">) {
  const aws = `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return new URL(appEndpoint ?? endpoint ?? aws);
}
