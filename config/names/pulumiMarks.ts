/**
 * How Pulumi marks values that are not plain JSON, in its protocol and its state. The SDK has the same constants, but
 * takes too long to load for commands that need nothing else of it.
 * @see https://www.pulumi.com/docs/iac/concepts/secrets/
 */

/** A map with this key stands for a single value; the key's value says which kind. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Stands in a preview for a value that is known only after the update. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * Pulumi takes any of these texts, wherever it is, for a value that is not known yet: a text, true or false, a number, a
 * list, an asset, an archive, a map.
 * @see https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/plugin/rpc.go
 */
export const unknowns: readonly string[] = [
  unknown,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

/** As JSON writes the one as a key and the others as values: as a part of a longer text, they mean nothing. */
const marks = new RegExp(`"${signatureKey}":|"(${unknowns.join("|")})"(?!:)`);

/**
 * Whether Pulumi takes a part of an object, which members may write, for something else than what it says: it can't read
 * the object then, or keeps something else of it in its state, such as the content of a file.
 */
export const hasMarks = (object: object): boolean => areMarksIn(JSON.stringify(object));

export const areMarksIn = (json: string): boolean => marks.test(json);
