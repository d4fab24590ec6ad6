import assert from "node:assert/strict";
import { readError, StatusError, watchError } from "../../../../cluster/api/errors.ts";

const services = "the Services from the API server https://a:6443";
/** As fetch throws what the network does. */
const network = (code: string, message = code) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
const remedyOf = (cause: unknown) => readError(services, cause).message.split("\n").at(-1) ?? "";

describe("an error while reading", () => {
  it("says of a failed read what was asked of whom, the cause, what that means, and the way out", () => {
    const body = JSON.stringify({ kind: "Status", message: 'services is forbidden: User "x" cannot list' });
    assert.equal(
      readError(services, new StatusError(403, body, undefined)).message,
      `Can't read the Services from the API server https://a:6443: 403 services is forbidden: User "x" cannot list
Nothing was changed: without this answer a run would have to guess, and could take live routes for dead.
Give the identity in the kubeconfig the right to list them, then run again.`,
    );
  });

  it("gives a failed read's innermost cause, also of several connections that failed", () => {
    const both = new TypeError("fetch failed", {
      cause: new AggregateError([new Error("connect ECONNREFUSED ::1:6443"), new Error("connect ECONNREFUSED")]),
    });
    assert.match(readError(services, both).message, /: connect ECONNREFUSED ::1:6443\n/);
  });

  it("shows the beginning of an answer that is not the API server's", () => {
    const { message } = readError(services, new StatusError(502, `<html>Bad Gateway${"!".repeat(500)}`, undefined));
    assert.match(message, /: 502 <html>Bad Gateway!{183}\n/);
  });

  const remedies: [cause: unknown, remedy: RegExp][] = [
    [new StatusError(401, "", undefined), /^The credentials .* have expired: sign in again/],
    [new StatusError(404, "", undefined), /^No Kubernetes API is there/],
    [new StatusError(422, "", undefined), /^The API server or a policy of the cluster does not allow that/],
    [new StatusError(429, "", undefined), /^The API server has too much to do/],
    [new StatusError(503, "", undefined), /^Run again when the API server answers/],
    [network("ENOTFOUND"), /^That name is not known here/],
    [network("ECONNREFUSED"), /^Is the cluster up/],
    [network("UND_ERR_CONNECT_TIMEOUT"), /^Nothing answers there: is the VPN up/],
    [network("CERT_HAS_EXPIRED"), /^Have the API server's certificate renewed/],
    [network("ERR_TLS_CERT_ALTNAME_INVALID"), /^The certificate is for another name/],
    [network("SELF_SIGNED_CERT_IN_CHAIN"), /^The certificate is from a CA that neither/],
    [network("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), /^The certificate is from a CA that neither/],
    [new Error("something new"), /^See that kubectl works/],
  ];
  for (const [cause, remedy] of remedies) {
    it(`tells the way out of ${cause instanceof StatusError ? cause.code : (Object(cause).cause?.code ?? "an unknown error")}`, () =>
      assert.match(remedyOf(cause), remedy));
  }

  it("says of a watch's error that the watch goes on by itself, and asks nobody to run anything", () => {
    const { message } = watchError(services, new StatusError(403, '{"message":"services is forbidden"}', undefined));
    assert.equal(
      message,
      `Can't watch the Services from the API server https://a:6443: 403 services is forbidden
What was known stays as it is, and it is tried again by itself.
Give the identity in the kubeconfig the right to watch them.`,
    );
    for (const [cause] of remedies) {
      for (const { message } of [watchError(services, cause), readError(services, cause, "watch")]) {
        assert.doesNotMatch(message, /run again|nothing was changed/i);
        assert.match(message, /\S[.?]$/);
      }
    }
  });
});
