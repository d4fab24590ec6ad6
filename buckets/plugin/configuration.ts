import { defaultStorage } from "../../config/model/settings/defaults.ts";
import type { CheckedInputs, FieldMistake } from "../bucket/check.ts";
import { containsUnknowns, type Props, plain } from "../protocol/values.ts";

/** Servers with an API for users that kubecamp supports. */
const userKinds = ["versitygw"] as const;

/** The provider's inputs: the server and its administrator. */
export interface ServerConfiguration {
  /** Undefined for AWS. */
  readonly endpoint?: string;
  readonly region: string;
  readonly forcePathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Name that no other stack on the server has. */
  readonly stack: string;
  readonly users?: (typeof userKinds)[number];
  /** Address of the API for users; default: the endpoint. */
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
/** Pulumi's own fields. */
const engineFields = ["version", "pluginDownloadURL", "pluginChecksums", "__internal"];

/** Mistakes in the provider's inputs. Unknown values pass. */
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
  // Messages name the address, and must not contain a password.
  return /^https?:$/.test(protocol) && pathname === "/" && search === "" && username === "" && password === "";
}

/** The fields that differ. Each is an update, never a replacement, which would delete the buckets. */
export function diffConfiguration(olds: Props, news: Props): string[] {
  const [before, after] = [plain(olds), plain(news)];
  return fields.filter((field) => before[field] !== after[field]);
}

/** @param args checked and without unknown values */
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

/** The server's name in messages. */
export function serverName({ endpoint, region }: ServerConfiguration): string {
  return endpoint ?? `AWS S3 in ${region}`;
}
