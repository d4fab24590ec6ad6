import { othersViews } from "../../config/model/members/memberTypes.ts";
import { homeNames } from "../../naming/names.ts";
import { clusterRole } from "../../plan/objects/clusterRole.ts";
import { drivers } from "../../plan/routes/drivers/drivers.ts";
import { visitorHeaders } from "../../plan/routes/login.ts";
import { declaredIn, resourceOfAny } from "./needs.ts";
import { samples } from "./optional.ts";

/** Generated lists of deploy/watch/fence.yaml, by variable; they follow from the objects that runs declare. */
const lists: Readonly<Record<string, () => readonly string[]>> = {
  besideController: () =>
    samples()
      .flatMap(declaredIn)
      .filter(({ isBesideController }) => isBesideController)
      .map(({ kind }) => resourceOfAny(kind))
      .sort(),
  seen: () =>
    samples()
      .flatMap(({ settings }) =>
        othersViews.flatMap((view) => clusterRole(view, settings).rules.flatMap(({ resources }) => resources)),
      )
      .sort(),
  configMaps: () =>
    homeNames
      .filter(({ kind }) => kind === "ConfigMap")
      .map(({ name }) => name)
      .sort(),
  ofControllers: () => drivers.flatMap(({ annotations }) => annotations.Ingress).sort(),
  aboutVisitors: () => visitorHeaders,
};

/** Returns the fence with these lists brought up to date; the rest of it is written by hand. */
export const fenceText = (fence: string): string =>
  Object.entries(lists).reduce((text, [variable, items]) => {
    const before = `    - name: ${variable}\n      expression: >-\n`;
    const start = text.indexOf(before);
    const end = text.indexOf("]\n", start);
    if (start === -1 || end === -1) {
      throw new Error(`the fence has no list '${variable}'`);
    }
    return text.slice(0, start) + before + listText([...new Set(items())]) + text.slice(end + 2);
  }, fence);

const indent = " ".repeat(8);

/** Wraps a list at some hundred characters. */
function listText(items: readonly string[]): string {
  const lines = [""];
  for (const [index, item] of items.entries()) {
    const word = `'${item}'${index === items.length - 1 ? "]" : ","}`;
    const line = lines.at(-1) ?? "";
    if (line.length + word.length > 112) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line === "" ? `[${word}` : `${line} ${word}`;
    }
  }
  return lines.map((line) => `${indent}${line}\n`).join("");
}
