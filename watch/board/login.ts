import type { BoardSettings } from "../../config/model/settings/board.ts";
import { letInUrl } from "../../plan/routes/login.ts";

/** Milliseconds in which the login's proxy has to answer. */
const longest = 5_000;

/**
 * Asks the login's proxy whose session a cookie is.
 * @returns values of the header in its answer; none if nobody has signed in
 * @throws Error when there is no answer
 * @see https://oauth2-proxy.github.io/oauth2-proxy/features/endpoints#auth
 */
export async function askedNames(
  cookie: string | undefined,
  { login, header }: Pick<BoardSettings, "login" | "header">,
): Promise<readonly string[]> {
  if (cookie === undefined) {
    return [];
  }
  const response = await fetch(letInUrl({ username: "" }, { oidc: { usernamePrefix: "" }, route: { login } }), {
    headers: { cookie },
    redirect: "manual",
    signal: AbortSignal.timeout(longest),
  });
  await response.body?.cancel();
  // Several values come as one, with commas.
  const value = response.headers.get(header);
  return response.ok && value !== null ? [value] : [];
}
