import assert from "node:assert/strict";
import { configuration, loginAt, mistakes } from "../samples.ts";

const login = loginAt("camp.example.org");
const route = { host: "camp.example.org", login };
const host = "board.example.org";
const reported = (board: unknown, more: object = {}) => mistakes({ route, members: [], board, ...more });
const settingsOf = (board: object, more: object = {}) =>
  configuration({ route, members: [], board, ...more }).settings.board;

describe("the board that the watch serves", () => {
  it("knows the board's visitors by the header for members' subjects, and shows all to nobody", () => {
    const plain = { host, login: { ...login, allow: "members" }, port: 9465, verify: false, admins: [] };
    for (const [usernameClaim, header] of [
      ["sub", "X-Auth-Request-User"],
      ["upn", "X-Auth-Request-User"],
      ["constructor", "X-Auth-Request-User"],
      ["email", "X-Auth-Request-Email"],
      ["preferred_username", "X-Auth-Request-Preferred-Username"],
    ]) {
      assert.deepEqual(settingsOf({ host }, { oidc: { usernameClaim } }), { ...plain, header });
    }
    const chosen = { host, port: 8081, verify: true, header: "X-Auth-Request-Email", admins: ["tina@example.org"] };
    assert.deepEqual(settingsOf(chosen), { ...chosen, login: { ...login, allow: "members" } });
  });

  it("takes a login of the board's own, which asks only that somebody has signed in", () => {
    const own = { ...login, url: "http://board-proxy.login.svc.cluster.local:4180" };
    const ofPaths = { route: { ...route, login: { ...login, allow: ["staff"] } } };
    assert.deepEqual(settingsOf({ host, login: own }, ofPaths)?.login, { ...own, allow: "members" });
    assert.deepEqual(settingsOf({ host }, ofPaths)?.login, { ...login, allow: "members" });
    const withoutLogin = { route: { host: "camp.example.org" } };
    assert.deepEqual(settingsOf({ host, login: own }, withoutLogin)?.login, { ...own, allow: "members" });
    const { signIn: _, ...noSignIn } = own;
    assert.deepEqual(reported({ host, login: noSignIn }, withoutLogin), [
      "board.login.signIn: is missing: ingress-nginx sends browsers there; set it, as https://apps.example.org/oauth2/start",
    ]);
    assert.deepEqual(reported({ host, login: { ...own, allow: ["staff"] } }), [
      "board.login.allow: is no setting here",
    ]);
    const [haproxy = ""] = reported(
      { host, login: own },
      { route: { host: "camp.example.org", controller: "haproxy" } },
    );
    assert.match(
      haproxy,
      /^board\.login\.kind: "oauth2-proxy" is not supported by haproxy, which has no annotation for it/,
    );
    const gateway = { host: "camp.example.org", kind: "gateway", namespace: "edge", gateway: { name: "public" } };
    const [line = ""] = reported({ host, login: own }, { route: gateway });
    assert.match(line, /^board: is not served at a Gateway; leave it out, and use `kubecamp members -o html`/);
  });

  it("refuses a board without a login, where the header is what a visitor says", () => {
    const needs = "board: needs a login, which says who a visitor is; ";
    assert.deepEqual(reported({ host }, { route: { host: "camp.example.org" } }), [
      `${needs}set board.login, or route.login (docs/run/login.md), or leave board out`,
    ]);
    const gateway = { host: "camp.example.org", kind: "gateway", namespace: "edge", gateway: { name: "public" } };
    const noneAtGateway = "board: is not served at a Gateway; leave it out, and use `kubecamp members -o html`";
    for (const route of [gateway, { ...gateway, login: { kind: "oauth2-proxy", url: login.url } }]) {
      assert.deepEqual(reported({ host }, { route }), [noneAtGateway]);
    }
  });

  it("refuses a board on a member's host, whose pages could read it as whoever looks at them", () => {
    const why = "whose pages could read the board; choose a host of its own";
    const bob = { member: "bob", type: "user" };
    assert.deepEqual(reported({ host: "camp.example.org" }, { members: [bob] }), [
      `board.host: "camp.example.org" is also the host of members[0] (bob), ${why}`,
    ]);
    const hosts = { host: "{member}.example.org", login };
    const board = { member: "board", type: "user" };
    assert.deepEqual(reported({ host }, { route: hosts, members: [bob, board] }), [
      `board.host: "board.example.org" is also the host of members[1] (board), ${why}`,
    ]);
    assert.deepEqual(reported({ host }, { route: hosts, members: [bob, { ...board, route: false }] }), []);
    assert.deepEqual(reported({ host }, { members: [{ ...bob, route: { host } }] }), [
      `board.host: "board.example.org" is also the host of members[0] (bob), ${why}`,
    ]);
  });

  it("refuses a board by a header that visitors could write, or that people may choose", () => {
    const rule = "must be one of X-Auth-Request-User, X-Auth-Request-Email, X-Auth-Request-Preferred-Username";
    assert.deepEqual(reported({ host, header: "X-Forwarded-User" }), [`board.header: "X-Forwarded-User" ${rule}`]);
    const chosen =
      'board.header: "X-Auth-Request-Preferred-Username" has a name that people may choose themselves at many issuers, and oidc.usernameClaim is another; leave header out';
    const header = "X-Auth-Request-Preferred-Username";
    assert.deepEqual(reported({ host, header }), [chosen]);
    assert.deepEqual(reported({ host, header }, { oidc: { usernameClaim: "preferred_username" } }), []);
  });
});
