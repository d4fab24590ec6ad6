/** Check: returns the inputs for all later calls, with a namespace and in normal form. */
import { type Props, plain } from "../../../../buckets/protocol/values.ts";
import { isNamespaced } from "../cluster/kinds.ts";
import { normalize } from "../objects/normalize.ts";
import { nameOf, namespaceOf, withMetadata } from "../objects/objects.ts";
import { markSecrets } from "../objects/secrets.ts";
import type { Session } from "../session.ts";

export async function check({ cluster, defaultNamespace }: Session, news: Props): Promise<Props> {
  const inputs = normalize(plain(news));
  if (!nameOf(inputs)) {
    throw new Error("the sandbox's stand-in makes no names up: `.metadata.name` has to be set");
  }
  const needsNamespace = !namespaceOf(inputs) && (await isNamespaced(inputs, cluster?.kinds));
  const placed = needsNamespace && defaultNamespace ? withMetadata(inputs, { namespace: defaultNamespace }) : inputs;
  return markSecrets(placed, news);
}
