/**
 * How Pulumi marks values that are not plain JSON, in its protocol and its state. The SDK has the same constants, but
 * takes too long to load for commands that need nothing else of it.
 * @see https://www.pulumi.com/docs/iac/concepts/secrets/
 */

/** A map with this key stands for a single value; the key's value says which kind. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** Value of that key for a secret. */
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Stands in a preview for a value that is known only after the update. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether Pulumi takes a map for something else than what it says, such as one of labels, which members write. */
export const isMarked = (map: Readonly<Record<string, string>>): boolean =>
  Object.hasOwn(map, signatureKey) || Object.values(map).includes(unknown);
