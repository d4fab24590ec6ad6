/**
 * MiB of all objects of an archive together. The memory of a watch's Pod is enough for the usual ones. A file is read back as
 * one text, of which Node's longest has 512 MiB.
 */
export const archiveLimits = { usual: 100, most: 250 };
