import type { BoardSettings } from "../../config/board.ts";
import { letInUrl } from "../../objects/route/login.ts";

/** Milliseconds in which the login's proxy has to answer. */
const longest = 5_000;

/** Questions at a time: a class may open their pages in one moment, and the proxy serves members' paths, too. */
const atOnce = 50;

/** Answers that turn a visitor away. Any other means trouble, as for ingress-nginx. */
const notSignedIn: readonly number[] = [401, 403];

interface LoginAnswer {
  /** Values of the header with their name; none if they have not signed in. */
  readonly names: readonly string[];
  /** Values of Set-Cookie for their browser, if the proxy has renewed their session. */
  readonly cookies: readonly string[];
}

const nobody: LoginAnswer = { names: [], cookies: [] };

/** Asks the login's proxy whose session a cookie is, for some visitors at a time. */
export class Login {
  #asking = 0;

  /** @param gone the visitor has left, and nobody waits for the answer @returns "busy" if too many ask */
  async ask(cookie: string | undefined, board: LoginOfBoard, gone: AbortSignal): Promise<LoginAnswer | "busy"> {
    if (cookie === undefined) {
      return nobody;
    }
    if (this.#asking >= atOnce) {
      return "busy";
    }
    this.#asking++;
    try {
      return await answerTo(cookie, board, gone);
    } finally {
      this.#asking--;
    }
  }
}

type LoginOfBoard = Pick<BoardSettings, "host" | "login" | "header">;

/** @see https://oauth2-proxy.github.io/oauth2-proxy/features/endpoints#auth */
async function answerTo(
  cookie: string,
  { host, login, header }: LoginOfBoard,
  gone: AbortSignal,
): Promise<LoginAnswer> {
  const url = letInUrl({ username: "" }, { oidc: { usernamePrefix: "" }, route: { login } });
  const response = await fetch(url, {
    // The host decides the domain of a renewed cookie.
    headers: { cookie, "X-Forwarded-Host": host },
    redirect: "manual",
    signal: AbortSignal.any([AbortSignal.timeout(longest), gone]),
  });
  await response.body?.cancel();
  if (response.ok) {
    // Several values come as one, with commas.
    const value = response.headers.get(header);
    return { names: value === null ? [] : [value], cookies: response.headers.getSetCookie() };
  }
  if (notSignedIn.includes(response.status)) {
    // The answer may remove the cookie, which the controller's own question may just have renewed.
    return nobody;
  }
  throw new Error(`${url} answers ${response.status} ${response.statusText}`.trim());
}
