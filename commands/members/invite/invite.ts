import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Surroundings } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Member } from "../../../config/member/member.ts";
import type { Settings } from "../../../config/settings.ts";
import { hasSecret } from "../../../config/sources/sources.ts";
import { withPages } from "../../../config/values/pages.ts";
import type { Selector } from "../../../config/values/selector.ts";
import { counted } from "../../../config/values/sentences.ts";
import { htmlPage } from "../../board/markdown.ts";
import { orProblem, readNamed } from "../../common/problem.ts";
import { memberNamed, readStack, type StackFile } from "../../common/stackFile.ts";
import { type KubeconfigOptions, memberKubeconfig, notesOn, signInTo } from "../kubeconfig/memberKubeconfig.ts";
import { selected } from "../where.ts";
import { filledTemplate, parseTemplate } from "./template.ts";
import { invitationValues } from "./values.ts";

export interface InviteOptions extends KubeconfigOptions {
  readonly all: boolean;
  readonly where?: Selector;
  readonly out?: string;
  readonly template?: string;
  readonly output: keyof typeof formats;
}

const formats = {
  markdown: { extension: "md", from: (markdown: string) => markdown },
  html: { extension: "html", from: htmlPage },
} as const;

const ownTemplate = join(import.meta.dirname, "invitation.md");

export function invite(names: readonly string[], options: InviteOptions): void {
  const made = invitations(names, options, process.cwd());
  for (const note of new Set(made.flatMap(({ notes }) => notes))) {
    console.error(withPages(`Note: ${note}`));
  }
  const { out } = options;
  if (out === undefined) {
    console.log(made.map(({ text }) => text.trimEnd()).join("\n"));
    return;
  }
  const { extension } = formats[options.output];
  const remedy = "Name a folder that you may write to with --out, then run again.";
  orProblem(`Can't write the invitations into ${out}.`, remedy, () => {
    mkdirSync(out, { recursive: true });
    for (const { member, text } of made) {
      writeFileSync(join(out, `${member}.${extension}`), text);
    }
  });
  console.log(`Wrote ${counted(made.length, "invitation")} into ${out}.`);
}

export function invitations(
  names: readonly string[],
  { stack, all, where, template = ownTemplate, output, ...access }: InviteOptions,
  folder: string,
  surroundings?: Surroundings,
) {
  const file = readStack(stack, folder);
  const { settings, members } = file.configuration;
  const sections = parseTemplate(read(template), template);
  const some = where && selected(members, ({ type, labels }) => ({ type: type.name, labels }), where);
  const invited = some ?? (all ? members : [...new Set(names)].map((name) => memberNamed(name, file)));
  const place = hasSignIn(file) ? signInTo(file, access, surroundings) : undefined;
  return invited.map((member) => {
    const signIn = place && {
      kubeconfig: memberKubeconfig(member, file, place.oidc, place.cluster),
      issuer: place.oidc.issuerUrl,
    };
    const markdown = filledTemplate(sections, invitationValues(member, settings, signIn));
    return {
      member: member.name,
      text: formats[output].from(markdown, template === ownTemplate ? "en" : undefined),
      notes: place === undefined ? [] : notesOn(member, place.cluster.server, place.oidc),
    };
  });
}

/** An invitation in kubecamp's own words, without a kubeconfig: it says whom to ask for that. */
export const plainInvitation = (member: Member, settings: Settings): string =>
  filledTemplate(parseTemplate(read(ownTemplate), ownTemplate), invitationValues(member, settings));

/** Whether the stack says how members sign in, or may do so in a value that can't be read here. */
function hasSignIn({ configuration, source }: StackFile): boolean {
  const { issuerUrl, clientId } = configuration.settings.oidc;
  return issuerUrl !== undefined || clientId !== undefined || hasSecret(source.raw.oidc);
}

const read = (file: string) =>
  readNamed(file, `Can't read the template ${file}.`, "Name another file with --template.");
