import type { Member } from "./member.ts";

/** Letters of other scripts that look like one of a-z, each before its twin. */
const twins = new Map(
  "аa ɑa еe оo рp сc уy хx іi ıi ɩi ɡg ӏl ӀI јj ѕs һh ԁd ԛq ԝw АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS αa ιi κk νv οo ρp υu ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX"
    .split(" ")
    .map((pair) => [pair[0] ?? "", pair[1] ?? ""] as const),
);

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

const blanks = /\p{Zs}/gu;

/** As a text looks, in ASCII if it can; texts that look the same have the same. */
const lookOf = (text: string): string =>
  [...text.normalize("NFKC").replaceAll(invisible, "").replaceAll(blanks, " ")]
    .map((character) => twins.get(character) ?? character)
    .join("")
    .replaceAll(/[1I|]/g, "l")
    .replaceAll("0", "o")
    .toLowerCase()
    .replaceAll("rn", "m");

/** Scripts that don't go together in one word of any language; Chinese, Japanese and Korean mix theirs with Latin. */
const apart = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}])\p{L}/u,
];

/** A prefix such as `oidc:`, which is the settings' word, and no part of a person's name. */
const asciiPrefix = /^[ -~]*[:#/]/;

const codesOf = (characters: Iterable<string>): string =>
  [...new Set(characters)]
    .map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(", ");

/** The reason why a subject's or group's name deceives its reader; undefined for an ordinary name. */
export function hiddenIn(name: string): string | undefined {
  const unseen = [...(name.match(invisible) ?? []), ...(name.match(blanks) ?? []).filter((blank) => blank !== " ")];
  if (unseen.length > 0) {
    return `has ${codesOf(unseen)}, which can't be seen or looks like a blank`;
  }
  const strange = [...name].filter((one) => twins.has(one) || one.normalize("NFKC") !== one.normalize("NFC"));
  const own = name.replace(asciiPrefix, "");
  const words = own.split(/[^\p{L}\p{M}]+/u);
  const isMixed = words.some((word) => apart.filter((script) => script.test(word)).length > 1);
  const isDisguised = strange.length > 0 && /^\P{L}*[a-z\P{L}]*$/u.test(lookOf(name));
  if (isDisguised) {
    return `has ${codesOf(strange)}, which only look like ASCII`;
  }
  return isMixed ? `mixes scripts: ${codesOf([...name].filter((one) => one > "\u007f"))}` : undefined;
}

/** Names that somebody should look at: also a subject with several environments, which may be a copied line. */
export function lookAlikes(members: readonly Pick<Member, "name" | "username" | "groups">[]): string[] {
  const names = members.flatMap(({ name, username, groups }) =>
    [username, ...groups].map((who) => ({ member: name, who, kind: who === username ? "subject" : "group" })),
  );
  const looks = Map.groupBy(names, ({ who, kind }) => `${kind} ${lookOf(who)}`);
  return [
    ...names.flatMap(({ member, who, kind }) => {
      const hidden = hiddenIn(who);
      return hidden === undefined ? [] : [`${kind} '${who}' of ${member} ${hidden}`];
    }),
    ...[...Map.groupBy(members, ({ username }) => username)].flatMap(([who, theirs]) =>
      theirs.length === 1 ? [] : [`${who} has ${theirs.length}: ${theirs.map(({ name }) => name).join(", ")}`],
    ),
    ...[...looks.values()].flatMap((same) => {
      const [first, ...others] = new Map(same.map((one) => [one.who, one])).values();
      return others.map(
        (one) => `${one.kind} '${one.who}' of ${one.member} looks like '${first?.who}' of ${first?.member}`,
      );
    }),
  ];
}
