import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Address and keys of a sandbox's S3 server for its administrator. */
export interface S3Access {
  /** Such as `http://127.0.0.1:23456`; also the address of the API for users. */
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * Path of the administrator's keys, readable by the owner only, in AWS's format (AWS_SHARED_CREDENTIALS_FILE).
 * @param folder the server's folder
 * @see https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html
 */
export function credentialsFile(folder: string): string {
  return join(folder, "credentials");
}

/** A server's address; undefined if the folder has none. Reads no secrets. */
export async function s3Endpoint(folder: string): Promise<string | undefined> {
  const file = endpointFile(folder);
  return existsSync(file) ? (await readFile(file, "utf8")).trim() : undefined;
}

/** Access to the server that was made in the folder; undefined if none was. */
export async function readAccess(folder: string): Promise<S3Access | undefined> {
  const endpoint = await s3Endpoint(folder);
  if (endpoint === undefined) {
    return undefined;
  }
  const text = await readFile(credentialsFile(folder), "utf8");
  const value = (key: string): string => new RegExp(`^${key} = (.+)$`, "m").exec(text)?.[1] ?? "";
  return { endpoint, accessKeyId: value("aws_access_key_id"), secretAccessKey: value("aws_secret_access_key") };
}

/** Makes up random keys, and writes them to the folder. */
export async function newAccess(folder: string, port: number): Promise<S3Access> {
  const access = {
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: `admin${randomBytes(6).toString("hex")}`,
    // One that begins with a dash would be an option to a command that takes it.
    secretAccessKey: randomBytes(30).toString("hex"),
  };
  await mkdir(folder, { recursive: true });
  // The folder will also have the keys of the server's users.
  await chmod(folder, 0o700);
  const { accessKeyId, secretAccessKey } = access;
  await writeWhole(
    credentialsFile(folder),
    `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
  );
  return access;
}

/** Writes the address of a server that has started. Written last: a folder without it has no server, and is made anew. */
export async function keepEndpoint(folder: string, { endpoint }: S3Access): Promise<void> {
  await writeWhole(endpointFile(folder), `${endpoint}\n`);
}

async function writeWhole(file: string, text: string): Promise<void> {
  const partial = `${file}.partial`;
  await writeFile(partial, text, { mode: 0o600 });
  await rename(partial, file);
}

function endpointFile(folder: string): string {
  return join(folder, "endpoint");
}
