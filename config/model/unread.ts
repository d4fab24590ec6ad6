/** Stands in for an encrypted value that nobody has decrypted. It can't be checked, so there are no mistakes about it. */
export const unread = Object.freeze({ secure: "not decrypted" });
