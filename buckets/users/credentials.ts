import { createHash, randomBytes } from "node:crypto";
import { resourcePlace } from "../resourcePlace.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * The access key of a resource, always the same: policies can name it before it exists, a killed run's user is found
 * again, and a new secret leaves the policies alone. Twenty capitals and digits, as AWS's are.
 * @param stack what no other stack on the server calls itself
 */
export function accessKeyOf(stack: string, urn: string): string {
  const digest = createHash("sha256")
    .update(`${stack}\n${resourcePlace(urn)}`)
    .digest();
  return `KC${[...digest.subarray(0, 18)].map((byte) => letters[byte % letters.length]).join("")}`;
}

/** Whether kubecamp has made this access key, for whatever stack. */
export function isMadeKey(accessKeyId: string): boolean {
  return new RegExp(`^KC[${letters}]{18}$`).test(accessKeyId);
}

/** Forty characters that nobody can guess, and that need no quotes anywhere. */
export function newSecret(): string {
  return randomBytes(30).toString("base64url");
}
