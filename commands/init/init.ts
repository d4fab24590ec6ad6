import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../../cluster/api/errors.ts";
import { type ServerName, serverUses } from "../../config/route/controllers.ts";
import { utcDay } from "../../config/values/days.ts";
import { mistakeLine } from "../../config/values/mistakes.ts";
import { Problem } from "../common/problem.ts";
import { atTerminal } from "../common/terminal.ts";
import { checkFiles } from "../members/checks.ts";
import { type Answers, firstMember, gatewayRoute } from "./answers.ts";
import { projectFiles } from "./files.ts";

export async function init(folder: string, { yes, ...given }: Given & { readonly yes: boolean }): Promise<void> {
  const answers = yes || !process.stdin.isTTY ? await answersOf(given, undefined) : await askedAnswers(given);
  const files = projectFiles(basename(resolve(folder)), answers, ownPackage());
  writeProject(folder, files, utcDay());
  const lines = Object.keys(files).map((path) => `  ${path}`);
  console.log([`${folder} has a project now:`, ...lines, `Go on as ${join(folder, "README.md")} says.`].join("\n"));
}

function ownPackage(): { version: string; node: string } {
  const folder = join(import.meta.dirname, "../..");
  const { version, engines } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { version, node: engines.node };
}

type Given = Partial<Answers>;

type Ask = (question: string, usual: string) => Promise<string>;

const usualClient = "kubernetes";

const names = Object.keys(serverUses) as ServerName[];

const serverQuestion = [
  "What makes members' routes:",
  ...names.map((name) => `  ${name} (for ${serverUses[name]})`),
  "One of these",
].join("\n");

/** Fills in what the options leave open. @param ask undefined where nobody can answer, or `--yes` says not to ask */
export async function answersOf(given: Given, ask: Ask | undefined): Promise<Answers> {
  if (ask === undefined) {
    const missing = [
      ...(given.host === undefined ? ["--host apps.example.org"] : []),
      ...(given.route === undefined ? ["--gateway gateways/public (or --controller traefik)"] : []),
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
  const route = given.route ?? (await askedRoute(asked));
  const issuer = given.issuer ?? (await asked("URL of the OpenID Connect issuer, if there is one", ""));
  const clientId =
    given.clientId ?? (issuer === "" ? usualClient : await asked("OAuth client of kubectl", usualClient));
  const members = given.members ?? [await fitting(asked, "First member, as name:type", "ada:user", firstMember)];
  return { host, route, ...(issuer === "" ? {} : { issuer }), clientId, members };
}

async function askedRoute(ask: Ask): Promise<Answers["route"]> {
  const name = await fitting(ask, serverQuestion, "", (text) => names.find((each) => each === text));
  return name === "gateway"
    ? await fitting(ask, "The Gateway, as namespace/name", "", gatewayRoute)
    : { controller: name };
}

/** Asks again until there is an answer that fits, so that those before it are not lost. Says which did not. */
async function fitting<T>(
  ask: Ask,
  question: string,
  usual: string,
  parse: (text: string) => T | undefined,
): Promise<T> {
  let misfit = "";
  while (true) {
    const text = await ask(`${misfit}${question}`, usual);
    const value = parse(text);
    if (value !== undefined) {
      return value;
    }
    misfit = text && `'${text}' does not fit. `;
  }
}

const askedAnswers = (given: Given) =>
  atTerminal((ask) =>
    answersOf(given, async (question, usual) => {
      const text = await ask(`${question}${usual && ` [${usual}]`}: `);
      return text || usual;
    }),
  );

type Files = Readonly<Record<string, string>>;

/** Makes a new or empty folder with these files (texts by path), once they pass the checks of `members check`. */
export function writeProject(folder: string, files: Files, today: string): void {
  const target = resolve(folder);
  assertFree(folder, target);
  assertRight(files, today);
  try {
    writeAll(target, files);
  } catch (cause) {
    for (const path of Object.keys(files)) {
      rmSync(join(target, path), { force: true });
    }
    throw new Problem(`${folder} can't be written.`, {
      why: messageOf(cause),
      remedy: "Name a folder that you may write to, and no other program writes to.",
      cause,
    });
  }
}

function writeAll(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function assertFree(folder: string, target: string): void {
  if (!existsSync(target)) {
    return;
  }
  const found = lstatSync(target).isDirectory() ? readdirSync(target) : [target];
  if (found.length > 0) {
    throw new Problem(`${folder} is in use, and nothing was written.`, {
      why: `It has ${found.slice(0, 5).join(", ")}${found.length > 5 ? ` and ${found.length - 5} more` : ""}.`,
      remedy: "Name a new or empty folder.",
    });
  }
}

function assertRight(files: Files, today: string): void {
  const folder = mkdtempSync(join(tmpdir(), "kubecamp-init-"));
  try {
    writeAll(folder, files);
    // A member stands in the files of both stacks. No file is there to look into, and paths say what is wrong.
    const checks = checkFiles([], folder, today).flatMap(({ mistakes }) => mistakes);
    const mistakes = new Set(checks.map(({ path, message }) => mistakeLine({ path, message })));
    if (mistakes.size > 0) {
      throw new Problem("The project would have mistakes, and nothing was written.", {
        why: [...mistakes].join("\n"),
        remedy: "Run 'kubecamp init' again with other values.",
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
