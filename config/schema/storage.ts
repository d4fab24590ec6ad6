import { z } from "zod";
import { defaultStorage } from "../model/settings/defaults.ts";
import { bucketName } from "./buckets.ts";
import { choiceOf, dnsSubdomain, flag, identity, optional, text } from "./values.ts";

/** An endpoint as the S3 client accepts it; the path is for buckets and object keys. */
const endpoint = text.refine((value) => {
  const { protocol = "", pathname, search, hash, username, password } = URL.parse(value) ?? {};
  const more = `${search}${hash}${username}${password}`;
  return /^https?:$/.test(protocol) && pathname === "/" && more === "";
}, "must be an http or https URL without user, path and query, such as https://s3.example.org");

/** As the S3 client accepts it. */
const region = text.regex(
  /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/,
  "must be a region's name: A-Z, a-z, 0-9 and '-', at most 63 characters",
);

/** The header of each request contains it, between other values. */
const accessKeyId = text
  .max(128, "must have at most 128 characters")
  .regex(/^[!-+\--.0-~]+$/, "must be an access key, without blanks, commas and slashes");

/** The encrypted form in the file. In `properties`, docs/reference/settings.md would show it as a key. */
export const encryptedForm = {
  type: "object",
  patternProperties: { "^secure$": { type: "string" } },
  minProperties: 1,
  maxProperties: 1,
};

const secretAccessKey = text.refine((value) => !/\s/.test(value), "must be a secret key, without blanks");

const encrypted = "encrypted: `pulumi config set --secret --path";

export const storageSchema = z.strictObject(
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
      `S3, required: its secret, ${encrypted} kubecamp:storage.secretAccessKey\`. Default: none.`,
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
);

export type StorageEntry = z.input<typeof storageSchema>;

export const bucketKeysSchema = z.record(
  z.string(),
  z.strictObject(
    {
      accessKeyId: accessKeyId.meta({ description: "Access key.", examples: ["AKIAEXAMPLE"] }),
      secretAccessKey: secretAccessKey.meta({
        description: `Its secret, ${encrypted} kubecamp:bucketKeys.<member>.secretAccessKey\`.`,
        ...encryptedForm,
      }),
      principal: optional(
        identity,
        "User whom bucket policies let in, such as `arn:aws:iam::123456789012:user/alice`. Default: none; give access on the server.",
      ),
    },
    "must be a map with accessKeyId and secretAccessKey",
  ),
  "must be a map of keys by members' names",
);

/** Keys that somebody else made for a member. */
export type BucketKeysEntry = z.input<typeof bucketKeysSchema>[string];
