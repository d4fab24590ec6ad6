import assert from "node:assert/strict";
import { isForHost, visitorNames, visitorOf } from "../../../../watch/board/visitor.ts";
import { configuration, loginAt } from "../../samples.ts";

const login = loginAt("camp.example.org");
const stack = configuration({
  route: { host: "camp.example.org", login },
  board: { host: "board.example.org", admins: ["tina@example.org"] },
  members: [
    { member: "bob", type: "user", subject: "bob@example.org" },
    { member: "bob-thesis", type: "user", subject: "dan@example.org" },
    { member: "dan", type: "user", subject: "dan@example.org" },
    { member: "dan-old", type: "user", subject: "dan@example.org", suspended: true },
    { member: "jorg", type: "user", subject: "jörg@example.org" },
    { member: "tess", type: "user", subject: "tina@example.org" },
    { member: "ann", type: "user", subject: "ann@example.org, tina@example.org" },
    { member: "sue", type: "user", subject: "sue@example.org", suspended: true },
    { member: "max", type: "user", subject: "max@example.org", expires: "2026-01-01" },
  ],
});
const named = (headersDistinct: Record<string, string[]>) =>
  visitorOf(visitorNames({ headersDistinct }, "X-Auth-Request-Email"), stack);
const header = "x-auth-request-email";
/** As Node has the bytes of a header. */
const sent = (text: string) => Buffer.from(text).toString("latin1");
const seen = (...values: string[]) => {
  const visitor = named({ [header]: values.map(sent) });
  return visitor?.sees === "own" ? visitor.members.map(({ name }) => name).join() : visitor?.sees;
};

describe("a visitor of the board", () => {
  it("takes a visitor for the member with the subject that the login's proxy hands on", () => {
    assert.equal(seen("bob@example.org"), "bob");
    assert.equal(seen("jörg@example.org"), "jorg");
    assert.equal(seen("dan@example.org"), "bob-thesis,dan");
  });

  it("lets an admin see the whole board, also one who is a member", () => {
    assert.equal(seen("tina@example.org"), "all");
  });

  it("takes a visitor for a stranger without a single value of the login's own header", () => {
    assert.equal(named({}), undefined);
    for (const values of [
      [],
      [""],
      ["bob@example.org", "tina@example.org"],
      ["bob@example.org,tina@example.org"],
      ["ann@example.org, tina@example.org"],
      ["tina@example.org, tina@example.org"],
    ]) {
      assert.equal(seen(...values), undefined, JSON.stringify(values));
    }
    for (const name of ["x-auth-request-user", "x_auth_request_email", "x-forwarded-email", "x-auth-request-groups"]) {
      assert.equal(named({ [name]: ["tina@example.org"] }), undefined, name);
    }
  });

  it("takes a visitor for a stranger by a name that is only like a known one", () => {
    for (const name of [
      ...["BOB@example.org", "Tina@example.org", "bob@example.org.", "bob@EXAMPLE.org", "bob", "oidc:bob@example.org"],
      // The same letters in another form, or that look the same.
      ...["jo\u0308rg@example.org", "jorg@example.org", "j\u{f6}rg@example.org\u200b", "bоb@example.org"],
      ...["bob@example.org\u00a0", "\u00a0tina@example.org", "tina@example.org\t", "undefined", "null", "__proto__"],
    ]) {
      assert.equal(seen(name), undefined, JSON.stringify(name));
    }
    // Not UTF-8: as one byte, it is another name.
    assert.equal(named({ [header]: ["j\u00f6rg@example.org"] }), undefined);
  });

  it("takes a suspended or expired member for a stranger, as the cluster does", () => {
    assert.deepEqual([seen("sue@example.org"), seen("max@example.org")], [undefined, undefined]);
  });

  it("takes every visitor for a stranger where the stack has no board", () => {
    const { board: _, ...settings } = stack.settings;
    assert.equal(visitorOf(["tina@example.org"], { ...stack, settings }), undefined);
  });
});

describe("a request for the board", () => {
  it("takes a request for the board's own only by its host, whatever the port", () => {
    const isFor = (...hosts: string[]) => isForHost({ headersDistinct: { host: hosts } }, "board.example.org");
    assert.deepEqual(
      ["board.example.org", "board.example.org:443", "Board.Example.org"].map((host) => isFor(host)),
      [true, true, true],
    );
    for (const hosts of [
      ...[[], [""], ["evil.example.org"], ["127.0.0.1:9465"], ["localhost"], ["board.example.org.evil.org"]],
      ...[["board.example.org", "board.example.org"], ["board.example.org:x"], ["board.example.org@evil.org"]],
    ]) {
      assert.equal(isFor(...hosts), false, JSON.stringify(hosts));
    }
    assert.equal(isForHost({ headersDistinct: {} }, "board.example.org"), false);
  });
});
