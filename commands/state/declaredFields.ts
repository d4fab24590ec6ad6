import { isDeepStrictEqual } from "node:util";
import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import { isMap } from "../../config/model/maps.ts";

/** What a run last declared of an object, and under whose name it was applied. */
export interface DeclaredFields {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Undefined where no manager of the plugin's is left: it then takes a new name by itself. */
  readonly fieldManager: string | undefined;
}

/** One that the plugin takes by itself, and what has it take another. */
const ownManager = /^pulumi-kubernetes(-|$)/;
const managerAnnotation = "pulumi.com/patchFieldManager";

/**
 * What a run last declared of a live object: the fields that the plugin's manager has applied, which the API server
 * remembers. Where several have (a run that was killed leaves one, and never gives it up), the last one counts.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function declaredFields(live: ApiObject): DeclaredFields {
  const { apiVersion, kind, metadata } = live;
  const { name, namespace, annotations = {}, managedFields = [] } = metadata;
  const isOurs = (manager = "") => manager === annotations[managerAnnotation] || ownManager.test(manager);
  const applied = managedFields
    .filter(({ manager, operation, subresource }) => operation === "Apply" && !subresource && isOurs(manager))
    .sort((a, b) => time(a.time) - time(b.time))
    .at(-1);
  const cut = applied === undefined ? withoutServers(live) : Object(owned(live, applied.fieldsV1));
  const identity = { name, ...(namespace === undefined ? {} : { namespace }) };
  return {
    inputs: { ...cut, apiVersion, kind, metadata: { ...cut.metadata, ...identity } },
    fieldManager: applied?.manager,
  };
}

const time = (text: unknown) => new Date(String(text ?? 0)).getTime() || 0;

/** Everything but what the API server itself writes: more than was declared, which the next run sets right. */
function withoutServers({ metadata, status: _, ...rest }: ApiObject): Record<string, unknown> {
  const { labels, annotations } = metadata;
  return { ...rest, metadata: { ...(labels && { labels }), ...(annotations && { annotations }) } };
}

/**
 * The part of a value that a set of fields names: `f:` a key, `k:` an item by its keys, `v:` an item by itself; nothing
 * in it stands for the whole.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/
 */
function owned(value: unknown, fields: unknown): unknown {
  const paths = Object.entries(isMap(fields) ? fields : {}).filter(([path]) => path !== ".");
  if (paths.length === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const found = paths.find(([path]) => isItem(item, path));
      return found === undefined ? [] : [owned(item, found[1])];
    });
  }
  const source = isMap(value) ? value : {};
  return Object.fromEntries(
    paths.flatMap(([path, inner]) => {
      const key = path.slice("f:".length);
      return key in source ? [[key, owned(source[key], inner)]] : [];
    }),
  );
}

function isItem(item: unknown, path: string): boolean {
  const reported: unknown = JSON.parse(path.slice("k:".length));
  return path.startsWith("k:") && isMap(reported) && isMap(item)
    ? Object.entries(reported).every(([key, value]) => isDeepStrictEqual(item[key], value))
    : isDeepStrictEqual(item, reported);
}
