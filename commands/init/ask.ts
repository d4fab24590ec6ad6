import { type IngressController, ingressControllers } from "../../config/route/controllers.ts";
import { Problem } from "../common/problem.ts";
import { atTerminal } from "../common/terminal.ts";
import { type Answers, firstMember } from "./answers.ts";

/** Options of the command, before the questions. */
export type Given = Partial<Answers>;

/** Asks one question; an empty answer is the default. */
type Ask = (question: string, usual: string) => Promise<string>;

/** Defaults of the questions; host and members have none. */
const usual = { controller: "ingress-nginx", clientId: "kubernetes" } as const;

/**
 * Fills in what the options leave open.
 * @param ask undefined where nobody can answer, or `--yes` says not to ask
 * @throws Problem naming every option that is missing
 */
export async function answersOf(given: Given, ask: Ask | undefined): Promise<Answers> {
  if (ask === undefined) {
    const missing = [
      ...(given.host === undefined ? ["--host apps.example.org"] : []),
      ...(given.members === undefined ? ["--member ada:user"] : []),
    ];
    if (missing.length > 0) {
      throw new Problem("Values are missing, and there is no terminal to ask at.", {
        why: `There is no ${missing.join(" and no ")}.`,
        remedy: `Add ${missing.join(" ")}, or run it at a terminal without --yes.`,
      });
    }
  }
  const asked = ask ?? (async (_question, answer) => answer);
  const host =
    given.host ??
    (await fitting(asked, "Host of members' URLs, such as apps.example.org", "", (text) => text || undefined));
  const controller =
    given.controller ??
    ((await asked(`Ingress controller (${ingressControllers.join(", ")})`, usual.controller)) as IngressController);
  const issuer = given.issuer ?? (await asked("URL of the OpenID Connect issuer, if there is one", ""));
  const clientId =
    given.clientId ?? (issuer === "" ? usual.clientId : await asked("OAuth client of kubectl", usual.clientId));
  const members = given.members ?? [await fitting(asked, "First member, as name:type", "ada:user", firstMember)];
  return { host, controller, ...(issuer === "" ? {} : { issuer }), clientId, members };
}

/** Asks again until there is an answer that fits, so that those before it are not lost. */
async function fitting<T>(
  ask: Ask,
  question: string,
  usual: string,
  parse: (text: string) => T | undefined,
): Promise<T> {
  return parse(await ask(question, usual)) ?? (await fitting(ask, question, usual, parse));
}

/** Fills in what the options leave open, by asking at the terminal if there is one. */
export async function askedAnswers(given: Given): Promise<Answers> {
  if (!process.stdin.isTTY) return await answersOf(given, undefined);
  return await atTerminal((ask) =>
    answersOf(given, async (question, answer) => {
      const text = await ask(`${question}${answer === "" ? "" : ` [${answer}]`}: `);
      return text || answer;
    }),
  );
}
