import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject, V1ManagedFieldsEntry } from "@kubernetes/client-node";
import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import { isMap } from "../../config/model/maps.ts";

/** Fields of an object that a run last declared, and their field manager. */
interface DeclaredFields {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Undefined if the plugin has no manager left on it; it then takes a new name. */
  readonly fieldManager: string | undefined;
}

/** The plugin's default manager names, and the annotation that sets another. */
const ownManager = /^pulumi-kubernetes(-|$)/;
const managerAnnotation = "pulumi.com/patchFieldManager";

/**
 * Fields of a live object that a run last declared: those that the plugin's manager has applied, by the API server's
 * record. Of several managers the last counts: a killed run leaves one that is never given up.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function declaredFields(live: ApiObject): DeclaredFields {
  const { apiVersion, kind, metadata } = live;
  const { name, namespace } = metadata;
  const applied = ownManagersOf(live)
    .sort((a, b) => time(a.time) - time(b.time))
    .at(-1);
  const cut = applied === undefined ? withoutServers(live) : Object(owned(live, applied.fieldsV1));
  const identity = { name, ...(namespace === undefined ? {} : { namespace }) };
  return {
    inputs: { ...cut, apiVersion, kind, metadata: { ...cut.metadata, ...identity } },
    fieldManager: applied?.manager,
  };
}

/** What the plugin's managers have applied. */
export function ownManagersOf({ metadata }: KubernetesObject): V1ManagedFieldsEntry[] {
  const { annotations = {}, managedFields = [] } = metadata ?? {};
  const isOurs = (manager = "") => manager === annotations[managerAnnotation] || ownManager.test(manager);
  return managedFields.filter(
    ({ manager, operation, subresource }) => operation === "Apply" && !subresource && isOurs(manager),
  );
}

const time = (text: unknown) => new Date(String(text ?? 0)).getTime() || 0;

/** All fields except those of the API server. That is more than was declared, which the next run corrects. */
function withoutServers({ metadata, status: _, ...rest }: ApiObject): Record<string, unknown> {
  const { labels, annotations } = metadata;
  return { ...rest, metadata: { ...(labels && { labels }), ...(annotations && { annotations }) } };
}

/**
 * The part of a value in a field set: `f:` is a key, `k:` an item by its keys, `v:` an item by itself; an empty set
 * means the whole.
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
