import { hash, randomBytes } from "node:crypto";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Letters that identify the resource, of eighteen; the others are random. */
const ofResource = 12;

/** The constant beginning of a resource's access key: it finds the user again after a killed run or a lost state. */
export function keyPrefixOf(stack: string, urn: string): string {
  const digest = hash("sha256", `${stack}\n${resourcePlace(urn)}`, "buffer");
  return `KC${lettersOf(digest.subarray(0, ofResource))}`;
}

/**
 * A resource's URN without project and stack: buckets and keys go along when a member moves to another shard.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns
 */
export function resourcePlace(urn: string): string {
  return urn.split("::").slice(2).join("::");
}

/** A new key of twenty capitals and digits, like AWS's. Policies that name a former member's key don't apply to it. */
export function newAccessKey(prefix: string): string {
  return `${prefix}${lettersOf(randomBytes(18 - ofResource))}`;
}

export function isMadeKey(accessKeyId: string): boolean {
  return new RegExp(`^KC[${letters}]{18}$`).test(accessKeyId);
}

export function newSecret(): string {
  return randomBytes(30).toString("base64url");
}

function lettersOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => letters[byte % letters.length]).join("");
}
