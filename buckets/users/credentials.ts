import { createHash, randomBytes } from "node:crypto";
import { resourcePlace } from "../resourcePlace.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** How many of the eighteen letters tell the resource; the others are chance. */
const ofResource = 12;

/**
 * What the access key of a resource begins with, always the same: the user of a killed run, or of a lost state, is found
 * again by it. Keys of earlier releases begin so too.
 * @param stack what no other stack on the server calls itself
 */
export function keyPrefixOf(stack: string, urn: string): string {
  const digest = createHash("sha256")
    .update(`${stack}\n${resourcePlace(urn)}`)
    .digest();
  return `KC${lettersOf(digest.subarray(0, ofResource))}`;
}

/**
 * An access key that nobody has had: what policies of others gave to a former member of the same name is not given to this
 * one. Twenty capitals and digits, as AWS's are.
 */
export function newAccessKey(prefix: string): string {
  return `${prefix}${lettersOf(randomBytes(18 - ofResource))}`;
}

/** Whether kubecamp has made this access key, for whatever stack. */
export function isMadeKey(accessKeyId: string): boolean {
  return new RegExp(`^KC[${letters}]{18}$`).test(accessKeyId);
}

/** Forty characters that nobody can guess, and that need no quotes anywhere. */
export function newSecret(): string {
  return randomBytes(30).toString("base64url");
}

function lettersOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => letters[byte % letters.length]).join("");
}
