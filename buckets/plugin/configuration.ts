import { defaultStorage } from "../../config/model/defaults.ts";
import type { CheckedInputs, FieldMistake } from "../bucket/check.ts";
import { containsUnknowns, type Props, plain } from "../protocol/values.ts";

/** Servers with an API for users that kubecamp knows. */
const userKinds = ["versitygw"] as const;

/** The provider's inputs: which server, and who is its administrator. */
export interface ServerConfiguration {
  /** Undefined for AWS. */
  readonly endpoint?: string;
  readonly region: string;
  readonly forcePathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** What no other stack calls itself. */
  readonly stack: string;
  readonly users?: (typeof userKinds)[number];
  /** Where the API for users is, if not at the endpoint. */
  readonly usersEndpoint?: string;
}

const fields = [
  "endpoint",
  "region",
  "forcePathStyle",
  "accessKeyId",
  "secretAccessKey",
  "stack",
  "users",
  "usersEndpoint",
];
/** Pulumi's own. */
const engineFields = ["version", "pluginDownloadURL", "pluginChecksums", "__internal"];

/** What is wrong with the provider's inputs. What is not known yet passes. */
export function checkConfiguration(news: Props): CheckedInputs {
  const given = plain(news);
  const failures: FieldMistake[] = [];
  const wrong = (property: string, reason: string): void =>
    void failures.push({ property, reason: `S3 server: ${reason}` });
  for (const key of Object.keys(given)) {
    if (![...fields, ...engineFields].includes(key)) wrong(key, `'${key}' is unknown; known are ${fields.join(", ")}`);
  }
  for (const key of ["accessKeyId", "secretAccessKey", "stack"]) {
    if (typeof given[key] !== "string" || given[key] === "") wrong(key, `'${key}' is missing`);
  }
  for (const key of ["endpoint", "usersEndpoint"]) {
    const value = given[key];
    if (value !== undefined && !containsUnknowns(value) && !isEndpoint(value)) {
      wrong(key, `'${key}' is no address; give one such as https://s3.example.org, without a path`);
    }
  }
  const { users } = given;
  if (users !== undefined && !containsUnknowns(users) && !userKinds.some((kind) => kind === users)) {
    wrong("users", `'users' is one of ${userKinds.join(", ")}, and not ${JSON.stringify(users)}`);
  }
  if (users !== undefined && given.endpoint === undefined && given.usersEndpoint === undefined) {
    wrong("users", "'users' needs an 'endpoint'");
  }
  return { inputs: news, failures };
}

function isEndpoint(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, pathname, search, username, password } = new URL(value);
  // Messages name the address, and must not tell a password.
  return /^https?:$/.test(protocol) && pathname === "/" && search === "" && username === "" && password === "";
}

/** The fields that differ: an update of the provider, and never a replacement, which would take the buckets along. */
export function diffConfiguration(olds: Props, news: Props): string[] {
  const [before, after] = [plain(olds), plain(news)];
  return fields.filter((field) => before[field] !== after[field]);
}

/** @param args checked, and without anything unknown */
export function serverConfiguration(args: Props): ServerConfiguration {
  const given = plain(args) as unknown as Partial<ServerConfiguration>;
  const { endpoint, region = defaultStorage.region, forcePathStyle = endpoint !== undefined } = given;
  const { accessKeyId = "", secretAccessKey = "", stack = "", users, usersEndpoint = endpoint } = given;
  return {
    region,
    forcePathStyle,
    accessKeyId,
    secretAccessKey,
    stack,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(users === undefined ? {} : { users }),
    ...(usersEndpoint === undefined ? {} : { usersEndpoint }),
  };
}

/** How messages name the server. */
export function serverName({ endpoint, region }: ServerConfiguration): string {
  return endpoint ?? `AWS S3 in ${region}`;
}
