import { isMap } from "./maps.ts";
import { unread } from "./unread.ts";

/**
 * Secret keys of buckets in a stack's settings: the server's, and those given for members. They must be encrypted, and
 * no message shows a value from their places, right or wrong.
 */

type Raw = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

const secretKey = "secretAccessKey";

/** Whether the setting of this name can contain secret keys. */
export const hasSecretKeys = (setting: string) => setting === "storage" || setting === "bucketKeys";

/** Paths where a secret key may be: the server's, and one for each entry of `bucketKeys`. */
export const secretPlaces = ({ bucketKeys }: Raw): Path[] => [
  ["storage", secretKey],
  ...(isMap(bucketKeys) && bucketKeys !== unread ? Object.keys(bucketKeys) : []).map((name) => [
    "bucketKeys",
    name,
    secretKey,
  ]),
];

/** Whether the value at a path is a secret key, or could be one in the wrong place. */
export function isSecretPlace([setting, ...path]: Path): boolean {
  const last = path.at(-1);
  return (
    (setting === "storage" && (path.length === 0 || path.includes(secretKey))) ||
    (setting === "bucketKeys" && !(path.length === 2 && (last === "accessKeyId" || last === "principal")))
  );
}

/** Command that encrypts a value with Pulumi, which prompts for it. */
export const encryptCommand = (path: Path, stack?: string) =>
  `pulumi config set${stack === undefined ? "" : ` --stack ${stack}`} --secret --path kubecamp:${path.join(".")}`;

/** The setting without its secret keys. */
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

/** Whether a setting contains secret keys and nothing else. */
export function isSecretKeysAlone(setting: string, value: unknown): boolean {
  const rest = withoutSecretKeys(setting, value);
  const isEmpty = (map: unknown) => isMap(map) && map !== unread && Object.keys(map).length === 0;
  return (
    rest !== value &&
    isMap(rest) &&
    (setting === "storage" ? isEmpty(rest) : Object.values(rest).length > 0 && Object.values(rest).every(isEmpty))
  );
}
