import { unknown } from "../../config/names/pulumiMarks.ts";
import { isAws } from "../bucket/access.ts";
import { formerly } from "../bucket/mark.ts";
import type { Props } from "../protocol/values.ts";
import { type ServerConfiguration, serverConfiguration, serverName } from "./configuration.ts";

/** Warnings about objects left on the former server, which no resource's diff shows. */
export function changedServer(olds: Props, news: Props): string[] {
  const [before, after] = [serverConfiguration(olds), serverConfiguration(news)];
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

/** Includes the region if the names are otherwise the same. */
function nameIn(one: ServerConfiguration, other: ServerConfiguration): string {
  return serverName(one) + (serverName(one) === serverName(other) ? ` in ${one.region}` : "");
}

/** Compares addresses regardless of their spelling. */
function sameAddress(one: string | undefined, other: string | undefined): boolean {
  const origin = (address: string | undefined) =>
    address !== undefined && URL.canParse(address) ? new URL(address).origin : address;
  return origin(one) === origin(other);
}
