import { leavingFunction } from "../../naming/urns.ts";
import { undeclaredBuckets } from "../bucket/leaving.ts";
import { explained, Refused } from "../failures.ts";
import { type Props, plain } from "../protocol/values.ts";
import { serverName } from "./configuration.ts";
import { type Session, withServer } from "./session.ts";

/** The plugin's only function, called by `leavingBuckets` of buckets/resources/. */
export async function leaving(session: Session, asked: string, args: Props): Promise<Props> {
  if (asked !== leavingFunction) throw new Error(`this plugin has no function ${asked}; it has ${leavingFunction}`);
  const { declared } = plain(args);
  const names = Array.isArray(declared) ? declared.filter((name) => typeof name === "string") : [];
  const { stack, accessKeyId: administrator } = session.configuration;
  try {
    const { buckets, unseen } = await withServer({ session, urn: "", who: "buckets that leave" }, (asked) =>
      undeclaredBuckets(asked, { stack, administrator, declared: names }),
    );
    const [first] = unseen;
    if (first !== undefined) {
      const { message } = explained(first.error, `'${first.bucketName}'`, serverName(session.configuration));
      const count = `${unseen.length} bucket${unseen.length === 1 ? "" : "s"}`;
      const reported = `${count} on the server could not be looked at, and may be among those that go, such as ${message}`;
      await session.log.say("WARNING", "", reported);
    }
    return { buckets: buckets.map((bucket) => ({ ...bucket }) as unknown as Props) };
  } catch (error) {
    // The list is only information: without it the run continues.
    if (!(error instanceof Refused)) throw error;
    await session.log.say("WARNING", "", `what will be deleted can't be counted: ${error.message}`);
    return { buckets: [] };
  }
}
