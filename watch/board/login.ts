import type { BoardSettings } from "../../config/model/settings/board.ts";
import { letInUrl } from "../../plan/routes/login.ts";

/** Milliseconds in which the login's proxy has to answer. */
const longest = 5_000;

/** Answers that turn a visitor away. Any other means trouble, as for ingress-nginx. */
const notSignedIn: readonly number[] = [401, 403];

/**
 * Asks the login's proxy whose session a cookie is.
 * @returns values of the header in its answer; none if nobody has signed in
 * @throws Error when it does not say, for the log alone
 * @see https://oauth2-proxy.github.io/oauth2-proxy/features/endpoints#auth
 */
export async function askedNames(
  cookie: string | undefined,
  { login, header }: Pick<BoardSettings, "login" | "header">,
): Promise<readonly string[]> {
  if (cookie === undefined) {
    return [];
  }
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
