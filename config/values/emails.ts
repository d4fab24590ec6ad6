/** An address as issuers send it: one person's, without a name, a comment or quotes. */
const address = /[^\s@,;:<>()[\]\\"]+@[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*/gu;

/** Why no issuer sends this text as an email address; undefined for an address. */
export function whyNoAddress(text: string): string | undefined {
  const [first, ...others] = text.match(address) ?? [];
  if (first === text) {
    return undefined;
  }
  if (others.length > 0) {
    return "has more than one address";
  }
  if (/\s/.test(text) && !text.includes("<")) {
    return "has a blank in it";
  }
  return first === undefined ? "is no email address" : `has more in it than the address ${first}`;
}

/** The mistake of such a text in a subject; undefined for an address. */
export function noAddress(subject: string): string | undefined {
  const why = whyNoAddress(subject);
  return why && `${why}, and oidc.usernameClaim is email: set subject to the member's address`;
}
