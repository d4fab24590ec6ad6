import { Semaphore } from "../../components/semaphore.ts";
import type { BoardSettings } from "../../config/model/settings/board.ts";
import { letInUrl } from "../../plan/routes/login.ts";

/** Milliseconds in which the login's proxy has to answer, and after which a question that waits is not asked any more. */
const longest = 5_000;

/** Questions at a time: the proxy serves members' paths, too. */
const atOnce = 10;

/** Questions that wait. Everybody in a class may open their page in one moment. */
const mostWaiting = 200;

/** Answers that turn a visitor away. Any other means trouble, as for ingress-nginx. */
const notSignedIn: readonly number[] = [401, 403];

/** Asks the login's proxy whose session a cookie is, for some visitors at a time. */
export class Login {
  readonly #semaphore = new Semaphore(atOnce);
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @returns values of the header in the proxy's answer, none if nobody has signed in; "busy" if too many ask
   * @throws Error when it does not say, for the log alone
   */
  async names(cookie: string | undefined, board: LoginOfBoard): Promise<readonly string[] | "busy"> {
    if (cookie === undefined) {
      return [];
    }
    if (this.#semaphore.waiting >= mostWaiting) {
      return "busy";
    }
    const since = this.#now();
    await this.#semaphore.take();
    try {
      return this.#now() - since > longest ? "busy" : await namesOf(cookie, board);
    } finally {
      this.#semaphore.give();
    }
  }
}

type LoginOfBoard = Pick<BoardSettings, "login" | "header">;

/** @see https://oauth2-proxy.github.io/oauth2-proxy/features/endpoints#auth */
async function namesOf(cookie: string, { login, header }: LoginOfBoard): Promise<readonly string[]> {
  const url = letInUrl({ username: "" }, { oidc: { usernamePrefix: "" }, route: { login } });
  const response = await fetch(url, {
    headers: { cookie },
    redirect: "manual",
    signal: AbortSignal.timeout(longest),
  });
  await response.body?.cancel();
  if (response.ok) {
    // Several values come as one, with commas.
    const value = response.headers.get(header);
    return value === null ? [] : [value];
  }
  if (notSignedIn.includes(response.status)) {
    return [];
  }
  throw new Error(`${url} answers ${response.status} ${response.statusText}`.trim());
}
