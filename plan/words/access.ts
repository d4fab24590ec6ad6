import { firstFew } from "../../config/values/sentences.ts";
import { each, eachMember, lineOf, listed, type Why, type WordsOf } from "./wording.ts";

export interface AccessRefusals {
  readonly jobElsewhere: JobOfOther;
  readonly unguarded: { readonly policies: readonly string[]; readonly stack: string };
}

export interface AccessWarnings {
  readonly jobOfTwo: JobOfOther;
  readonly accessNotEnded: Why;
  readonly anyImage: { readonly members: readonly string[] };
  /** A mistake in the configuration that stops no run. */
  readonly sharedLogin: { readonly path: string; readonly message: string };
  /** An entry of staff whose end has come. */
  readonly staffOver: { readonly path: string; readonly message: string };
  /** A subject or group that looks like another, or hides something. */
  readonly lookAlike: { readonly text: string };
  /** A selector of the settings, and a label that it may mean, as a part of a sentence. */
  readonly selectsNobody: { readonly place: string; readonly meant: string };
}

interface JobOfOther {
  readonly job: string;
  readonly owner: string;
  readonly stack: string;
}

export const accessWords: WordsOf<AccessRefusals & AccessWarnings> = {
  jobElsewhere: eachMember(
    ({ facts: { job, owner, stack } }) =>
      `CI job '${job}' deploys for member '${owner}' of stack '${stack}' already, and a job has one namespace; ` +
      `take it out of this entry's ci, or out of that of '${owner}', and bring up stack '${stack}' first`,
  ),
  unguarded: eachMember(
    ({ facts: { policies, stack } }) =>
      `gets no access while policies that guard members are missing (${firstFew(policies, 2)}); ` +
      `do a full run first: pulumi up --stack ${stack} --refresh`,
    " ",
  ),
  jobOfTwo: listed(
    "CI jobs that deploy into two namespaces, of this stack and of another; take each out of the ci of one of the two:",
    (one) => lineOf(one, `${one.facts.job}, also of '${one.facts.owner}' in stack '${one.facts.stack}'`),
  ),
  accessNotEnded: (all) => [
    ["Access has not ended yet; it does when this run succeeds:", ...all.map(({ facts }) => facts.why)].join("\n"),
  ],
  anyImage: each(
    ({ facts: { members } }) =>
      `images: ${firstFew(members, 3)} may run any image of any registry, also private ones that nodes have the ` +
      `credentials for; list the allowed images (docs/reference/images.md), or allow any with images: ["*"]`,
  ),
  sharedLogin: each(({ facts: { path, message } }) => `${path}: ${message}`),
  staffOver: each(({ facts: { path, message } }) => `${path} ${message}`),
  lookAlike: listed("Names to look at; compare them with your issuer's:", ({ facts: { text } }) => text),
  selectsNobody: each(
    ({ facts: { place, meant } }) => `${place} selects no member${meant || "; correct it, or remove the entry"}`,
  ),
};
