/** What stands where a value is encrypted and nobody has decrypted it: it can't be judged, so there are no findings of it. */
export const unread = Object.freeze({ secure: "not decrypted" });
