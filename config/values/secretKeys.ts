import { isMap, unread } from "./maps.ts";

/**
 * Secrets in a stack's settings: of the bucket server, those given for members, and of what the watch tells. They must be
 * encrypted, and no message shows a value from their places, right or wrong.
 */

type Raw = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

const secretKey = "secretAccessKey";

/** Paths of secrets in a setting; `*` is any key. All of a setting's paths have one length. */
const places: Readonly<Record<string, readonly (readonly string[])[]>> = {
  storage: [[secretKey]],
  bucketKeys: [["*", secretKey]],
  notify: [
    ["webhook", "url"],
    ["webhook", "token"],
    ["mail", "password"],
  ],
};

const placesOf = (setting: string) => (Object.hasOwn(places, setting) ? (places[setting] ?? []) : []);

export const hasSecretKeys = (setting: string) => placesOf(setting).length > 0;

/** Names of a setting's secrets, for messages: `webhook.url, webhook.token and mail.password`. */
export const secretNames = (setting: string): string =>
  placesOf(setting)
    .map((path) => path.filter((key) => key !== "*").join("."))
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");

/** Paths where a secret may be: all but those in entries of `bucketKeys`, whether set or not; of these one for each. */
export const secretPlaces = (raw: Raw): Path[] =>
  Object.entries(places).flatMap(([setting, paths]) =>
    paths.flatMap(([first = "", ...rest]) => {
      const map = raw[setting];
      const found = isMap(map) && map !== unread ? Object.keys(map) : [];
      const keys = first === "*" ? found : [first];
      return keys.map((key) => [setting, key, ...rest]);
    }),
  );

/** Whether the value at a path is a secret, or could be one in the wrong place. */
export function isSecretPlace([setting, ...path]: Path): boolean {
  const [first, last] = [path[0], path.at(-1)];
  return (
    (setting === "storage" && (path.length === 0 || path.includes(secretKey))) ||
    (setting === "bucketKeys" && !(path.length === 2 && (last === "accessKeyId" || last === "principal"))) ||
    (setting === "notify" && !isPlainInNotify(first, path[1]))
  );
}

const isPlainInNotify = (first: PropertyKey | undefined, second: PropertyKey | undefined) =>
  first === "expiryDays" ||
  first === "quotaPercent" ||
  (first === "mail" && second !== undefined && second !== "password");

/** Command that encrypts a value with Pulumi, which prompts for it. */
export const encryptCommand = (path: Path, stack?: string) =>
  `pulumi config set${stack === undefined ? "" : ` --stack ${stack}`} --secret --path kubecamp:${path.join(".")}`;

export function withoutSecretKeys(setting: string, value: unknown): unknown {
  return placesOf(setting).reduce(withoutPlace, value);
}

function withoutPlace(value: unknown, [key = "", ...rest]: readonly string[]): unknown {
  if (!isMap(value) || value === unread) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const isMeant = key === "*" || name === key;
      return isMeant && rest.length === 0 ? [] : [[name, isMeant ? withoutPlace(inner, rest) : inner]];
    }),
  );
}

export function isSecretKeysAlone(setting: string, value: unknown): boolean {
  const rest = withoutSecretKeys(setting, value);
  const isEmpty = (map: unknown) => isMap(map) && map !== unread && Object.keys(map).length === 0;
  return (
    rest !== value &&
    isMap(rest) &&
    (placesOf(setting).every((path) => path.length === 1)
      ? isEmpty(rest)
      : Object.values(rest).length > 0 && Object.values(rest).every(isEmpty))
  );
}
