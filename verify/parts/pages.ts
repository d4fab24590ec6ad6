/** Pages that most promises are on. */
export const promisesPage = "docs/security/security.md#promises";
export const amountsPage = "docs/reference/limits.md#amounts";
