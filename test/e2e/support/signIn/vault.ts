import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "../../../support/listening.ts";
import { atEnd } from "../atEnd.ts";

/** Secrets provider for `pulumi stack init`, so that the vault below encrypts the stack's secrets. */
export const vaultProvider = "hashivault://kubecamp";

/**
 * Two calls of Vault's transit engine, which hide nothing. With a passphrase, each command derives its key anew in a quarter of
 * a second of CPU, and that is as much as all else that a small run costs the CLI.
 * @returns the environment that leads to it
 * @see https://developer.hashicorp.com/vault/api-docs/secret/transit#encrypt-data
 */
export async function startVault(): Promise<Readonly<Record<string, string>>> {
  const server = createServer(async (request, response) => {
    const { plaintext = "", ciphertext = "" } = JSON.parse(await text(request)) as Record<string, string>;
    const data = request.url?.includes("/encrypt/")
      ? { ciphertext: `${prefix}${plaintext}` }
      : { plaintext: ciphertext.slice(prefix.length) };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  const port = await listening(server.unref());
  atEnd(() => server.close());
  return { VAULT_ADDR: `http://127.0.0.1:${port}`, VAULT_TOKEN: "tests" };
}

const prefix = "vault:v1:";

/** A new stack's key, encrypted, as `pulumi stack init` makes it with this provider. */
export const newKey = (): string => Buffer.from(`${prefix}${randomBytes(32).toString("base64")}`).toString("base64");

/**
 * A text as Pulumi keeps it with a stack's key, without a process for each.
 * @param key as `Pulumi.<stack>.yaml` has it
 * @see https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/config/crypt.go
 */
export function encrypt(text: string, key: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, plainKey(key), nonce);
  const sealed = [cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return `v1:${nonce.toString("base64")}:${Buffer.concat(sealed).toString("base64")}`;
}

export function decrypt(sealed: string, key: string): string {
  const [nonce, content] = sealed
    .split(":")
    .slice(1)
    .map((part) => Buffer.from(part, "base64"));
  if (nonce === undefined || content === undefined) {
    throw new Error(`'${sealed}' is nothing that Pulumi has encrypted`);
  }
  const decipher = createDecipheriv(algorithm, plainKey(key), nonce).setAuthTag(content.subarray(-tagBytes));
  return Buffer.concat([decipher.update(content.subarray(0, -tagBytes)), decipher.final()]).toString();
}

const algorithm = "aes-256-gcm";
const tagBytes = 16;

const plainKey = (key: string): Buffer =>
  Buffer.from(Buffer.from(key, "base64").toString().slice(prefix.length), "base64");
