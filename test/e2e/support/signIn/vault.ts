import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve).unref());
  atEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { VAULT_ADDR: `http://127.0.0.1:${port}`, VAULT_TOKEN: "tests" };
}

const prefix = "vault:v1:";

/** A new stack's key, encrypted, as `pulumi stack init` makes it with this provider. */
export const newKey = (): string => Buffer.from(`${prefix}${randomBytes(32).toString("base64")}`).toString("base64");
