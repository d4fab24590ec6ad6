import { unknown } from "../../config/names/pulumiMarks.ts";
import { defaultStorage } from "../../config/storage/storage.ts";
import { given } from "../../config/values/maps.ts";
import { isAws } from "../bucket/access.ts";
import { formerly } from "../bucket/mark.ts";
import { type Props, plain } from "../protocol/values.ts";
import type { S3Configuration } from "../s3/server.ts";

const fields = [
  "endpoint",
  "region",
  "forcePathStyle",
  "accessKeyId",
  "secretAccessKey",
  "stack",
  "users",
  "usersEndpoint",
];

/** The fields that differ. Each is an update, never a replacement, which would delete the buckets. */
export function diffConfiguration(olds: Props, news: Props): string[] {
  const [before, after] = [plain(olds), plain(news)];
  return fields.filter((field) => before[field] !== after[field]);
}

export function s3Configuration(args: Props): S3Configuration {
  const entry = plain(args) as unknown as Partial<S3Configuration>;
  const { accessKeyId = "", secretAccessKey = "", stack = "", region = defaultStorage.region } = entry;
  const { endpoint, forcePathStyle = endpoint !== undefined, usersEndpoint = endpoint } = entry;
  const optional = given({ ...entry, usersEndpoint }, "endpoint", "users", "usersEndpoint");
  return { region, forcePathStyle, accessKeyId, secretAccessKey, stack, ...optional };
}

export function serverName({ endpoint, region }: S3Configuration): string {
  return endpoint ?? `AWS S3 in ${region}`;
}

/** Warnings about objects left on the former server, which no resource's diff shows. */
export function changedServer(olds: Props, news: Props): string[] {
  const [before, after] = [s3Configuration(olds), s3Configuration(news)];
  const reported: string[] = [];
  // AWS has other buckets in each region; other servers use the region only to sign requests.
  const isSameRegion = before.region === after.region || !isAws(after.endpoint);
  if (!sameAddress(before.endpoint, after.endpoint) || !isSameRegion) {
    const [was, is] = [nameIn(before, after), nameIn(after, before)];
    reported.push(
      `the S3 server was ${was}, and is ${is} now: buckets on ${was} stay there, open to their members' keys; if that is another ` +
        "server, remove the entries while the former endpoint is set, or close its buckets and end its users by hand",
    );
  }
  if (before.users !== undefined && !sameAddress(before.usersEndpoint, after.usersEndpoint)) {
    const [was, is] = [before.usersEndpoint, after.usersEndpoint ?? "none"];
    reported.push(
      `the S3 server's API for users was ${was}, and is ${is} now: users made by the former stay there, and their keys go on ` +
        "working; if that is another server, end them by hand",
    );
  }
  // Unknown in a preview that does not reach the cluster.
  if (![before.stack, after.stack].includes(unknown) && before.stack !== after.stack) {
    reported.push(
      `the stack was '${before.stack}' to the S3 server, and is '${after.stack}' now: the tags of its buckets name the former, ` +
        `so no run changes, deletes or reports them; ${formerly}`,
    );
  }
  return reported;
}

function nameIn(one: S3Configuration, other: S3Configuration): string {
  return serverName(one) + (serverName(one) === serverName(other) ? ` in ${one.region}` : "");
}

function sameAddress(one: string | undefined, other: string | undefined): boolean {
  const origin = (address: string | undefined) =>
    address !== undefined && URL.canParse(address) ? new URL(address).origin : address;
  return origin(one) === origin(other);
}
