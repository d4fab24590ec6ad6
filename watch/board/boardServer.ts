import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Logger } from "pino";
import { messageOf } from "../../cluster/api/errors.ts";
import { innermost } from "../../cluster/api/networkErrors.ts";
import type { Language } from "../../commands/board/options.ts";
import { contentSecurityPolicy } from "../../commands/board/page.ts";
import type { BoardSettings } from "../../config/board.ts";
import type { Configuration } from "../../config/settings.ts";
import { listen, type Server } from "../telemetry/server.ts";
import { Login } from "./login.ts";
import type { BoardPages, RenderedPage } from "./pages.ts";
import { isForHost, visitorNames, visitorOf } from "./visitor.ts";

interface BoardServerParts {
  readonly pages: Pick<BoardPages, "at" | "isThere">;
  /** The configuration in force, which says who sees what; undefined before the first one is read. */
  readonly configuration: () => Configuration | undefined;
  readonly address: string;
  readonly log: Logger;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** Milliseconds that a request may take to arrive. */
const slowest = 10_000;

/** Seconds after which a visitor may try again. */
const soon = 5;

/** Milliseconds for which a flood of visitors is logged once. */
const floodPause = 60_000;

/** No browser sniffs, stores, embeds or hands on what it gets here. */
const guards = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};

/** The board over HTTP, while the configuration has one. It answers nobody whom the login's proxy has not named. */
export class BoardServer {
  readonly #parts: BoardServerParts;
  readonly #now: () => number;
  readonly #login = new Login();
  #server: Server | undefined;
  #port: number | undefined;
  #last: Promise<void> = Promise.resolve();
  #toldOfFlood = Number.NEGATIVE_INFINITY;

  constructor(parts: BoardServerParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** Listens as the configuration in force says. A port that can't be had is logged, and tried again the next time. */
  async follow(): Promise<void> {
    this.#last = this.#last.then(() => this.#follow(this.#parts.configuration()?.settings.board?.port));
    await this.#last;
  }

  async close(): Promise<void> {
    this.#last = this.#last.then(() => this.#follow(undefined));
    await this.#last;
  }

  async #follow(port: number | undefined): Promise<void> {
    if (port === this.#port) {
      return;
    }
    const { address, log } = this.#parts;
    await this.#server?.close();
    this.#server = undefined;
    this.#port = undefined;
    if (port === undefined) {
      return;
    }
    try {
      const http = createServer({ headersTimeout: slowest, requestTimeout: slowest }, (request, response) =>
        this.#answer(request, response),
      );
      this.#server = await listen(http, { address, port, setting: "board.port" });
      this.#port = port;
      log.info({ action: "board served", url: this.#server.url }, `the board is at ${this.#server.url}`);
    } catch (error) {
      log.error({ action: "board not served", reason: messageOf(error) }, "can't serve the board");
    }
  }

  /** A bug in a page must not end the watch. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      send(request, response, await this.#answerTo(request, gone.signal));
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#parts.log.error({ action: "board failed", reason }, "can't make a page of the board");
      send(request, response, { status: 500, text: "This page can't be made. The watch's log says why." });
    }
  }

  async #answerTo(request: IncomingMessage, gone: AbortSignal): Promise<Answer> {
    const { method } = request;
    if (method !== "GET" && method !== "HEAD") {
      return { status: 405, text: "This page can only be looked at." };
    }
    const { log } = this.#parts;
    const configuration = this.#parts.configuration();
    const { board } = configuration?.settings ?? {};
    if (configuration === undefined || board === undefined) {
      return { status: 503, text: "There is nothing to look at yet." };
    }
    if (!isForHost(request, board.host)) {
      return { status: 421, text: "This is not the address of the board." };
    }
    const pageFor = (names: readonly string[]) => this.#pageFor(request, names, configuration, board);
    if (!board.verify) {
      return pageFor(visitorNames(request, board.header));
    }
    const said = await this.#login.ask(request.headers.cookie, board, gone).catch((error) => {
      if (!gone.aborted) {
        log.warn({ action: "login unanswered", reason: innermost(error) }, "can't ask the login who a visitor is");
      }
      return undefined;
    });
    if (said === undefined) {
      return { status: 502, text: "The login can't say who you are. Try again in a moment." };
    }
    if (said === "busy") {
      const now = this.#now();
      if (now - this.#toldOfFlood >= floodPause) {
        this.#toldOfFlood = now;
        log.warn({ action: "login busy" }, "too many visitors at once for the login; some are sent away");
      }
      return { status: 503, text: "Too many visitors ask the login who they are. Try again in a moment." };
    }
    return { ...pageFor(said.names), cookies: said.cookies };
  }

  #pageFor(
    request: IncomingMessage,
    names: readonly string[],
    configuration: Configuration,
    { header }: BoardSettings,
  ): Answer {
    const visitor = visitorOf(names, configuration);
    if (visitor === undefined) {
      return forbidden;
    }
    const { pages } = this.#parts;
    if (!pages.isThere) {
      return { status: 503, text: "The cluster has not been read yet. Try again in a moment." };
    }
    const page = pages.at(request.url?.split("?")[0] ?? "", visitor, languageOf(request));
    if (page === undefined) {
      return visitor.sees === "own" ? forbidden : { status: 404, text: "There is no such page." };
    }
    return { page, header };
  }
}

/** A page, with the header that decides who gets it, or why there is none; and values of Set-Cookie. */
type Answer = (
  | { readonly page: RenderedPage; readonly header: string }
  | { readonly status: number; readonly text: string }
) & { readonly cookies?: readonly string[] };

/** One answer for strangers and for members who look for another's page, so that it tells nobody who is there. */
const forbidden: Answer = { status: 403, text: "You may not look at this page. If you should, ask your admin." };

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  response.setHeader("Set-Cookie", answer.cookies ?? []);
  if ("text" in answer) {
    response.writeHead(answer.status, {
      ...guards,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Cache-Control": "no-store",
      ...(answer.status === 405 ? { Allow: "GET, HEAD" } : {}),
      ...(answer.status === 503 ? { "Retry-After": soon } : {}),
    });
    response.end(`${answer.text}\n`);
    return;
  }
  const {
    page: { bytes, etag },
    header,
  } = answer;
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, "")) ?? [];
  const headers = {
    ...guards,
    ETag: etag,
    // To ask again each time, and never from another's cache.
    "Cache-Control": "private, no-cache",
    Vary: `Accept-Language, ${header}`,
    "Content-Security-Policy": `${contentSecurityPolicy}; frame-ancestors 'none'`,
  };
  if (known.includes(etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, "Content-Type": "text/html; charset=utf-8", "Content-Length": bytes.length });
  response.end(bytes);
}

/** Japanese where a browser prefers it to English. */
function languageOf({ headers }: IncomingMessage): Language {
  const first = headers["accept-language"]?.split(",").find((each) => /^\s*(en|ja)\b/i.test(each));
  return /^\s*ja\b/i.test(first ?? "") ? "ja" : "en";
}
