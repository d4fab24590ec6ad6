import { isMap } from "./maps.ts";
import { unread } from "./unread.ts";

/**
 * The secret keys of buckets in a stack's settings: the server's own, and those that are given for members. They have to
 * be encrypted, and no message shows what stands in their places, right or wrong.
 */

type Raw = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

/** The key that each of them has. */
const secretKey = "secretAccessKey";

/** Whether a setting, by its name, is one that has them. */
export const hasSecretKeys = (setting: string) => setting === "storage" || setting === "bucketKeys";

/** The places where one may stand: that of the server, and one for each entry of `bucketKeys`. */
export const secretPlaces = ({ bucketKeys }: Raw): Path[] => [
  ["storage", secretKey],
  ...(isMap(bucketKeys) && bucketKeys !== unread ? Object.keys(bucketKeys) : []).map((name) => [
    "bucketKeys",
    name,
    secretKey,
  ]),
];

/** Whether what stands at a path is such a key, or could be one that stands in the wrong place. */
export function isSecretPlace([setting, ...path]: Path): boolean {
  const last = path.at(-1);
  return (
    (setting === "storage" && (path.length === 0 || path.includes(secretKey))) ||
    (setting === "bucketKeys" && !(path.length === 2 && (last === "accessKeyId" || last === "principal")))
  );
}

/** What to run so that Pulumi encrypts a value, which it then asks for. */
export const encryptCommand = (path: Path, stack?: string) =>
  `pulumi config set${stack === undefined ? "" : ` --stack ${stack}`} --secret --path kubecamp:${path.join(".")}`;

/** A setting without such keys. */
export function withoutSecretKeys(setting: string, value: unknown): unknown {
  if (!isMap(value) || value === unread) {
    return value;
  }
  const bare = (map: Raw) => Object.fromEntries(Object.entries(map).filter(([key]) => key !== secretKey));
  if (setting === "storage") {
    return bare(value);
  }
  return setting === "bucketKeys"
    ? Object.fromEntries(
        Object.entries(value).map(([name, keys]) => [name, isMap(keys) && keys !== unread ? bare(keys) : keys]),
      )
    : value;
}

/** Whether a setting has such keys and nothing else. */
export function isSecretKeysAlone(setting: string, value: unknown): boolean {
  const rest = withoutSecretKeys(setting, value);
  const isEmpty = (map: unknown) => isMap(map) && map !== unread && Object.keys(map).length === 0;
  return (
    rest !== value &&
    isMap(rest) &&
    (setting === "storage" ? isEmpty(rest) : Object.values(rest).length > 0 && Object.values(rest).every(isEmpty))
  );
}
