import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import type { Configuration } from "../../../../config/settings.ts";
import { freePort } from "../../../../sandbox/cluster/ports.ts";
import { BoardServer } from "../../../../watch/board/boardServer.ts";
import { BoardPages } from "../../../../watch/board/pages.ts";
import { listening } from "../../../support/listening.ts";
import { fakeLog } from "../fakes.ts";
import { LiveStack } from "../live/liveStack.ts";
import { boardStack, host, login, lookAt } from "./stack.ts";

const email = "X-Auth-Request-Email";
const stack = boardStack();

/** As a setting can't have it: any free port. */
const anyPort = ({ settings, members }: Configuration): Configuration => ({
  members,
  settings: { ...settings, board: { ...(settings.board ?? assert.fail()), port: 0 } },
});

type Headers = Readonly<Record<string, string | readonly string[]>>;

describe("the server of the board", () => {
  const { lines, log } = fakeLog();
  let now = 0;
  let configuration: Configuration | undefined;
  let pages: BoardPages;
  let server: BoardServer;
  const url = () => new URL(String(lines.findLast(({ action }) => action === "board served")?.url));

  const ask = async (path: string, headers: Headers = {}, method = "GET") => {
    const { hostname, port } = url();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        hostname,
        port,
        path,
        method,
        headers: { host, ...headers } as Record<string, string>,
        agent: false,
      };
      request(options, resolve).on("error", reject).end();
    });
    return { status: response.statusCode, headers: response.headers, text: await text(response) };
  };
  const asked = async (path: string, headers: Headers = {}, method = "GET") => {
    const { status, text: body } = await ask(path, headers, method);
    return `${status} ${body.startsWith("<!doctype html>") ? (/<h1>[^<]*/.exec(body)?.[0].trim() ?? "") : body.trim()}`;
  };
  const as = (who: string) => ({ [email]: who });
  const refused = "403 You may not look at this page. If you should, ask your admin.";

  beforeEach(async () => {
    configuration = anyPort(stack);
    pages = new BoardPages();
    pages.look(lookAt(new LiveStack(stack)));
    server = new BoardServer({ pages, configuration: () => configuration, address: "127.0.0.1", log, now: () => now });
    await server.follow();
  });
  afterEach(() => server.close());

  it("lets admins see the whole board, and members their own page alone", async () => {
    assert.equal(await asked("/", as("tina@example.org")), "200 <h1>Members of dev");
    assert.equal(await asked("/?by=course", as("tina@example.org")), "200 <h1>Members of dev");
    assert.equal(await asked("/members/carol", as("tina@example.org")), "200 <h1>carol");
    assert.equal(await asked("/members/dora", as("tina@example.org")), "404 There is no such page.");
    assert.equal(await asked("/", as("bob@example.org")), "200 <h1>bob");
    assert.equal(await asked("/members/bob", as("bob@example.org")), "200 <h1>bob");
  });

  it("refuses strangers every page, and tells members nothing of who else there is", async () => {
    // visitor.test.ts has more strangers.
    for (const path of ["/", "/members/bob", "/members/dora", "/healthz", "/metrics"]) {
      for (const headers of [{}, as("eve@example.org"), { [email]: ["bob@example.org", "tina@example.org"] }]) {
        assert.equal(await asked(path, headers), refused, `${path} ${JSON.stringify(headers)}`);
      }
    }
    for (const path of ["/members/carol", "/members/dora", "/members/", "/x", "//members/bob", "/members/b%6fb"]) {
      assert.equal(await asked(path, as("bob@example.org")), refused, path);
    }
  });

  it("answers for the board's host alone", async () => {
    const other = { ...as("tina@example.org"), host: "evil.example.org" };
    assert.equal(await asked("/", other), "421 This is not the address of the board.");
    assert.equal(await asked("/", { ...as("tina@example.org"), host: `${host}:443` }), "200 <h1>Members of dev");
  });

  it("answers GET and HEAD alone on the board", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"]) {
      const { status, headers } = await ask("/", as("tina@example.org"), method);
      assert.deepEqual([status, headers.allow], [405, "GET, HEAD"], method);
    }
    const get = await ask("/", as("tina@example.org"));
    const head = await ask("/", as("tina@example.org"), "HEAD");
    const { date: _, ...ofGet } = get.headers;
    const { date: __, ...ofHead } = head.headers;
    assert.deepEqual([head.status, head.text, ofHead], [200, "", ofGet]);
  });

  it("lets browsers run, embed, sniff, store and hand on nothing of a page of the board", async () => {
    const { headers } = await ask("/", as("tina@example.org"));
    const { "content-security-policy": policy = "", etag, date: _, "content-length": __, ...others } = headers;
    assert.match(
      String(policy),
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    assert.match(String(etag), /^"[-\w]{43}"$/);
    const guards = {
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-frame-options": "DENY",
      connection: "close",
    };
    assert.deepEqual(others, {
      ...guards,
      "content-type": "text/html; charset=utf-8",
      "cache-control": "private, no-cache",
      vary: `Accept-Language, ${email}`,
    });
    const { date: ___, "transfer-encoding": ____, ...ofRefusal } = (await ask("/")).headers;
    assert.deepEqual(ofRefusal, {
      ...guards,
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
  });

  it("sends a page of the board again only once changed, and only to those who may see that", async () => {
    const { etag = "" } = (await ask("/", as("tina@example.org"))).headers;
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await ask("/", { ...as("tina@example.org"), "If-None-Match": known });
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag]);
    }
    assert.equal(await asked("/", { ...as("bob@example.org"), "If-None-Match": etag }), "200 <h1>bob");
    assert.equal(await asked("/", { "If-None-Match": etag }), refused);
    pages.ended(
      { kind: "full", target: undefined, refresh: true, why: "x" },
      { outcome: "cancelled", changes: [] },
      1,
      new Date(),
    );
    const changed = await ask("/", { ...as("tina@example.org"), "If-None-Match": etag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.etag, etag);
  });

  it("shows a page of the board in the browser's language", async () => {
    for (const [accepted, language] of [
      ["ja", "ja"],
      ["de, ja;q=0.9, en;q=0.8", "ja"],
      ["en-US,en;q=0.9,ja;q=0.1", "en"],
      ["*", "en"],
    ] as const) {
      const { text: body } = await ask("/", { ...as("tina@example.org"), "Accept-Language": accepted });
      assert.equal(/<html lang="(..)">/.exec(body)?.[1], language, accepted);
    }
  });

  it("refuses the board to those who are out of the configuration in force", async () => {
    configuration = anyPort(boardStack({ members: [], board: { host, admins: [] } }));
    assert.equal(await asked("/", as("bob@example.org")), refused);
    assert.equal(await asked("/", as("tina@example.org")), refused);
  });

  it("tells only known visitors of the board that the cluster has not been read yet", async () => {
    await server.close();
    server = new BoardServer({
      pages: new BoardPages(),
      configuration: () => configuration,
      address: "127.0.0.1",
      log,
    });
    await server.follow();
    assert.match(await asked("/", as("tina@example.org")), /^503 The cluster has not been read yet/);
    assert.equal(await asked("/", as("eve@example.org")), refused);
    configuration = undefined;
    assert.equal(await asked("/", as("tina@example.org")), "503 There is nothing to look at yet.");
  });

  it("answers on after a page of the board that can't be made, and shows nothing of why", async () => {
    await server.close();
    const broken = {
      isThere: true,
      at: () => {
        throw new Error("carol's secret");
      },
    };
    server = new BoardServer({ pages: broken, configuration: () => configuration, address: "127.0.0.1", log });
    await server.follow();
    for (let times = 0; times < 2; times++) {
      assert.equal(await asked("/", as("bob@example.org")), "500 This page can't be made. The watch's log says why.");
    }
    assert.match(String(lines.at(-1)?.reason), /carol's secret/);
  });

  it("listens on the settings' port for the board while there is one", async () => {
    const { port } = url();
    await server.follow();
    assert.equal(url().port, port);
    configuration = boardStack({ board: undefined });
    await server.follow();
    await assert.rejects(ask("/", as("tina@example.org")), /ECONNREFUSED/);
    configuration = anyPort(stack);
    await server.follow();
    assert.equal(await asked("/", as("tina@example.org")), "200 <h1>Members of dev");
  });

  it("logs that the board's port is taken, and listens there once that is free", async () => {
    const { settings, members } = configuration ?? assert.fail();
    const taken = {
      members,
      settings: { ...settings, board: { ...(settings.board ?? assert.fail()), port: Number(url().port) } },
    };
    const second = new BoardServer({ pages, configuration: () => taken, address: "127.0.0.1", log });
    await second.follow();
    const { action, reason } = lines.at(-1) ?? {};
    assert.equal(action, "board not served");
    assert.match(String(reason), /^Can't listen: .*EADDRINUSE.*\nChoose another board\.port,/);
    await server.close();
    await second.follow();
    assert.equal(await asked("/", as("tina@example.org")), "200 <h1>Members of dev");
    await second.close();
  });

  describe("that asks the login itself", () => {
    const names: Readonly<Record<string, string>> = {
      "session=t": "tina@example.org",
      "session=j": "j\u00c3\u00b6rg@example.org",
      "session=e": "eve@example.org",
    };
    const unsaid = "502 The login can't say who you are. Try again in a moment.";
    const trouble: readonly (readonly [number, string])[] = [
      [302, "Found"],
      [404, "Not Found"],
      [500, "Internal Server Error"],
    ];
    let status = 202;
    let cookies: string[] = [];
    let hosts: unknown[] = [];
    /** Answers of the proxy that it holds back; undefined while it answers at once. */
    let held: (() => void)[] | undefined;
    const proxy = createServer((request, response) => {
      const known = request.url === "/oauth2/auth" ? names[request.headers.cookie ?? ""] : undefined;
      const answer = () =>
        response
          .setHeader("Set-Cookie", cookies)
          .writeHead(known === undefined ? 401 : status, known === undefined ? {} : { [email]: known, Location: "/" })
          .end();
      hosts.push(request.headers["x-forwarded-host"]);
      if (held === undefined) {
        answer();
      } else {
        held.push(answer);
      }
    });
    let proxyUrl = "";
    const start = async (address: string) => {
      const stackWith = boardStack({
        route: { host: "camp.example.org", login: { ...login, url: address } },
        board: { host, admins: ["tina@example.org"], verify: true },
        members: [{ member: "jorg", type: "user", subject: "j\u00f6rg@example.org" }],
      });
      configuration = anyPort(stackWith);
      pages.look(lookAt(new LiveStack(stackWith)));
    };
    before(async () => {
      proxyUrl = `http://127.0.0.1:${await listening(proxy)}`;
    });
    after(() => proxy.close());
    beforeEach(() => {
      status = 202;
      cookies = [];
      hosts = [];
      held = undefined;
      return start(proxyUrl);
    });

    it("trusts the session's user that the login names, and no header", async () => {
      assert.equal(await asked("/", { Cookie: "session=t" }), "200 <h1>Members of dev");
      assert.equal(await asked("/", { Cookie: "session=j" }), "200 <h1>jorg");
      assert.equal(await asked("/", { Cookie: "session=j", ...as("tina@example.org") }), "200 <h1>jorg");
      for (const headers of [{}, as("tina@example.org"), { ...as("tina@example.org"), Cookie: "session=x" }]) {
        assert.equal(await asked("/", headers), refused);
      }
    });

    it("refuses visitors of the board who have not signed in, as the login says", async () => {
      for (const no of [401, 403]) {
        status = no;
        assert.equal(await asked("/", { Cookie: "session=t" }), refused, String(no));
      }
    });

    it("lets no visitor in while the login does not say who that is, and logs why", async () => {
      const logged = () => [lines.at(-1)?.action, lines.at(-1)?.reason];
      for (const [other, words] of trouble) {
        status = other;
        assert.equal(await asked("/", { Cookie: "session=t" }), unsaid, String(other));
        assert.deepEqual(logged(), ["login unanswered", `${proxyUrl}/oauth2/auth answers ${other} ${words}`]);
      }
      const nobody = `127.0.0.1:${await freePort()}`;
      await start(`http://${nobody}`);
      assert.equal(await asked("/", { Cookie: "session=t" }), unsaid);
      assert.deepEqual(logged(), ["login unanswered", `connect ECONNREFUSED ${nobody}`]);
    });

    it("hands on the cookies of a session that the login renews, with every kind of answer", async () => {
      cookies = ["_board_0=new; Path=/; HttpOnly; Secure", "_board_1=er; Path=/; HttpOnly; Secure"];
      const cookiesFor = async (headers: Headers) => {
        const answer = await ask("/", headers);
        return [answer.status, answer.headers["set-cookie"]];
      };
      const { headers } = await ask("/", { Cookie: "session=t" });
      assert.deepEqual(headers["set-cookie"], cookies);
      const known = { Cookie: "session=t", "If-None-Match": headers.etag ?? "" };
      assert.deepEqual(await cookiesFor(known), [304, cookies]);
      assert.deepEqual(await cookiesFor({ Cookie: "session=e" }), [403, cookies]);
      assert.deepEqual(new Set(hosts), new Set([host]));
    });

    it("hands on no cookie with which the login ends a session", async () => {
      cookies = ["_board_0=; Path=/; Max-Age=0"];
      for (const no of [401, 403, 500]) {
        status = no;
        assert.equal((await ask("/", { Cookie: "session=t" })).headers["set-cookie"], undefined, String(no));
      }
    });

    it("ends the board's question to the login when the visitor leaves, and logs no trouble", async () => {
      held = [];
      const { hostname, port } = url();
      const visitor = connect(Number(port), hostname);
      visitor.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: session=t\r\n\r\n`);
      const [question] = (await once(proxy, "request")) as [IncomingMessage];
      const dropped = once(question.socket, "close");
      const before = lines.length;
      visitor.destroy();
      await dropped;
      held = undefined;
      assert.equal(await asked("/", { Cookie: "session=t" }), "200 <h1>Members of dev");
      assert.equal(lines.length, before);
    });

    it("asks visitors beyond fifty at a time to come back, and logs that once a minute", async () => {
      held = [];
      const holding = held;
      const one = () => ask("/", { Cookie: "session=t" });
      const flood = Array.from({ length: 50 }, one);
      while (holding.length < 50) {
        await turn();
      }
      const reported = () => lines.filter(({ action }) => action === "login busy").length;
      for (const [later, times] of [
        [0, 1],
        [59_999, 1],
        [1, 2],
      ] as const) {
        now += later;
        const { status, headers, text: body } = await one();
        const words = "Too many visitors ask the login who they are. Try again in a moment.\n";
        assert.deepEqual([status, headers["retry-after"], body, reported()], [503, "5", words, times]);
      }
      held = undefined;
      for (const answer of holding) {
        answer();
      }
      await Promise.all(flood);
    });
  });

  it("refuses requests for the board that no browser makes", async () => {
    const raw = async (lines: readonly string[]) => {
      const { hostname, port } = url();
      const socket = connect(Number(port), hostname);
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      return (await text(socket)).split("\r\n")[0];
    };
    const end = "Connection: close";
    const me = `${email}: tina@example.org`;
    const own = `Host: ${host}`;
    assert.equal(await raw(["GET / HTTP/1.1", own, me, end]), "HTTP/1.1 200 OK");
    for (const request of [
      ["GET / HTTP/1.1", own, "Host: evil.example.org", me, end],
      ["GET / HTTP/1.0", me, end],
      ["GET / HTTP/1.1", own, me, me.toLowerCase(), end],
      ["GET / HTTP/1.1", own, `${email}:`, me, end],
      [`GET http://${host}/ HTTP/1.1`, own, me, end],
      ["GET / HTTP/1.1", own, `${email} : tina@example.org`, end],
      ["GET / HTTP/1.1", own, `${email}: tina@exam`, " ple.org", end],
      ["GET / HTTP/1.1", own, me, "Content-Length: 3", "Transfer-Encoding: chunked", end],
    ]) {
      assert.match((await raw(request)) ?? "", /^HTTP\/1\.1 (400|403|404|421) /, request.join("\n"));
    }
  });
});
