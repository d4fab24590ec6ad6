import { isDeepStrictEqual } from "node:util";
import { isMap } from "../values/maps.ts";
import { type Mistake, pathText, valueText } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { readYaml, type YamlDocument } from "./yaml.ts";

/** The members of a file in their order, not validated yet. */
interface MembersFile {
  readonly members: readonly unknown[];
  /** Mistakes in the file outside of the members. */
  readonly mistakes: readonly Mistake[];
  /** Line of a key of the member at an index; the member's line if the key is absent. */
  lineOf(index: number, path: readonly PropertyKey[]): number | undefined;
  /** The figures of the number there, as the file has them. */
  figuresAt(index: number, path: readonly PropertyKey[]): string | undefined;
}

/** Position of a member in a file. */
interface Place {
  readonly document: YamlDocument;
  readonly path: readonly PropertyKey[];
}

type Values = Readonly<Record<string, unknown>>;

/** API group of the operator that kubecamp replaces, in any version. */
const operatorApi = /^([-a-z0-9.]+\.)?crds\.yadiary\.net\/[^/]+$/;

/** Keys that only Kubernetes objects have. */
const objectKeys = ["apiVersion", "metadata", "spec"] as const;

/**
 * Reads a members file: a plain list, a map with the key `members`, or the operator's `kind: Members`, also as `kubectl
 * get members -A -o yaml` prints it. Several documents make one list. An empty file is an empty list: the limit on
 * removals handles it, and can name who would leave.
 * @param file name of the file, for messages
 */
export function readMembers(file: string, text: string): MembersFile {
  const { documents, mistakes: ofSyntax } = readYaml(file, text);
  const mistakes: Mistake[] = [...ofSyntax];
  const members: unknown[] = [];
  const places: Place[] = [];
  const copies = new Map<unknown, { entry: unknown; object: number }>();
  let objects = 0;

  const report = (place: Place, message: string) =>
    mistakes.push({ file, line: place.document.lineOf(place.path), path: pathText(place.path), message });
  const child = ({ document, path }: Place, ...keys: PropertyKey[]): Place => ({ document, path: [...path, ...keys] });
  const reportUnknown = (place: Place, map: Values, known: readonly string[]) => {
    for (const key of Object.keys(map).filter((key) => !known.includes(key))) {
      report(child(place, key), `has no place here${nearest(key, known)}`);
    }
  };

  /** @param object number of the Kubernetes object that contains the list */
  const addAll = (list: unknown, place: Place, object?: number) => {
    if (list !== undefined && list !== null && !Array.isArray(list)) {
      report(place, `${valueText(list)} must be a list of members`);
      return;
    }
    for (const [index, entry] of (list ?? []).entries()) {
      const name: unknown = isMap(entry) ? entry.member : undefined;
      const first = copies.get(name);
      // The operator copied its object into each member's namespace, and kubectl lists all copies.
      const isCopy = object !== undefined && first !== undefined && first.object !== object;
      if (name !== undefined && isCopy && isDeepStrictEqual(first.entry, entry)) {
        continue;
      }
      if (object !== undefined && first === undefined) {
        copies.set(name, { entry, object });
      }
      members.push(entry);
      places.push(child(place, index));
    }
  };

  const addObject = (value: Values, place: Place, isItem: boolean) => {
    const { kind } = value;
    if (
      !isItem &&
      kind === undefined &&
      (Object.hasOwn(value, "members") || !objectKeys.some((key) => Object.hasOwn(value, key)))
    ) {
      reportUnknown(place, value, ["members"]);
      addAll(value.members, child(place, "members"));
    } else if (!isItem && (kind === "List" || kind === "MembersList") && Array.isArray(value.items)) {
      reportUnknown(place, value, ["apiVersion", "kind", "metadata", "items"]);
      for (const [index, item] of value.items.entries()) {
        add(item, child(place, "items", index), true);
      }
    } else if (kind !== undefined && kind !== "Members") {
      report(child(place, "kind"), `${valueText(kind)} is no list of members; it takes kind: Members`);
    } else {
      addOperators(value, place);
    }
  };

  /** Reads the members even if their object has a mistake, to report theirs too. */
  const addOperators = (value: Values, place: Place) => {
    const { apiVersion, kind, spec } = value;
    if (kind === undefined) {
      report(child(place, "kind"), "is missing: must be Members");
    }
    if (typeof apiVersion !== "string" || !operatorApi.test(apiVersion)) {
      const reported = apiVersion === undefined ? "is missing:" : valueText(apiVersion);
      report(
        child(place, "apiVersion"),
        `${reported} must be a version of crds.yadiary.net, such as crds.yadiary.net/v1`,
      );
    }
    reportUnknown(place, value, ["apiVersion", "kind", "metadata", "spec", "status"]);
    if (spec !== undefined && spec !== null && !isMap(spec)) {
      report(child(place, "spec"), `${valueText(spec)} must be a map with members`);
      return;
    }
    reportUnknown(child(place, "spec"), spec ?? {}, ["members"]);
    objects += 1;
    addAll(spec?.members, child(place, "spec", "members"), objects);
  };

  const add = (value: unknown, place: Place, isItem: boolean) => {
    if (Array.isArray(value) && !isItem) {
      addAll(value, place);
    } else if (isMap(value)) {
      addObject(value, place, isItem);
    } else {
      report(place, `${valueText(value)} is no list of members, nor the operator's kind: Members`);
    }
  };

  for (const document of documents) {
    add(document.value, { document, path: [] }, false);
  }
  return {
    members,
    mistakes,
    lineOf: (index, path) => {
      const place = places[index];
      return place?.document.lineOf([...place.path, ...path]);
    },
    figuresAt: (index, path) => {
      const place = places[index];
      return place?.document.figuresAt([...place.path, ...path]);
    },
  };
}
