import { defaultStorage } from "../../config/storage/storage.ts";
import { given } from "../../config/values/maps.ts";
import { type Props, plain } from "../protocol/values.ts";

/** The provider's inputs: an S3 server and its administrator's credentials. */
export interface ServerConfiguration {
  /**
   * The server's address, such as `https://s3.example.org`.
   * @default AWS
   */
  readonly endpoint?: string;
  /** @default us-east-1 */
  readonly region: string;
  /**
   * Whether a bucket's name is in the path (`https://s3.example.org/bucket`) or in the host name.
   * @default true if there is an endpoint
   */
  readonly forcePathStyle: boolean;
  /** The administrator's, who may create and delete buckets, set their policies and tags, and create users. */
  readonly accessKeyId: string;
  /** Encrypted in the state. Changing it changes no bucket. */
  readonly secretAccessKey: string;
  /**
   * Name shared by all shards of one list and by no other stack on the server. The buckets' tags and the users' access keys
   * are derived from it, so that it must stay the same. Letters, digits, spaces and `+-=._:/@`.
   */
  readonly stack: string;
  /**
   * The server's kind, if kubecamp can create users on it.
   * @default no users can be created
   */
  readonly users?: "versitygw";
  /**
   * Address of the API for users.
   * @default the endpoint
   */
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

/** The fields that differ. Each is an update, never a replacement, which would delete the buckets. */
export function diffConfiguration(olds: Props, news: Props): string[] {
  const [before, after] = [plain(olds), plain(news)];
  return fields.filter((field) => before[field] !== after[field]);
}

/** @param args checked and without unknown values */
export function serverConfiguration(args: Props): ServerConfiguration {
  const entry = plain(args) as unknown as Partial<ServerConfiguration>;
  const { accessKeyId = "", secretAccessKey = "", stack = "", region = defaultStorage.region } = entry;
  const { endpoint, forcePathStyle = endpoint !== undefined, usersEndpoint = endpoint } = entry;
  const optional = given({ ...entry, usersEndpoint }, "endpoint", "users", "usersEndpoint");
  return { region, forcePathStyle, accessKeyId, secretAccessKey, stack, ...optional };
}

/** The server's name in messages. */
export function serverName({ endpoint, region }: ServerConfiguration): string {
  return endpoint ?? `AWS S3 in ${region}`;
}
