/**
 * How Pulumi marks values that are not plain JSON, over its protocol and in its state. The SDK has the same constants,
 * and takes too long to load for commands that need nothing else of it.
 * @see https://www.pulumi.com/docs/iac/concepts/secrets/
 */

/** The key of a map that stands for a single value; what it has says for which. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** What a secret has there. */
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** What stands in a preview in place of a value that only the update will know. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
