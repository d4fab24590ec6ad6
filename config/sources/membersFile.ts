import { isDeepStrictEqual } from "node:util";
import { isMap, when } from "../values/maps.ts";
import { type Mistake, pathText, valueText } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { readYaml, type YamlDocument } from "./yaml.ts";

interface Place {
  readonly document: YamlDocument;
  readonly path: readonly PropertyKey[];
}

type Found = Entry | { readonly place: Place; readonly message: string };

interface Entry {
  readonly place: Place;
  readonly value: unknown;
  /** The operator's object that has it; undefined in a plain list. */
  readonly object?: Place;
}

type Values = Readonly<Record<string, unknown>>;

/** API group of the operator that kubecamp replaces, in any version. */
const operatorApi = /^([-a-z0-9.]+\.)?crds\.yadiary\.net\/[^/]+$/;

const objectKeys = ["apiVersion", "metadata", "spec"] as const;

/**
 * Reads a members file: a plain list, a map with the key `members`, or the operator's `kind: Members`, also as `kubectl
 * get members -A -o yaml` prints it. Several documents make one list. An empty file is an empty list: the limit on
 * removals handles it, and can name who would leave.
 * @param file name of the file, for messages
 */
export function readMembers(file: string, text: string) {
  const { documents, mistakes } = readYaml(file, text);
  const found = documents.flatMap((document) => foundIn(document.value, { document, path: [] }));
  const entries = withoutCopies(found.flatMap((each) => ("message" in each ? [] : [each])));
  const ofPlaces = found.flatMap((each): Mistake[] => {
    const { document, path } = each.place;
    return "message" in each
      ? [{ file, line: document.lineOf(path), path: pathText(path), message: each.message }]
      : [];
  });
  return {
    members: entries.map(({ value }) => value),
    mistakes: [...mistakes, ...ofPlaces],
    /** The document of the member at an index, and the path of one of its keys there. */
    placeOf: (index: number, path: readonly PropertyKey[]) => {
      const place = entries[index]?.place;
      return place && child(place, ...path);
    },
  };
}

const child = ({ document, path }: Place, ...keys: PropertyKey[]): Place => ({ document, path: [...path, ...keys] });

function foundIn(value: unknown, place: Place): readonly Found[] {
  if (Array.isArray(value)) {
    return entriesOf(value, place);
  }
  const { kind, members, items } = isMap(value) ? value : {};
  const hasNone = !isMap(value) || !objectKeys.some((key) => Object.hasOwn(value, key));
  if (isMap(value) && kind === undefined && (Object.hasOwn(value, "members") || hasNone)) {
    return [...unknownKeys(place, value, ["members"]), ...entriesOf(members, child(place, "members"))];
  }
  if (isMap(value) && (kind === "List" || kind === "MembersList") && Array.isArray(items)) {
    return [
      ...unknownKeys(place, value, ["apiVersion", "kind", "metadata", "items"]),
      ...items.flatMap((item, index) => foundInObject(item, child(place, "items", index))),
    ];
  }
  return foundInObject(value, place);
}

/** Reads the members even if the operator's object has a mistake, to report theirs too. */
function foundInObject(value: unknown, place: Place): readonly Found[] {
  if (!isMap(value)) {
    return [{ place, message: `${valueText(value)} is no list of members, nor the operator's kind: Members` }];
  }
  const { apiVersion, kind, spec } = value;
  const given = apiVersion === undefined ? "is missing:" : valueText(apiVersion);
  const isOperators = typeof apiVersion === "string" && operatorApi.test(apiVersion);
  if (kind !== undefined && kind !== "Members") {
    const message = `${valueText(kind)} is no list of members; it takes kind: Members`;
    return [{ place: child(place, "kind"), message }];
  }
  return [
    ...when(kind === undefined, { place: child(place, "kind"), message: "is missing: must be Members" }),
    ...when(!isOperators, {
      place: child(place, "apiVersion"),
      message: `${given} must be a version of crds.yadiary.net, such as crds.yadiary.net/v1`,
    }),
    ...unknownKeys(place, value, ["apiVersion", "kind", "metadata", "spec", "status"]),
    ...(spec === undefined || spec === null || isMap(spec)
      ? [
          ...unknownKeys(child(place, "spec"), spec ?? {}, ["members"]),
          ...entriesOf(spec?.members, child(place, "spec", "members"), place),
        ]
      : [{ place: child(place, "spec"), message: `${valueText(spec)} must be a map with members` }]),
  ];
}

const unknownKeys = (place: Place, map: Values, known: readonly string[]): readonly Found[] =>
  Object.keys(map)
    .filter((key) => !known.includes(key))
    .map((key) => ({ place: child(place, key), message: `has no place here${nearest(key, known)}` }));

function entriesOf(list: unknown, place: Place, object?: Place): readonly Found[] {
  const entries = list ?? [];
  return Array.isArray(entries)
    ? entries.map((value: unknown, index) => ({ place: child(place, index), value, ...(object && { object }) }))
    : [{ place, message: `${valueText(list)} must be a list of members` }];
}

/** The operator copied its object into each member's namespace, and kubectl lists all copies. */
function withoutCopies(entries: readonly Entry[]): readonly Entry[] {
  const firsts = new Map<unknown, Entry>();
  return entries.filter((entry) => {
    const { value, object } = entry;
    const name = isMap(value) ? value.member : undefined;
    const first = firsts.get(name);
    if (object === undefined || name === undefined) {
      return true;
    }
    firsts.set(name, first ?? entry);
    return first === undefined || first.object === object || !isDeepStrictEqual(first.value, value);
  });
}
