import { isAws } from "../bucket/access.ts";
import { formerly } from "../bucket/mark.ts";
import { containsUnknowns, type Props, plain } from "../protocol/values.ts";
import { type ServerConfiguration, serverConfiguration, serverName } from "./configuration.ts";

/** Warnings about objects left on the former server, which no resource's diff shows. Skips unknown values. */
export function changedServer(olds: Props, news: Props): string[] {
  const [before, after] = [serverConfiguration(olds), serverConfiguration(news)];
  const hasUnknown = (...fields: readonly string[]): boolean =>
    [plain(olds), plain(news)].some((props) => fields.some((field) => containsUnknowns(props[field] ?? null)));
  const reported: string[] = [];
  if (!hasUnknown("endpoint", "region") && !isSameServer(before, after)) {
    const [was, is] = [nameIn(before, after), nameIn(after, before)];
    reported.push(
      `the S3 server was ${was}, and is ${is} now: buckets on ${was} stay there, open to their members' keys; if that is another ` +
        "server, remove the entries while the former endpoint is set, or close its buckets and end its users by hand",
    );
  }
  const hadUsers = before.users !== undefined && !hasUnknown("users", "endpoint", "usersEndpoint");
  if (hadUsers && !sameAddress(before.usersEndpoint, after.usersEndpoint)) {
    const [was, is] = [before.usersEndpoint, after.usersEndpoint ?? "none"];
    reported.push(
      `the S3 server's API for users was ${was}, and is ${is} now: users made by the former stay there, and their keys go on ` +
        "working; if that is another server, end them by hand",
    );
  }
  if (!hasUnknown("stack") && before.stack !== after.stack) {
    reported.push(
      `the stack was '${before.stack}' to the S3 server, and is '${after.stack}' now: the tags of its buckets name the former, ` +
        `so no run changes, deletes or reports them; ${formerly}`,
    );
  }
  return reported;
}

/** AWS has other buckets in each region; other servers use the region only to sign requests. */
function isSameServer(before: ServerConfiguration, after: ServerConfiguration): boolean {
  const isSameRegion = before.region === after.region || !isAws(after.endpoint);
  return sameAddress(before.endpoint, after.endpoint) && isSameRegion;
}

/** Includes the region if the names are otherwise the same. */
function nameIn(one: ServerConfiguration, other: ServerConfiguration): string {
  const isAlike = serverName(one) === serverName(other);
  return isAlike ? `${serverName(one)} in ${one.region}` : serverName(one);
}

/** Compares addresses regardless of their spelling. */
function sameAddress(one: string | undefined, other: string | undefined): boolean {
  const origin = (address: string | undefined) =>
    address !== undefined && URL.canParse(address) ? new URL(address).origin : address;
  return origin(one) === origin(other);
}
