import { InvalidArgumentError } from "commander";
import { mostShards } from "../config/shards.ts";
import { type Operation, operations, otherTools, type Tool } from "./results.ts";

/** All operations but those that others depend on: who is added has to be removed before the next tool adds them. */
export const skippable = operations.filter((operation) => !["create", "one member removed"].includes(operation));

export function shards(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > mostShards) {
    throw new InvalidArgumentError(`'${text}' is no number of shards: it takes one from 1 to ${mostShards}.`);
  }
  return number;
}

export function numbers(text: string): number[] {
  return text.split(",").map((word) => {
    const number = Number(word);
    if (!/^\s*\d+\s*$/.test(word) || number < 1) {
      throw new InvalidArgumentError(`'${word}' is no number of members: it takes some from 1, with commas between.`);
    }
    return number;
  });
}

export function milliseconds(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 1000) {
    throw new InvalidArgumentError(`'${text}' is no delay: it takes milliseconds from 0 to 1000.`);
  }
  return number;
}

export function skipped(text: string): Operation[] {
  return someOf(skippable, text);
}

export function without(text: string): Tool[] {
  return someOf(otherTools, text);
}

function someOf<Word extends string>(words: readonly Word[], text: string): Word[] {
  return text.split(",").map((word) => {
    const known = words.find((each) => each === word.trim());
    if (known === undefined) {
      throw new InvalidArgumentError(`'${word}' is none of ${words.join(", ")}.`);
    }
    return known;
  });
}
