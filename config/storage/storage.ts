import { z } from "zod";
import type { Rule } from "../rule.ts";
import type { EntryOf } from "../values/issues.ts";
import { given, isMap, unread, when } from "../values/maps.ts";
import { plainMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { encryptCommand, secretPlaces } from "../values/secretKeys.ts";
import { bucketName, choiceOf, dnsSubdomain, flag, optional, text } from "../values/values.ts";

/** As the S3 client accepts it. */
const region = text.regex(
  /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/,
  "must be a region's name: A-Z, a-z, 0-9 and '-', at most 63 characters",
);

export const defaultStorage = { kind: "s3", region: "us-east-1" } as const;

/** An endpoint as the S3 client accepts it; the path is for buckets and object keys. */
const endpoint = text.refine((value) => {
  const { protocol = "", pathname, search, hash, username, password } = URL.parse(value) ?? {};
  const more = `${search}${hash}${username}${password}`;
  return /^https?:$/.test(protocol) && pathname === "/" && more === "";
}, "must be an http or https URL without user, path and query, such as https://s3.example.org");

/** The header of each request contains it, between other values. */
export const accessKeyId = text
  .max(128, "must have at most 128 characters")
  .regex(/^[!-+\--.0-~]+$/, "must be an access key, without blanks, commas and slashes");

/** The encrypted form in the file. In `properties`, docs/reference/settings.md would show it as a key. */
export const encryptedForm = {
  type: "object",
  patternProperties: { "^secure$": { type: "string" } },
  minProperties: 1,
  maxProperties: 1,
};

export const secretAccessKey = text.refine((value) => !/\s/.test(value), "must be a secret key, without blanks");

export const encryptedBy = (path: string) => `encrypted: \`pulumi config set --secret --path kubecamp:${path}\`.`;

export const storageSchema = optional(
  z.strictObject(
    {
      kind: optional(choiceOf(["s3", "cosi"]), "`s3`: an S3 server. `cosi`: a COSI driver.", {
        default: defaultStorage.kind,
      }),
      endpoint: optional(endpoint, "S3: the server's URL. Default: AWS.", { examples: ["https://s3.example.org"] }),
      appEndpoint: optional(endpoint, "S3: its URL for members' pods. Default: `endpoint`.", {
        examples: ["http://s3.storage.svc:7070"],
      }),
      region: optional(region, "S3: the region.", { default: defaultStorage.region }),
      forcePathStyle: optional(
        flag,
        "S3: whether the bucket's name is in the path, not in the host. Default: true with an `endpoint`, false with AWS.",
      ),
      accessKeyId: optional(
        accessKeyId,
        "S3, required: access key of an administrator of buckets and, with `users`, of users. Default: none.",
      ),
      secretAccessKey: optional(
        secretAccessKey,
        `S3, required: its secret, ${encryptedBy("storage.secretAccessKey")} Default: none.`,
        { ...encryptedForm },
      ),
      users: optional(
        choiceOf(["versitygw"]),
        "S3: the kind of server on which kubecamp makes users and keys. Default: none; set `bucketKeys`.",
      ),
      usersEndpoint: optional(endpoint, "S3: URL of the API for users. Default: `endpoint`."),
      adopt: optional(
        z.array(bucketName, "must be a list of buckets' names"),
        "S3: existing buckets that entries of `membersFile` may take over. Default: none.",
        { examples: [["course-data"]] },
      ),
      version: optional(
        choiceOf(["v1alpha1", "v1alpha2"]),
        "COSI, required: the cluster's version of `objectstorage.k8s.io`. Default: none.",
      ),
      bucketClassName: optional(dnsSubdomain, "COSI, required: class of buckets. Default: none."),
      bucketAccessClassName: optional(dnsSubdomain, "COSI, required: class of keys. Default: none."),
    },
    "must be a map",
  ),
  "The S3 server or COSI driver for `buckets`. See [buckets.md](../run/buckets.md).",
  {
    examples: [
      {
        endpoint: "https://s3.example.org",
        users: "versitygw",
        accessKeyId: "admin",
        secretAccessKey: { secure: "v1:..." },
      },
    ],
  },
);

type Entry = EntryOf<typeof storageSchema>;

/** An S3 server and its administrator's key, or a COSI driver of the cluster. */
type StorageSettings = S3Settings | CosiSettings;

export type S3Settings = Readonly<ReturnType<typeof s3Of>>;

export type CosiSettings = Readonly<ReturnType<typeof cosiOf>>;

export const storageSettingsOf = (entry: Entry): StorageSettings =>
  (entry.kind ?? defaultStorage.kind) === "cosi" ? cosiOf(entry) : s3Of(entry);

/** An encrypted value that was not decrypted is empty or absent. */
const s3Of = (entry: Entry) => ({
  kind: "s3" as const,
  ...given(entry, "endpoint", "appEndpoint"),
  region: entry.region ?? defaultStorage.region,
  forcePathStyle: entry.forcePathStyle ?? entry.endpoint !== undefined,
  accessKeyId: entry.accessKeyId ?? "",
  ...given(entry, "secretAccessKey", "users", "usersEndpoint"),
});

const cosiOf = ({ version = "v1alpha1", bucketClassName = "", bucketAccessClassName = "" }: Entry) => ({
  kind: "cosi" as const,
  version,
  bucketClassName,
  bucketAccessClassName,
});

const cosiKeys = [
  ["version", "the version of objectstorage.k8s.io that the cluster serves, v1alpha1 or v1alpha2"],
  ["bucketClassName", "the BucketClass of members' buckets"],
  ["bucketAccessClassName", "the BucketAccessClass of members' keys"],
] as const satisfies readonly (readonly [keyof Entry, string])[];

const s3Keys = (Object.keys(storageSchema.unwrap().shape) as (keyof Entry)[]).filter(
  (key) => key !== "kind" && !cosiKeys.some(([other]) => other === key),
);

export const storageRule: Rule = (all) => {
  const { storage: raw } = all.raw;
  const { kind = defaultStorage.kind, users } = all.entry.storage ?? {};
  if (!isMap(raw) || !all.isKnown("storage", "kind")) {
    return [];
  }
  const has = (key: keyof Entry) => (raw[key] ?? undefined) !== undefined;
  const reported = (key: keyof Entry, message: string) =>
    when(has(key) && raw[key] !== unread, valueMistake(["storage", key], raw[key], message));
  const missing = (key: keyof Entry, message: string) =>
    when(raw[key] === undefined, plainMistake(["storage", key], `is missing: ${message}`));
  if (kind === "cosi") {
    return [
      ...s3Keys.flatMap((key) => reported(key, "is for kind: s3; leave it out: with cosi the driver knows the server")),
      ...cosiKeys.flatMap(([key, what]) => missing(key, `kind: cosi needs ${what}; set it, or leave kind out`)),
    ];
  }
  const noAddress = users !== undefined && !has("endpoint") && !has("usersEndpoint");
  return [
    ...cosiKeys.flatMap(([key]) => reported(key, "is for kind: cosi; leave it out, or set kind: cosi")),
    ...missing("accessKeyId", "kubecamp makes buckets with an access key and its secret; set it, or kind: cosi"),
    ...missing(
      "secretAccessKey",
      `it goes with accessKeyId; set it: ${encryptCommand(["storage", "secretAccessKey"])}`,
    ),
    ...(noAddress
      ? reported("users", "needs an API for users, which AWS does not have; set endpoint, or leave users out")
      : []),
    ...(has("users") ? [] : reported("usersEndpoint", "is for users; set that, or leave it out")),
  ];
};

export const plainTextRule: Rule = ({ raw, isSecret }) =>
  secretPlaces(raw)
    .filter((path) => typeof valueAt(raw, path) === "string" && isSecret?.(path) === false)
    .map((path) =>
      plainMistake(
        path,
        `is plain text here; make another if anybody else could read it, and encrypt it: ${encryptCommand(path)}`,
      ),
    );
