/** Check: the inputs as every later call will see them, with a name, a namespace and in normal form. */

import { type Props, plain } from "../../../../../buckets/protocol/values.ts";
import { isNamespaced } from "../cluster/kinds.ts";
import { type Autonaming, withName } from "../objects/naming.ts";
import { normalize } from "../objects/normalize.ts";
import { isPatch, nameOf, namespaceOf, withMetadata } from "../objects/objects.ts";
import { markSecrets } from "../objects/secrets.ts";
import type { Session } from "../session.ts";

export interface CheckRequest {
  urn: string;
  olds: Props;
  news: Props;
  seed: Uint8Array;
  autonaming: Autonaming | undefined;
}

export async function check(session: Session, { urn, olds, news, seed, autonaming }: CheckRequest): Promise<Props> {
  const { cluster, settings, log, defaultNamespace } = session;
  if (!cluster && settings.skipUpdateUnreachable) {
    const message = "Cluster is unreachable but skipUpdateUnreachable flag is set to true, skipping...";
    await log.say("WARNING", urn, message);
    return olds;
  }
  const inputs = normalize(plain(news));
  if (isPatch(urn, inputs)) {
    if (!settings.serverSideApply) {
      throw new Error(
        "patch resources require Server-Side Apply mode, which is enabled using the `enableServerSideApply` Provider config",
      );
    }
    if (!nameOf(inputs)) throw new Error("patch resources require the `.metadata.name` field to be set");
  }
  const old = Object.keys(olds).length > 0 ? plain(olds) : undefined;
  const named = withName(inputs, old, urn, seed, autonaming);
  const needsNamespace = !namespaceOf(named) && (await isNamespaced(named, cluster?.kinds));
  const placed = needsNamespace && defaultNamespace ? withMetadata(named, { namespace: defaultNamespace }) : named;
  return markSecrets(placed, news);
}
